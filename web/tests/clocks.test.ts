import { expect, test } from 'vitest';
import { clockText, remainingAt } from '../src/state/clocks';

const reading = { at_ms: 4_100, remaining_ms: [177_500, 178_400, 500, 180_000], running: [true, false, true, false], age_ms: 40 };

test('a running clock goes on from the reading and its age, the others stand', () => {
  expect(remainingAt(reading, 0, 1_000, 1_500)).toBe(177_500 - 40 - 500);
  expect(remainingAt(reading, 1, 1_000, 60_000)).toBe(178_400);
});

test('a clock never shows less than nothing', () => {
  expect(remainingAt(reading, 2, 1_000, 60_000)).toBe(0);
});

test('tenths are shown under 20 seconds, always cut and never rounded up', () => {
  expect(clockText(180_000)).toBe('3:00');
  expect(clockText(3_600_000)).toBe('60:00');
  expect(clockText(20_000)).toBe('0:20');
  expect(clockText(19_999)).toBe('0:19.9');
  expect(clockText(9_050)).toBe('0:09.0');
  expect(clockText(0)).toBe('0:00.0');
});
