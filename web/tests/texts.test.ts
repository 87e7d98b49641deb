import { afterEach, expect, test } from 'vitest';
import outcomes from '../../libs/rules/outcome.py?raw';
import refusals from '../../libs/runtime/refusals.py?raw';
import { lengthOf } from '../src/privacy/length';
import { PRIVACY } from '../src/privacy/text';
import { fa as faRules } from '../src/rules/text/fa';
import { de } from '../src/text/de';
import { en } from '../src/text/en';
import { fa } from '../src/text/fa';
import { firstLanguage } from '../src/text/languages';
import { nb } from '../src/text/nb';
import { problemText } from '../src/text/problem';
import { digits, speak, t, type TextKey, type Texts } from '../src/text/text';
import { clockTime, gameText, timeText } from '../src/view/words';

const languages: Record<string, Texts> = { en, nb, de, fa };
const withPrefix = (prefix: string): string[] =>
  Object.keys(en).flatMap(key => (key.startsWith(prefix) ? [key.slice(prefix.length)] : [])).sort();
const found = (source: string, pattern: RegExp): string[] => [...source.matchAll(pattern)].map(match => match[1] ?? '').sort();
const holes = (text: string): string[] => found(text, /\{(\w+)\}/g);

afterEach(() => speak('en'));

test('every refusal of the services has its words, and no other has', () => {
  expect(withPrefix('refusal_')).toEqual(found(refusals, /^ {4}"(\w+)": \(/gm));
});

test('every way in which a match ends has its words', () => {
  const reasons = found(outcomes, /^[A-Z_]+: Final = "(\w+)"$/gm);
  expect(reasons.length).toBeGreaterThan(10);
  expect(withPrefix('reason_')).toEqual(expect.arrayContaining(reasons));
});

test('each language says everything, with the same parts filled in', () => {
  for (const [name, texts] of Object.entries(languages)) {
    for (const key of Object.keys(en) as TextKey[]) {
      expect(texts[key], `${name}: ${key}`).not.toBe('');
      expect(holes(texts[key]), `${name}: ${key}`).toEqual(holes(en[key]));
    }
  }
});

test('no Persian text holds European digits, except inside moves', () => {
  const said = (texts: unknown): string[] => (typeof texts === 'string' ? [texts] : Object.values(texts as object).flatMap(said));
  const wrong = [fa, faRules, PRIVACY.fa].flatMap(said).filter(text => /\d/.test(text.replace(/[a-h][1-8]|[KQRBNP]@?[a-h]?[1-8]/g, '')));
  expect(wrong).toEqual([]);
});

test('the first language is the one chosen before, else the first of the browser that the page has', () => {
  expect(firstLanguage('fa', ['de'])).toBe('fa');
  expect(firstLanguage(null, ['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(firstLanguage(null, ['nn-NO'])).toBe('nb');
  expect(firstLanguage('xx', ['ja'])).toBe('en');
  expect(firstLanguage('toString', [])).toBe('en');
});

test('numbers are written in the digits of the language, names keep their own direction', async () => {
  await speak('fa');
  expect(timeText({ initial_ms: 180_000, increment_ms: 0 })).toBe('۳ دقیقه');
  expect(t('status_turn', { name: 'Bot 1' })).toBe('نوبت \u2068Bot 1\u2069 است.');
  expect(digits('3:00')).toBe('۳:۰۰');
  expect(gameText({ variant: 'tandem', profile: 'club', time: { initial_ms: 180_000, increment_ms: 2_000 } })).not.toMatch(/\d/);
  expect(lengthOf(7 * 86_400_000, 'fa')).not.toMatch(/[0-9]/);
  expect(clockTime(0)).not.toMatch(/[0-9]/);
  expect(problemText({ reason: 'bad_fen', detail: '', where: 'tag FEN, board A: rank 3', stops: true })).not.toMatch(/[0-9]/);
  await speak('de');
  expect(t('team', { team: 2 })).toBe('Team 2');
  expect(digits('3:00')).toBe('3:00');
});
