/** The seats that this browser holds: tokens by table, kept as long as a token is valid. */
import type { OkFrame } from '../protocol/frames';
import type { Kept } from './keeping';

interface HeldSeat {
  token: string;
  /** The tokens of both sides, where this device holds them with a curtain between. */
  both?: [string, string];
  /** Its match goes on, as far as this browser knows. */
  running?: boolean;
  saved_ms: number;
}

const KEY = 'tandemfog.seats';
const KEPT_MS = 8 * 24 * 3_600_000;

export class HeldSeats {
  constructor(private readonly storage: Kept, private readonly date_ms: () => number) {}

  at(table: string): HeldSeat | undefined {
    return this.all()[table];
  }

  /** Keeps what an answer or a `seated` frame gives. Where both sides are held, one of them anew changes nothing. */
  keep(table: string, { token, seats }: Pick<OkFrame, 'token' | 'seats'>): void {
    const [white, black] = seats ?? [];
    if (white !== undefined && black !== undefined) this.keepBoth(table, [white.token, black.token]);
    else if (token !== undefined && this.at(table)?.both === undefined) this.put(table, { token });
  }

  /** In the rematch of two on one device each old token proves the seat of the other colour. */
  swap(table: string, next: string): void {
    const both = this.at(table)?.both;
    if (both !== undefined) this.keepBoth(next, [both[1], both[0]]);
  }

  /** Notes of a table, if a seat of it is held, whether its match goes on. */
  note(table: string, running: boolean): void {
    const held = this.at(table);
    if (held !== undefined && held.running !== running) this.put(table, { ...held, running });
  }

  /** The table, other than the one given, whose match goes on; of several the one that was come to last. */
  running(except: string | null): string | null {
    const running = Object.entries(this.all()).filter(([table, held]) => held.running === true && table !== except);
    return running.sort(([, one], [, other]) => other.saved_ms - one.saved_ms)[0]?.[0] ?? null;
  }

  forget(table: string): void {
    const { [table]: _gone, ...rest } = this.all();
    this.storage.setItem(KEY, JSON.stringify(rest));
  }

  private keepBoth(table: string, both: [string, string]): void {
    this.put(table, { token: both[0], both });
  }

  private put(table: string, held: Omit<HeldSeat, 'saved_ms'>): void {
    const all = this.all();
    this.storage.setItem(KEY, JSON.stringify({ ...all, [table]: { ...all[table], ...held, saved_ms: this.date_ms() } }));
  }

  private all(): Record<string, HeldSeat> {
    let all: Record<string, HeldSeat>;
    try {
      all = JSON.parse(this.storage.getItem(KEY) ?? '{}') as Record<string, HeldSeat>;
    } catch {
      return {};
    }
    const now_ms = this.date_ms();
    return Object.fromEntries(Object.entries(all).filter(([, held]) => now_ms - held.saved_ms < KEPT_MS));
  }
}
