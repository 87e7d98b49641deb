import type { TableSummary } from '../protocol/frames';

/** A place in the lobby's list, kept for the table that was first seen in it. */
export interface Place {
  table: TableSummary;
  /** Since when the table is no longer listed; null while it is. */
  gone_at_ms: number | null;
}

/** Nobody who aimed at a table that is gone presses so much later. */
export const REUSED_AFTER_MS = 10_000;

/**
 * The list as it is shown after `tables` came: nothing that is in sight changes its place, so that nobody sits down at a
 * table that has slipped under the pointer. What is gone keeps its place for a while; what is new comes there later, or
 * at the end.
 */
export function placed(before: readonly Place[], tables: readonly TableSummary[], now_ms: number): Place[] {
  const listed = new Map(tables.filter(({ state }) => state !== 'closed').map(table => [table.table, table]));
  const places = before.map(({ table, gone_at_ms }): Place => {
    const now = listed.get(table.table);
    listed.delete(table.table);
    return now === undefined ? { table, gone_at_ms: gone_at_ms ?? now_ms } : { table: now, gone_at_ms: null };
  });
  for (const table of listed.values()) {
    const free = places.findIndex(({ gone_at_ms }) => gone_at_ms !== null && now_ms - gone_at_ms >= REUSED_AFTER_MS);
    places[free === -1 ? places.length : free] = { table, gone_at_ms: null };
  }
  return places;
}

/** The places are as the server orders its tables: open ones first, and none of them gone. */
export const inOrder = (places: readonly Place[], tables: readonly TableSummary[]): boolean =>
  placed([], tables, 0).map(({ table }) => table.table).join() === places.map(({ table }) => table.table).join();
