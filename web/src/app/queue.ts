import type { Kept } from '../connection/keeping';
import type { Command, QuickPlay } from '../protocol/commands';
import type { OkFrame, QueueFrame } from '../protocol/frames';
import type { Profile } from '../protocol/terms';

/** How the waiting for a table goes. */
export interface Waiting extends Omit<QueueFrame, 't'> {
  /** Local instant at which it was told. */
  at_ms: number;
}

/** What is asked for again after a reload or on a new connection, so that the place in the queue is kept. */
type Asked = Omit<QuickPlay, 't'> | { party: string; name?: string };

interface Surroundings {
  /** Asks the server, and tells the player what it refuses; `reason` names that. */
  ask(command: Command): Promise<OkFrame | { t: 'refused'; reason: string }>;
  change(waiting: Waiting | null): void;
  notice(reason: string): void;
  /** Kept for this tab only. */
  tab: Kept;
  now_ms(): number;
}

const KEY = 'tandemfog.waiting';
/** After these the next connection asks again. */
const TRIED_AGAIN = ['connection_lost', 'busy', 'unavailable', 'draining', 'too_fast'];
const withName = (name: string): { name?: string } => (name === '' ? {} : { name });

/** Quick play: waiting for a table, alone or as a pair. */
export class Queue {
  constructor(private readonly around: Surroundings) {}

  async play(command: Omit<QuickPlay, 't' | 'name'>, name: string): Promise<void> {
    await this.want({ ...command, ...withName(name) });
  }

  /** Makes a pair whose other half is still to come; its id. */
  async createParty(profile: Profile, name: string): Promise<string | null> {
    const ok = await this.around.ask({ t: 'create_party', profile, ...withName(name) });
    if (ok.t !== 'ok' || ok.party === undefined) return null;
    this.keep({ party: ok.party, ...withName(name) });
    return ok.party;
  }

  /** True when one is in the pair now. */
  joinParty(party: string, name: string): Promise<boolean> {
    return this.want({ party, ...withName(name) });
  }

  /** The pair waits for a table from now on. */
  async playTogether(waiting: Waiting): Promise<void> {
    const { variant, profile, party } = waiting;
    await this.around.ask({ t: 'quick_play', variant, ...(profile === null ? {} : { profile }), ...(party === null ? {} : { party }) });
  }

  async takeBots(): Promise<void> {
    await this.around.ask({ t: 'quick_play_bots' });
  }

  async leave(): Promise<void> {
    await this.around.ask({ t: 'leave_queue' });
    this.end();
  }

  /** On a new connection: whoever was waiting goes on waiting. */
  async again(): Promise<void> {
    const asked = this.around.tab.getItem(KEY);
    if (asked !== null) await this.want(JSON.parse(asked) as Asked);
  }

  receive({ t: _t, ...told }: QueueFrame): void {
    if (told.state !== 'over') {
      this.around.change({ ...told, at_ms: this.around.now_ms() });
      return;
    }
    this.end();
    if (told.reason !== 'left') this.around.notice(told.reason);
  }

  /** Nothing is waited for any more. */
  end(): void {
    this.around.tab.removeItem(KEY);
    this.around.change(null);
  }

  private keep(asked: Asked): void {
    this.around.tab.setItem(KEY, JSON.stringify(asked));
  }

  private async want(asked: Asked): Promise<boolean> {
    this.keep(asked);
    const ok = await this.around.ask('variant' in asked ? { t: 'quick_play', ...asked } : { t: 'join_party', ...asked });
    if (ok.t === 'refused' && !TRIED_AGAIN.includes(ok.reason)) this.end();
    return ok.t === 'ok';
  }
}
