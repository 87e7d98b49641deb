import { en } from './en';
import { LANGUAGES, type Language } from './languages';

export type { Language };

export type TextKey = keyof typeof en;
/** What every language must have: a text for each key, with the same `{name}` parts. */
export type Texts = Record<TextKey, string>;

export const isTextKey = (key: string): key is TextKey => Object.hasOwn(en, key);

const OTHERS: Record<Exclude<Language, 'en'>, () => Promise<Texts>> = {
  nb: async () => (await import('./nb')).nb,
  de: async () => (await import('./de')).de,
  fa: async () => (await import('./fa')).fa,
};

let spoken: { language: Language; texts: Texts } = { language: 'en', texts: en };

export const language = (): Language => spoken.language;

/** Loads a language; from then on the page's texts are in it. The caller draws the page again. */
export async function speak(wanted: Language): Promise<void> {
  spoken = { language: wanted, texts: wanted === 'en' ? en : await OTHERS[wanted]() };
}

/** A number, or a text of numbers as a clock shows, in the language's own digits. Moves, squares and names keep theirs. */
export const digits = (value: number | string): string =>
  spoken.language === 'fa' ? String(value).replace(/\d/g, digit => '۰۱۲۳۴۵۶۷۸۹'.charAt(Number(digit))) : String(value);

/** The text of a key, with `{name}` parts filled in. */
export function t(key: TextKey, parts: Record<string, string | number> = {}): string {
  return spoken.texts[key].replace(/\{(\w+)\}/g, (_whole, name: string) => written(parts[name] ?? ''));
}

/** A name keeps its own direction inside a sentence that runs the other way. */
function written(part: string | number): string {
  return typeof part === 'number' ? digits(part) : isolated(part);
}

const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Somebody's words for inside a sentence: kept apart, once, wherever the one could turn the other round. */
export function isolated(words: string): string {
  const plain = LANGUAGES[spoken.language].direction === 'ltr' && !FROM_RIGHT.test(words);
  return plain || words === '' || words.startsWith('\u2068') ? words : `\u2068${words}\u2069`;
}
