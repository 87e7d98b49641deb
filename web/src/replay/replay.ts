/** A finished match and its moments, as `/api/tables/<table>/replay` tells it. */
import type { Board, Clocks, Move, Result } from '../protocol/frames';
import type { BoardName, SeatNumber, TimeControl, Variant } from '../protocol/terms';
import { placeOf, seatsOf } from '../state/seating';

export type Boards = Partial<Record<BoardName, Board>>;
/** Whose view is shown. */
export type Eyes = 'full' | 'white' | 'black';

export interface Replay {
  variant: Variant;
  moves: Move[];
  /** After each number of moves, the start included. */
  full: Boards[];
  /** As each side saw it; fog only. */
  white: Boards[];
  black: Boards[];
  result: Result;
  /** A text of somebody's own: each seat's clock at the start, where it is known. */
  start_ms?: number[] | null;
}

/** When the last of so many moves was made, in match time; 0 at the start. */
export const momentOf = (moves: Move[], count: number): number => moves[count - 1]?.at_ms ?? 0;

/** How many moves had been made at an instant of match time. */
export const countAt = (moves: Move[], at_ms: number): number => {
  const later = moves.findIndex(move => move.at_ms > at_ms);
  return later === -1 ? moves.length : later;
};

/** When the match was over: with the last move, or later by the clock or a resignation. */
export const endOf = (moves: Move[], last: Clocks | null): number => Math.max(momentOf(moves, moves.length), last?.at_ms ?? 0);

/**
 * The clocks at an instant after `count` moves. A clock runs from the last move on its board; `last` is the reading at the
 * end, which is shown exactly.
 */
export function clocksAt(replay: Replay, start_ms: number[], last: Clocks, count: number, at_ms: number): Clocks {
  if (count === replay.moves.length && at_ms >= last.at_ms) return { ...last, running: last.running.map(() => false), age_ms: 0 };
  const made = replay.moves.slice(0, count);
  const remaining_ms = start_ms.map((left, seat) => remaining(made, seat, left, replay.full[0]?.[placeOf(seat).board]?.ply ?? 0, at_ms));
  return { at_ms, remaining_ms, running: remaining_ms.map(() => false), age_ms: 0 };
}

/** Each seat's clock at the start; null without clocks. */
export function startsOf(replay: Replay, time: TimeControl | null): number[] | null {
  if (replay.start_ms !== undefined) return replay.start_ms;
  return time === null ? null : seatsOf(replay.variant).map(() => time.initial_ms);
}

/** A seat's clock; `start_ply` are the moves that had been made on its board when the match began. */
function remaining(made: Move[], seat: SeatNumber, start_ms: number, start_ply: number, at_ms: number): number {
  const { board, colour } = placeOf(seat);
  const onBoard = made.filter(move => move.board === board);
  const odd = colour === 'white' ? 1 : 0;
  const own = onBoard.findLast(move => move.ply % 2 === odd && move.remaining_ms !== null)?.remaining_ms ?? start_ms;
  const latest = onBoard.at(-1);
  const onMove = (latest?.ply ?? start_ply) % 2 !== odd;
  return Math.max(0, onMove ? own - (at_ms - (latest?.at_ms ?? 0)) : own);
}

/** The moves as one side knew them: the other's are told only to have been made. */
export const movesSeen = (moves: Move[], eyes: Eyes): Move[] =>
  eyes === 'full' ? moves : moves.map(move => ((move.ply % 2 === 1) === (eyes === 'white') ? move : { ...move, san: null, uci: null }));

/** The moment that a link names, `#12`; the end without one. */
export function linkedCount(hash: string, moves: Move[]): number {
  const found = /^#(\d+)$/.exec(hash);
  return found === null ? moves.length : Math.min(Number(found[1]), moves.length);
}
