import { useRef, useState } from 'preact/hooks';
import type { Board, MatchView, Move } from '../protocol/frames';
import type { BoardName } from '../protocol/terms';
import { stepPly, type Past } from '../state/past';
import { useKeys } from './keys';

/** An earlier moment of a board in a match that goes on. */
export interface Back {
  board: Board;
  /** The moves of that board until then. */
  moves: Move[];
  /** How many moves have been made on both boards since the look back began. */
  more: number;
  toNow: () => void;
}

export interface LookingBack {
  back: Back | null;
  /** One move back or on; null where there is none to go to. */
  step: Record<'back' | 'on', (() => void) | null>;
  /** To the moment after so many moves of the match, and whether a move can be gone to. */
  go: (count: number) => void;
  open: (move: Move) => boolean;
  /** The number in the list of the moment shown; undefined at the latest one. */
  current: number | undefined;
}

/** Steps one board back through what was shown of it, by arrow keys too. Moves that arrive meanwhile pull nobody forward (U03). */
export function useLookingBack(match: MatchView, past: Past, name: BoardName): LookingBack {
  const [at, setAt] = useState<{ ply: number; since: number } | null>(null);
  const boards = past[name] ?? [];
  const now = match.boards[name]?.ply ?? 0;
  const board = at === null || at.ply >= now ? undefined : boards.find(({ ply }) => ply === at.ply);
  const shown = board?.ply ?? now;
  const look = (ply: number): void => setAt(before => (ply >= now ? null : { ply, since: board === undefined ? match.moves.length : before?.since ?? match.moves.length }));
  const toNow = (): void => setAt(null);
  const step = (way: -1 | 1): (() => void) | null => {
    const ply = stepPly(boards, shown, way);
    return ply === null ? null : () => look(ply);
  };
  const steps = { back: step(-1), on: board === undefined ? null : step(1) };
  useKeys(true, {
    arrowleft: () => steps.back?.(),
    arrowright: () => steps.on?.(),
    ...(board === undefined ? {} : { end: toNow }),
  });
  const latest = useRef(look);
  latest.current = look;
  const moves = useRef(match.moves);
  moves.current = match.moves;
  return {
    back: board === undefined ? null : {
      board,
      moves: match.moves.filter(move => move.board === name && move.ply <= board.ply),
      more: match.moves.length - (at?.since ?? match.moves.length),
      toNow,
    },
    step: steps,
    go: count => {
      const move = moves.current[count - 1];
      if (move !== undefined) latest.current(move.ply);
    },
    open: move => move.board === name && boards.some(({ ply }) => ply === move.ply),
    current: board === undefined ? undefined : match.moves.findIndex(move => move.board === name && move.ply === board.ply) + 1,
  };
}
