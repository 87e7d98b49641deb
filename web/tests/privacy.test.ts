import { describe, expect, it } from 'vitest';
import { lengthOf } from '../src/privacy/length';
import { PRIVACY } from '../src/privacy/text';

describe('the privacy page', () => {
  it('says how long in the largest unit that fits, in the language’s own digits, and never too little', () => {
    expect(lengthOf(7 * 86_400_000, 'en')).toBe('7 days');
    expect(lengthOf(86_400_000 - 1, 'en')).toBe('24 hours');
    expect(lengthOf(47 * 3_600_000, 'en')).toBe('47 hours');
    expect(lengthOf(60 * 3_600_000, 'en')).toBe('3 days');
    expect(lengthOf(3_600_000, 'de')).toBe('1 Stunde');
    expect(lengthOf(90_000, 'nb')).toBe('90 sekunder');
    expect(lengthOf(365 * 86_400_000, 'fa')).toContain('۳۶۵');
    expect(lengthOf(10, 'en')).toBe('1 second');
  });

  it('leaves room for the time wherever a time belongs, in every language', () => {
    for (const text of Object.values(PRIVACY)) {
      for (const words of [text.after_end, text.then_nameless, text.after_report]) expect(words).toContain('{time}');
    }
  });
});
