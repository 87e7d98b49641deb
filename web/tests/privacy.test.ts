import { describe, expect, it } from 'vitest';
import { lengthOf } from '../src/privacy/length';
import { PRIVACY } from '../src/privacy/text';

describe('the privacy page', () => {
  it('says how long in the largest unit, in the language’s own digits, and never too long', () => {
    expect(lengthOf(7 * 86_400_000, 'en')).toBe('7 days');
    expect(lengthOf(86_400_000 - 1, 'en')).toBe('23 hours');
    expect(lengthOf(3_600_000, 'de')).toBe('1 Stunde');
    expect(lengthOf(90_000, 'nb')).toBe('1 minutt');
    expect(lengthOf(365 * 86_400_000, 'fa')).toContain('۳۶۵');
    expect(lengthOf(10, 'en')).toBe('0 seconds');
  });

  it('leaves room for the time wherever a time belongs, in every language', () => {
    for (const text of Object.values(PRIVACY)) {
      for (const words of [text.after_end, text.then_nameless, text.after_report]) expect(words).toContain('{time}');
    }
  });
});
