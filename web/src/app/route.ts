import type { SeatNumber, Variant } from '../protocol/terms';

/** Which page a path names: the lobby where all of it is empty. */
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
  /** The rules of a game, or of which one is to be chosen. */
  rules: Variant | 'choice' | null;
  /** What is kept of whom. */
  privacy: boolean;
  /** The path leads nowhere. */
  unknown: boolean;
}

export function routeOf(path: string): Route {
  const table = /^\/t\/([a-z0-9]+)(?:\/([0-3]))?\/?$/.exec(path) ?? /^\/r\/([a-z0-9]+)\/?$/.exec(path);
  const party = /^\/p\/([a-z0-9]+)\/?$/.exec(path);
  const rules = /^\/rules(?:\/(tandem|fog))?\/?$/.exec(path);
  const route: Omit<Route, 'unknown'> = {
    table: table?.[1] ?? null,
    seat: table?.[2] === undefined ? null : Number(table[2]),
    replay: table !== null && path.startsWith('/r/'),
    import: /^\/r\/?$/.test(path),
    party: party?.[1] ?? null,
    rules: rules === null ? null : (rules[1] as Variant | undefined) ?? 'choice',
    privacy: /^\/privacy\/?$/.test(path),
  };
  const lobby = /^\/(index\.html)?$/.test(path);
  return { ...route, unknown: !lobby && Object.values(route).every(part => part === null || part === false) };
}
