import { expect, test } from 'vitest';
import { emptyTable, receive, type TableState } from '../src/state/table';
import { endDelta, fogFull, moveDelta, tableFrame, tandemFull } from './examples';

const joined = (): TableState => receive(emptyTable(tandemFull().table), tandemFull(), 1_000);

test('a full view replaces all that was known', () => {
  const changed = { ...tandemFull(), version: 90, moves: [], talk: [{ number: 1, seat: 3, quick: 'sit' as const, text: null, at_ms: 1 }] };
  const state = receive(joined(), changed, 2_000);
  expect(state.match?.version).toBe(90);
  expect(state.match?.moves).toEqual([]);
  expect(state.talk).toHaveLength(1);
  expect(state.clocks_at_ms).toBe(2_000);
});

test('a delta replaces the parts it has, boards by their letter, and appends moves', () => {
  const before = joined();
  const state = receive(before, moveDelta(), 3_000);
  expect(state.match?.version).toBe(4);
  expect(state.match?.boards.A?.ply).toBe(2);
  expect(state.match?.boards.B).toBe(before.match?.boards.B);
  expect(state.match?.moves.map(move => move.san)).toEqual(['e4', 'e5']);
  expect(state.match?.standing).toBe(before.match?.standing);
  expect(state.clocks_at_ms).toBe(3_000);
});

test('a delta without clocks leaves the reading and its instant', () => {
  const state = receive(joined(), { ...endDelta(), version: 4 }, 9_000);
  expect(state.match?.result).toEqual({ winner: 1, reason: 'mate' });
  expect(state.clocks_at_ms).toBe(1_000);
});

test('R01: a gap in the versions is noticed, nothing is believed until a full view comes', () => {
  const gap = receive(joined(), { ...moveDelta(), version: 5 }, 2_000);
  expect(gap.gap).toBe(true);
  expect(gap.match?.version).toBe(3);
  expect(receive(gap, moveDelta(), 2_100).match?.version).toBe(3);
  const healed = receive(gap, { ...tandemFull(), version: 6 }, 2_200);
  expect(healed.gap).toBe(false);
  expect(healed.match?.version).toBe(6);
});

test('another epoch is a gap, also at a lower version', () => {
  expect(receive(joined(), { ...moveDelta(), epoch: 1, version: 2 }, 2_000).gap).toBe(true);
});

test('R01: a delta that came twice is applied once', () => {
  const once = receive(joined(), moveDelta(), 2_000);
  expect(receive(once, moveDelta(), 2_100)).toBe(once);
});

test('a delta before any full view asks for one', () => {
  expect(receive(emptyTable(tandemFull().table), moveDelta(), 0).gap).toBe(true);
});

test('frames of another table change nothing', () => {
  const state = joined();
  expect(receive(state, fogFull(), 2_000)).toBe(state);
});

test('an older table frame does not undo a newer one', () => {
  const frame = { ...tableFrame(), table: tandemFull().table };
  const state = receive(joined(), { ...frame, version: 5 }, 2_000);
  expect(receive(state, { ...frame, version: 4 }, 2_100).table?.version).toBe(5);
});

test('C02: lines of talk stand in order and once each', () => {
  const line = (number: number) => ({ t: 'talk' as const, table: tandemFull().table, number, seat: 3, quick: 'go' as const, text: null, at_ms: number });
  const state = [2, 1, 2, 3].reduce((now, number) => receive(now, line(number), 0), joined());
  expect(state.talk.map(({ number }) => number)).toEqual([1, 2, 3]);
});
