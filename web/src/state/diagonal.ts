/** The diagonal clock: a player's time against that of the player who sits diagonally, the partner's opponent. */
import type { Clocks } from '../protocol/frames';
import type { SeatNumber } from '../protocol/terms';
import { remainingAt } from './clocks';

/** The partner's opponent: the same colour on the other board. */
export const diagonalOf = (seat: SeatNumber): SeatNumber => (seat + 2) % 4;

/** How many milliseconds a seat has more than its diagonal; negative when it has less. */
export function diagonalAt(clocks: Clocks, seat: SeatNumber, received_ms: number, now_ms: number): number {
  return remainingAt(clocks, seat, received_ms, now_ms) - remainingAt(clocks, diagonalOf(seat), received_ms, now_ms);
}

/** `+0:07` or `−1:12`, cut to seconds; `±0:00` for less than one. */
export function diagonalText(difference_ms: number): string {
  const seconds = Math.floor(Math.abs(difference_ms) / 1000);
  const sign = seconds === 0 ? '±' : difference_ms > 0 ? '+' : '−';
  return `${sign}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
