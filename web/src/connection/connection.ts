import type { Command } from '../protocol/commands';
import type { OkFrame, PushedFrame, ServerFrame } from '../protocol/frames';

/** A command was answered by an error frame, or its answer was lost (`connection_lost`). */
export class Refused extends Error {
  constructor(readonly reason: string, detail: string) {
    super(detail);
  }
}

/** The part of a WebSocket that a connection uses. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close'>;

export interface ConnectionEvents {
  /** Opened, for the first time or again: the place to join the table again. Awaited before lost commands are repeated. */
  opened(): Promise<void>;
  lost(): void;
  pushed(frame: PushedFrame): void;
  /** An error that answers no command. */
  unasked(error: Refused): void;
}

interface Waiting {
  text: string;
  command: Command;
  resolve: (frame: OkFrame) => void;
  reject: (error: Refused) => void;
}

/** Commands that are safe to repeat with the same id on the next connection: their seat remembers the answer. */
const REPEATED = new Set<Command['t']>([
  'move', 'say', 'resign', 'offer_draw', 'accept_draw', 'decline_draw', 'abort', 'rematch',
]);
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
const PING_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 8_000;

/** One websocket that comes back by itself; commands are answered by promises. */
export class Connection {
  private socket: Socket | null = null;
  private ready = false;
  private attempts = 0;
  private counter = 0;
  private readonly waiting = new Map<string, Waiting>();
  private pingTimer: ReturnType<typeof setInterval> | undefined;

  /** `prefix` makes request ids unique among all connections of a seat. */
  constructor(
    private readonly open: () => Socket,
    private readonly prefix: string,
    private readonly events: ConnectionEvents,
  ) {}

  start(): void {
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => void this.opened(socket);
    socket.onmessage = event => this.received(String(event.data));
    socket.onclose = () => this.closed(socket);
  }

  /** Sends a command; before the connection stands it waits, unless `now` says it may go at once. */
  command(command: Command, now = false): Promise<OkFrame> {
    this.counter += 1;
    const id = `${this.prefix}-${this.counter}`;
    const text = JSON.stringify({ ...command, id });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { text, command, resolve, reject });
      if (this.ready || now) this.socket?.send(text);
    });
  }

  private async opened(socket: Socket): Promise<void> {
    this.pingTimer = setInterval(() => this.ping(socket), PING_EVERY_MS);
    try {
      await this.events.opened();
    } catch {
      // Refused or lost again: the owner of the events has been told by the answer itself.
    }
    if (this.socket !== socket) return;
    this.attempts = 0;
    this.ready = true;
    for (const { text, command } of [...this.waiting.values()]) {
      if (command.t !== 'join' && command.t !== 'ping') socket.send(text);
    }
  }

  private received(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    if (frame.t !== 'ok' && frame.t !== 'error') {
      this.events.pushed(frame);
      return;
    }
    if (frame.t === 'error' && frame.id === null) {
      this.events.unasked(new Refused(frame.reason, frame.detail));
      return;
    }
    const id = frame.id ?? '';
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    this.waiting.delete(id);
    if (frame.t === 'ok') waiting.resolve(frame);
    else waiting.reject(new Refused(frame.reason, frame.detail));
  }

  private closed(socket: Socket): void {
    if (this.socket !== socket) return;
    this.socket = null;
    this.ready = false;
    clearInterval(this.pingTimer);
    for (const [id, { command, reject }] of [...this.waiting]) {
      if (REPEATED.has(command.t)) continue;
      this.waiting.delete(id);
      reject(new Refused('connection_lost', ''));
    }
    this.events.lost();
    setTimeout(() => this.start(), retryDelay(this.attempts, Math.random()));
    this.attempts += 1;
  }

  /** A network that swallows everything is noticed by an answer that does not come. */
  private ping(socket: Socket): void {
    const late = setTimeout(() => {
      socket.close();
      this.closed(socket);
    }, ANSWER_WITHIN_MS);
    this.command({ t: 'ping' }, true).then(() => clearTimeout(late), () => clearTimeout(late));
  }
}

/** Milliseconds before the next attempt: doubling, at most 5 s, with up to half of it taken off by chance (`dice` 0 to 1). */
export function retryDelay(attempts: number, dice: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** attempts, LONGEST_DELAY_MS) * (1 - dice / 2);
}
