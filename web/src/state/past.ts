/** The boards of a match as they came, for looking back while it is played. Nothing is worked out: what did not come is not there. */
import type { Board } from '../protocol/frames';
import type { BoardName } from '../protocol/terms';

/** Each board after each number of moves that was shown here, the latest last. */
export type Past = Partial<Record<BoardName, Board[]>>;

/** With boards that have just come: a later one of the same number of moves (a hand has changed) takes the other's place. */
export function withBoards(past: Past, boards: Partial<Record<BoardName, Board>>): Past {
  const grown = { ...past };
  for (const [name, board] of Object.entries(boards) as [BoardName, Board][]) {
    const before = past[name] ?? [];
    const kept = before.findLastIndex(({ ply }) => ply < board.ply) + 1;
    grown[name] = [...before.slice(0, kept), board];
  }
  return grown;
}

/** The number of moves one step back or on from `ply`, as far as it is known; null where there is none. */
export function stepPly(boards: Board[], ply: number, step: -1 | 1): number | null {
  const found = step === -1 ? boards.findLast(board => board.ply < ply) : boards.find(board => board.ply > ply);
  return found?.ply ?? null;
}
