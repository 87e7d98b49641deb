import type { MatchView, Move } from '../protocol/frames';
import type { BoardName, Colour } from '../protocol/terms';

export interface MoveRow {
  board: BoardName;
  colour: Colour;
  /** `1.` for White, `1…` for Black, counted on the board. */
  number: string;
  /** Null: a move hidden by fog. */
  san: string | null;
  remaining_ms: number | null;
}

export function moveRow({ board, ply, san, remaining_ms }: Move): MoveRow {
  const white = ply % 2 === 1;
  return {
    board,
    colour: white ? 'white' : 'black',
    number: `${Math.ceil(ply / 2)}${white ? '.' : '…'}`,
    san,
    remaining_ms,
  };
}

/** Rows that say only that a move was made, kept so that a row once drawn is the same row later. */
const made: Move[] = [];

/**
 * A fog match as somebody watches it is sent without moves: the board tells how many there were (F-spectators). They stand
 * in the list as a player's hidden ones do.
 */
export function withMovesMade(match: MatchView): MatchView {
  const count = match.boards.A?.ply ?? 0;
  if (!isUnseen(match) || match.result !== null || match.moves.length >= count) return match;
  while (made.length < count) made.push({ board: 'A', ply: made.length + 1, san: null, uci: null, mark: null, at_ms: 0, remaining_ms: null });
  return { ...match, moves: made.slice(0, count) };
}

/** Whether nothing of the boards is shown to this viewer while the match goes on: there is nothing to look back on. */
export const isUnseen = ({ variant, you }: Pick<MatchView, 'variant' | 'you'>): boolean => variant === 'fog' && you === null;
