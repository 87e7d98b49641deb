import type { Move } from '../protocol/frames';
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

/** The rows of the move list, in the true order of both boards. */
export const moveRows = (moves: Move[]): MoveRow[] =>
  moves.map(({ board, ply, san, remaining_ms }) => {
    const white = ply % 2 === 1;
    return {
      board,
      colour: white ? 'white' : 'black',
      number: `${Math.ceil(ply / 2)}${white ? '.' : '…'}`,
      san,
      remaining_ms,
    };
  });
