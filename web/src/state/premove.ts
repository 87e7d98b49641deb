/** A move chosen before the turn comes, or a drop that waits for its piece. It stays in the page until it can be sent. */
import type { MatchView } from '../protocol/frames';
import type { BoardName } from '../protocol/terms';
import { handOf, isDrop } from './position';
import { placeOf } from './seating';

export interface Premove {
  board: BoardName;
  uci: string;
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
