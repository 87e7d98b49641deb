import type { Kept } from '../connection/keeping';

/** The languages of the page. A name is written in its own language, so that everybody finds theirs. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  nb: { name: 'Norsk', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fa: { name: 'فارسی', direction: 'rtl' },
} as const;

export type Language = keyof typeof LANGUAGES;

const KEY = 'tandemfog.language';

export const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

/** The language to begin with: the one chosen before, else the first of the browser's that the page has. */
export function firstLanguage(chosen: string | null, wanted: readonly string[]): Language {
  if (chosen !== null && isLanguage(chosen)) return chosen;
  const codes = wanted.map(tag => tag.toLowerCase().split('-')[0] ?? '');
  return codes.map(code => (code === 'no' || code === 'nn' ? 'nb' : code)).find(isLanguage) ?? 'en';
}

export const readLanguage = (storage: Kept): string | null => storage.getItem(KEY);
export const keepLanguage = (storage: Kept, language: Language): void => storage.setItem(KEY, language);
