import type { Language } from '../text/languages';

const UNITS = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1_000]] as const;

/** A length of time in words, never shorter than it is: in the largest unit that it is a whole number of, else of which it is at least two. */
export function lengthOf(length_ms: number, language: Language): string {
  const [unit, size_ms] = UNITS.find(([, each_ms]) => length_ms >= each_ms && (length_ms % each_ms === 0 || length_ms >= 2 * each_ms)) ?? UNITS[3];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(length_ms / size_ms));
}
