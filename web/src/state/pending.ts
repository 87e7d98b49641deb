import type { MatchView } from '../protocol/frames';
import type { BoardName, Colour } from '../protocol/terms';
import { isDrop, letterAt, withLetter } from './position';

/** A move shown on the board that the server has not committed yet. */
export interface PendingMove {
  board: BoardName;
  ply: number;
  uci: string;
  /** False in the club profile until the own clock is pressed. */
  sent: boolean;
}

/** The pending move as long as its position is still the board's; else null: it was made, or can no longer be. */
export function stillPending(pending: PendingMove | null, match: MatchView | null): PendingMove | null {
  if (pending === null || match === null || match.result !== null) return null;
  return match.boards[pending.board]?.ply === pending.ply ? pending : null;
}

/** A hand less the piece that a pending drop has taken out of it. */
export function handLess(hand: string, pending: PendingMove | null): string {
  return pending !== null && isDrop(pending.uci) ? hand.replace(pending.uci.charAt(0), '') : hand;
}

/** A board's pieces as they are shown with a move of this colour on its way. The rook of a castling king comes after it. */
export function shownPieces(pieces: string, pending: PendingMove | null, colour: Colour): string {
  if (pending === null) return pieces;
  const { uci } = pending;
  const from = uci.slice(0, 2);
  const letter = isDrop(uci) ? uci.charAt(0) : uci.charAt(4) || letterAt(pieces, from);
  const left = isDrop(uci) ? pieces : withLetter(pieces, from, '.');
  return withLetter(left, uci.slice(2, 4), colour === 'white' ? letter.toUpperCase() : letter.toLowerCase());
}
