import type { SeatNumber } from '../protocol/terms';

/** Which page a path names: the lobby, or a table with the seat of an invite link. */
export interface Route {
  table: string | null;
  seat: SeatNumber | null;
}

export function routeOf(path: string): Route {
  const found = /^\/t\/([a-z0-9]+)(?:\/([0-3]))?\/?$/.exec(path);
  return { table: found?.[1] ?? null, seat: found?.[2] === undefined ? null : Number(found[2]) };
}
