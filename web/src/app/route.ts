import type { SeatNumber, Variant } from '../protocol/terms';

/** Which page a path names. The lobby where nothing else is. */
export interface Route {
  /** A table, with the seat of an invite link. */
  table: string | null;
  seat: SeatNumber | null;
  /** Its replay instead of the table itself. */
  replay: boolean;
  /** A game of one's own is to be looked at. */
  import: boolean;
  /** A pair of partners that somebody was invited to. */
  party: string | null;
  rules: Variant | null;
  /** What is kept of whom. */
  privacy: boolean;
}

export function routeOf(path: string): Route {
  const table = /^\/t\/([a-z0-9]+)(?:\/([0-3]))?\/?$/.exec(path) ?? /^\/r\/([a-z0-9]+)\/?$/.exec(path);
  const party = /^\/p\/([a-z0-9]+)\/?$/.exec(path);
  const rules = /^\/rules\/(tandem|fog)\/?$/.exec(path);
  return {
    table: table?.[1] ?? null,
    seat: table?.[2] === undefined ? null : Number(table[2]),
    replay: /^\/r\/./.test(path),
    import: /^\/r\/?$/.test(path),
    party: party?.[1] ?? null,
    rules: (rules?.[1] as Variant | undefined) ?? null,
    privacy: /^\/privacy\/?$/.test(path),
  };
}
