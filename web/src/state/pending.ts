import type { MatchView } from '../protocol/frames';
import type { BoardName } from '../protocol/terms';
import { isDrop } from './position';

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
