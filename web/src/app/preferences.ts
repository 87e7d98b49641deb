import type { Kept } from '../connection/keeping';

/** How a table sounds and listens, remembered on this device. */
export interface Preferences {
  sound: boolean;
  /** The partner's quick messages are spoken, where the browser can. */
  voice: boolean;
  /** Single keys say quick messages and do small things. */
  keys: boolean;
}

const KEY = 'tandemfog.table';
const USUAL: Preferences = { sound: true, voice: false, keys: true };

export function readPreferences(storage: Kept): Preferences {
  try {
    return { ...USUAL, ...JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<Preferences> };
  } catch {
    return USUAL;
  }
}

export const keepPreferences = (storage: Kept, preferences: Preferences): void =>
  storage.setItem(KEY, JSON.stringify(preferences));
