import { en, type TextKey } from './en';

/** The text of a key, with `{name}` parts filled in. */
export function t(key: TextKey, parts: Record<string, string | number> = {}): string {
  return en[key].replace(/\{(\w+)\}/g, (_whole, name: string) => String(parts[name] ?? ''));
}

export type { TextKey };
