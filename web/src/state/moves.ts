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
