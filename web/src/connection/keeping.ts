/** The part of a browser's storage that the page uses. */
export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * A storage that never throws. A browser may refuse to keep anything, or be full: then what is kept stays here as long as
 * the page does, and the match goes on.
 */
export class Keeping implements Kept {
  /** What the storage would not take, or not let go of (null). */
  private readonly refused = new Map<string, string | null>();

  /** `storage` is asked for each time: naming it is refused already. */
  constructor(private readonly storage: () => Kept) {}

  getItem(key: string): string | null {
    const here = this.refused.get(key);
    if (here !== undefined) return here;
    try {
      return this.storage().getItem(key);
    } catch {
      return null;
    }
  }

  setItem(key: string, value: string): void {
    this.write(key, value, storage => storage.setItem(key, value));
  }

  removeItem(key: string): void {
    this.write(key, null, storage => storage.removeItem(key));
  }

  private write(key: string, value: string | null, change: (storage: Kept) => void): void {
    try {
      change(this.storage());
      this.refused.delete(key);
    } catch {
      this.refused.set(key, value);
    }
  }
}

/** What this browser remembers. */
export const kept = new Keeping(() => localStorage);

/** What this tab alone remembers. */
export const keptInTab = new Keeping(() => sessionStorage);
