import { expect, test } from 'vitest';
import type { TableSummary } from '../src/protocol/frames';
import { REUSED_AFTER_MS, inOrder, placed, type Place } from '../src/state/listed';
import { tableFrame } from './examples';

const summary = (table: string, state: TableSummary['state'] = 'open'): TableSummary => ({ ...tableFrame(), table, state });
const names = (places: Place[]): string[] => places.map(({ table, gone_at_ms }) => (gone_at_ms === null ? table.table : `(${table.table})`));

test('what is in the list keeps its place: new tables come at its end, gone ones leave theirs, a started one stays', () => {
  const before = placed([], [summary('a'), summary('b'), summary('c', 'started')], 0);
  const after = placed(before, [summary('d'), summary('c', 'started'), summary('b', 'started')], 1_000);
  expect(names(after)).toEqual(['(a)', 'b', 'c', 'd']);
  expect(after[1]?.table.state).toBe('started');
});

test('the place of a table that is gone is given away only when nobody aims at it any more, so that the list stays short', () => {
  const gone = placed(placed([], [summary('a'), summary('b')], 0), [summary('b')], 1_000);
  expect(names(placed(gone, [summary('b'), summary('c')], 1_000 + REUSED_AFTER_MS - 1))).toEqual(['(a)', 'b', 'c']);
  expect(names(placed(gone, [summary('b'), summary('c')], 1_000 + REUSED_AFTER_MS))).toEqual(['c', 'b']);
  expect(names(placed(gone, [summary('a'), summary('b')], 2_000))).toEqual(['a', 'b']);
});

test('the list is in order while it is as the server tells it', () => {
  const tables = [summary('a'), summary('b')];
  const places = placed([], tables, 0);
  expect(inOrder(places, tables)).toBe(true);
  expect(inOrder(placed(places, [summary('b')], 1), [summary('b')])).toBe(false);
  expect(inOrder(placed(places, [summary('c'), ...tables], 1), [summary('c'), ...tables])).toBe(false);
});
