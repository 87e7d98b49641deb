/** A move chosen before the turn comes, or a drop that waits for its piece. It stays in the page until it can be sent. */
import type { MatchView } from '../protocol/frames';
import type { BoardName, Colour } from '../protocol/terms';
import { asksForPromotion, handOf, isDrop, isOwn } from './position';
import { placeOf } from './seating';

export interface Premove {
  board: BoardName;
  uci: string;
}

/** Why a move is not taken for the next turn: as the services refuse it, or because its pawn must become something. */
export type PremoveProblem = 'no_piece' | 'illegal_move' | 'not_in_hand' | 'square_occupied' | 'pawn_on_last_rank' | 'promotion';

/**
 * What is wrong with a premove whatever the opponent plays, on these pieces, as this colour sees them; null where it may be
 * kept. `hands`: there are hands to drop from. Nothing is told of what may stand in the fog.
 */
export function premoveProblem(uci: string, pieces: string, colour: Colour, hands: boolean): PremoveProblem | null {
  const from = uci.slice(0, 2);
  const to = uci.slice(2, 4);
  if (isDrop(uci)) {
    if (!hands) return 'not_in_hand';
    if (uci.startsWith('P') && /[18]$/.test(to)) return 'pawn_on_last_rank';
    return isOwn(pieces, to, colour) ? 'square_occupied' : null;
  }
  if (!isOwn(pieces, from, colour)) return 'no_piece';
  const promotes = asksForPromotion(pieces, from, to);
  if (uci.length === 4) return promotes ? 'promotion' : null;
  return promotes ? null : 'illegal_move';
}

/**
 * What becomes of a premove in this view: nothing is decided before the turn comes, so that nothing tells whether it
 * would do. Then it is played when it is legal and otherwise cleared; a legal drop whose piece is not in hand yet waits.
 */
export function resolvePremove(premove: Premove, match: MatchView): 'stay' | 'play' | 'clear' {
  const { you, legal, result } = match;
  const board = match.boards[premove.board];
  if (you === null || board === undefined || result !== null) return 'clear';
  const { colour } = placeOf(you);
  if (board.turn !== colour || legal?.ply !== board.ply) return 'stay';
  const target = premove.uci.slice(2, 4);
  if (!isDrop(premove.uci)) return legal.from[premove.uci.slice(0, 2)]?.includes(target) === true ? 'play' : 'clear';
  const letter = premove.uci.charAt(0);
  const squares = letter === 'P' ? legal.drops.pawns : legal.drops.pieces;
  if (!squares.includes(target)) return 'clear';
  return handOf(board, colour).includes(letter) ? 'play' : 'stay';
}
