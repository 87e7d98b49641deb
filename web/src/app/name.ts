import type { Kept } from '../connection/keeping';

const KEY = 'tandemfog.name';

/** A server takes names of 1 to 20 visible characters; an empty name asks it to make one up. */
export const LONGEST_NAME = 20;

export const readName = (storage: Kept): string => storage.getItem(KEY) ?? '';
export const keepName = (storage: Kept, name: string): void => storage.setItem(KEY, name);
