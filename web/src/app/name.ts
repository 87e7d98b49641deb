const KEY = 'tandemfog.name';

/** A server takes names of 1 to 20 visible characters; an empty name asks it to make one up. */
export const LONGEST_NAME = 20;

export const readName = (storage: Storage): string => storage.getItem(KEY) ?? '';
export const keepName = (storage: Storage, name: string): void => storage.setItem(KEY, name);
