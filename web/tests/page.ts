/** A page's session with everything around it in the hands of the test. */
import { vi } from 'vitest';
import { Session } from '../src/app/session';
import type { Socket } from '../src/connection/connection';
import type { Kept } from '../src/connection/keeping';
import { tandemFull } from './examples';

export const TABLE = tandemFull().table;

/** The server's end: it answers when it is told to. */
export class FakeSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  readonly sent: { t: string; id: string; [field: string]: unknown }[] = [];
  send(text: string): void { this.sent.push(JSON.parse(text) as FakeSocket['sent'][number]); }
  close(): void { this.drop(); }
  drop(): void { this.onclose?.call(this as unknown as WebSocket, {} as CloseEvent); }
  open(): void { this.onopen?.call(this as unknown as WebSocket, {} as Event); }
  push(frame: object): void { this.onmessage?.call(this as unknown as WebSocket, { data: JSON.stringify(frame) } as MessageEvent); }
  last(t: string) { return this.sent.findLast(command => command.t === t); }
  ok(t: string, part: object = {}): Promise<void> { return this.answer({ t: 'ok', id: this.last(t)?.id, ...part }); }
  refuse(t: string, reason: string): Promise<void> { return this.answer({ t: 'error', id: this.last(t)?.id, reason, detail: `${reason}, in words.` }); }
  private async answer(frame: object): Promise<void> { this.push(frame); await vi.advanceTimersByTimeAsync(0); }
}

export function memory(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: key => items.get(key) ?? null,
    setItem: (key, value) => { items.set(key, value); },
    removeItem: key => { items.delete(key); },
    clear: () => items.clear(),
    key: () => null,
    length: 0,
  };
}

/** What is around the page; a page that is loaded anew finds it as it was left. */
export const browser = { sockets: [] as FakeSocket[], visited: [] as string[], storage: memory() as Kept, tab: memory() as Kept };
export const socket = (): FakeSocket => browser.sockets.at(-1)!;

export function begin(): void {
  vi.useFakeTimers();
  Object.assign(browser, { sockets: [], visited: [], storage: memory(), tab: memory() });
}

export function page(): Session {
  const { storage, tab } = browser;
  return new Session({
    socket: () => { const made = new FakeSocket(); browser.sockets.push(made); return made; },
    storage, tab, now_ms: () => 5_000, date_ms: () => 1_000, id: 'page', navigate: path => { browser.visited.push(path); }, tellLifted: () => undefined,
  });
}

/** A page at a table whose match has begun, White on board A on move. */
export async function seated(): Promise<Session> {
  const session = page();
  session.visit(TABLE);
  socket().open();
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.first' });
  socket().push({ ...tandemFull(), boards: { ...tandemFull().boards, A: { ...tandemFull().boards.A!, ply: 0, turn: 'white' } }, legal: { ply: 0, from: { e2: ['e4'] }, drops: { pieces: [], pawns: [] } } });
  return session;
}

/** The page loaded anew in the same tab. */
export async function reloaded(part: object): Promise<Session> {
  socket().drop();
  const session = page();
  session.visit(TABLE);
  socket().open();
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.second' });
  socket().push({ ...tandemFull(), ...part });
  return session;
}
