import type { Clocks } from '../protocol/frames';

const TENTHS_BELOW_MS = 20_000;

/** What a seat's clock shows at the local instant `now_ms`, given a reading that came at `received_ms`. Never below 0. */
export function remainingAt(clocks: Clocks, seat: number, received_ms: number, now_ms: number): number {
  const reading = clocks.remaining_ms[seat] ?? 0;
  if (clocks.running[seat] !== true) return Math.max(0, reading);
  return Math.max(0, reading - clocks.age_ms - Math.max(0, now_ms - received_ms));
}

/** `3:00`, under 20 s with tenths `0:19.9`. Cut, not rounded: 0:00.0 is only shown when less than a tenth is left. */
export function clockText(remaining_ms: number): string {
  const seconds = Math.floor(remaining_ms / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return remaining_ms < TENTHS_BELOW_MS ? `${text}.${Math.floor((remaining_ms % 1000) / 100)}` : text;
}
