/** The seats that this browser holds: tokens by table, kept as long as a token is valid. */
import type { SeatNumber } from '../protocol/terms';

export interface HeldSeat {
  seat: SeatNumber;
  token: string;
  /** The tokens of both sides, where this device holds them with a curtain between. */
  both?: [string, string];
  saved_ms: number;
}

const KEY = 'tandemfog.seats';
const KEPT_MS = 8 * 24 * 3_600_000;

export function readHeldSeats(storage: Storage, now_ms: number): Record<string, HeldSeat> {
  let all: Record<string, HeldSeat>;
  try {
    all = JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, HeldSeat>;
  } catch {
    return {};
  }
  return Object.fromEntries(Object.entries(all).filter(([, held]) => now_ms - held.saved_ms < KEPT_MS));
}

export function keepSeat(storage: Storage, table: string, held: HeldSeat): void {
  storage.setItem(KEY, JSON.stringify({ ...readHeldSeats(storage, held.saved_ms), [table]: held }));
}

export function forgetSeat(storage: Storage, table: string, now_ms: number): void {
  const { [table]: _gone, ...rest } = readHeldSeats(storage, now_ms);
  storage.setItem(KEY, JSON.stringify(rest));
}
