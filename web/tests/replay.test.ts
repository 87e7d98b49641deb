import { expect, test } from 'vitest';
import { clocksAt, countAt, endOf, linkedCount, momentOf, movesSeen, startsOf, type Boards, type Replay } from '../src/replay/replay';
import type { Move } from '../src/protocol/frames';
import { routeOf } from '../src/app/route';

const move = (board: 'A' | 'B', ply: number, at_ms: number, remaining_ms: number): Move => ({ board, ply, san: 'e4', uci: 'e2e4', mark: null, at_ms, remaining_ms });
const moves = [move('A', 1, 2_000, 58_000), move('B', 1, 5_000, 55_000), move('A', 2, 9_000, 53_000)];
const replay: Replay = { variant: 'tandem', moves, full: [], white: [], black: [], result: { winner: 2, reason: 'time' } };
const starts = [60_000, 60_000, 60_000, 60_000];
const last = { at_ms: 67_000, remaining_ms: [0, 53_000, 55_000, 0], running: [true, false, false, true], age_ms: 7 };

test('all four clocks are known at every instant: who is on move loses time from the last move on that board', () => {
  expect(clocksAt(replay, starts, last, 0, 0).remaining_ms).toEqual([60_000, 60_000, 60_000, 60_000]);
  expect(clocksAt(replay, starts, last, 1, 2_000).remaining_ms).toEqual([58_000, 60_000, 58_000, 60_000]);
  expect(clocksAt(replay, starts, last, 2, 6_000).remaining_ms).toEqual([58_000, 56_000, 55_000, 59_000]);
  expect(clocksAt(replay, starts, last, 3, 10_000).remaining_ms).toEqual([57_000, 53_000, 55_000, 55_000]);
});

test('K03: the end shows the clocks exactly as they were recorded', () => {
  expect(clocksAt(replay, starts, last, 3, 67_000)).toMatchObject({ remaining_ms: [0, 53_000, 55_000, 0], age_ms: 0 });
  expect(endOf(moves, last)).toBe(67_000);
  expect(endOf(moves, null)).toBe(9_000);
});

test('a set-up with Black to move keeps its clocks: each side’s own start, and a damaged clock changes nothing', () => {
  const board = (ply: number) => ({ A: { ply }, B: { ply } }) as unknown as Boards;
  const game = { ...replay, start_ms: [60_000, 50_000, 60_000, 50_000], full: [board(13)], moves: [move('A', 14, 4_000, 46_000), { ...move('A', 15, 5_000, 0), remaining_ms: null }] };
  const start_ms = startsOf(game, null) ?? [];
  expect(clocksAt(game, start_ms, last, 0, 1_000).remaining_ms).toEqual([60_000, 49_000, 60_000, 49_000]);
  expect(clocksAt(game, start_ms, last, 2, 6_000).remaining_ms).toEqual([60_000, 45_000, 60_000, 44_000]);
  expect(startsOf(replay, { initial_ms: 60_000, increment_ms: 0 })).toEqual(starts);
  expect(startsOf(replay, null)).toBeNull();
});

test('true time and the number of moves belong together', () => {
  expect([0, 1, 3].map(count => momentOf(moves, count))).toEqual([0, 2_000, 9_000]);
  expect([0, 1_999, 2_000, 8_999, 9_000, 99_000].map(at => countAt(moves, at))).toEqual([0, 0, 1, 2, 3, 3]);
});

test('F-after: each side’s replay writes the other’s moves only as made', () => {
  expect(movesSeen(moves, 'white').map(({ san }) => san)).toEqual(['e4', 'e4', null]);
  expect(movesSeen(moves, 'black').map(({ san }) => san)).toEqual([null, null, 'e4']);
  expect(movesSeen(moves, 'full')).toBe(moves);
});

test('a link names a moment; a wrong one the end', () => {
  expect(['#2', '#0', '#99', '', '#x'].map(hash => linkedCount(hash, moves))).toEqual([2, 0, 3, 3, 3]);
  expect(routeOf('/r/07abc')).toMatchObject({ table: '07abc', replay: true });
  expect(routeOf('/t/07abc')).toMatchObject({ table: '07abc', replay: false });
  expect(routeOf('/r')).toMatchObject({ table: null, replay: false, import: true });
  expect(routeOf('/r/07abc').import).toBe(false);
  expect(routeOf('/r/NO')).toMatchObject({ table: null, replay: false, unknown: true });
});
