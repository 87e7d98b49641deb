import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Session } from '../src/app/session';
import type { FullFrame } from '../src/protocol/frames';
import { fogFull, tableFrame } from './examples';
import { FakeSocket, memory } from './page';

const TABLE = fogFull().table;
const SEATS = [{ seat: 0, token: 't1.white' }, { seat: 1, token: 't1.black' }];
const RESULT_SHOWN_MS = 1_200;

class Server extends FakeSocket {
  override ok(t: string, part: object = {}): Promise<void> { return super.ok(t, { table: TABLE, ...part }); }
  /** What a spectator sees, or a seat. */
  show(you: number | null, ply: number, part: Partial<FullFrame> = {}): void {
    const { legal, boards, ...rest } = fogFull();
    const turn = ply % 2 === 0 ? 'white' as const : 'black' as const;
    const board = { ...boards.A!, turn, ply, ...(you === null ? { pieces: '?'.repeat(64) } : {}) };
    this.push({ ...rest, you, boards: { A: board }, legal: you === null ? null : legal, ...part });
  }
  fall(): void { this.push({ t: 'error', id: null, reason: 'curtain_down', detail: 'The curtain is down.' }); }
}

let servers: Server[];
let visited: string[];
let told: string[];
let storage: Storage;
const server = (): Server => servers.at(-1)!;
function page(): Session {
  return new Session({
    socket: () => { const made = new Server(); servers.push(made); return made; },
    storage, tab: storage, now_ms: () => 5_000, date_ms: () => 1_000, id: 'page', navigate: path => { visited.push(path); }, tellLifted: table => { told.push(table); },
  });
}

/** A page before the curtain, the match begun. */
async function behind(): Promise<Session> {
  const session = page();
  session.visit(TABLE);
  server().open();
  await server().ok('join', { seats: SEATS });
  server().push({ ...tableFrame(), table: TABLE, state: 'started', curtain: true });
  server().show(null, 0);
  return session;
}

async function lifted(): Promise<Session> {
  const session = await behind();
  void session.lift(0, 0);
  await server().ok('lift', { seat: 0, token: 't1.white' });
  server().show(0, 0);
  return session;
}

beforeEach(() => { vi.useFakeTimers(); servers = []; visited = []; told = []; storage = memory(); });
afterEach(() => vi.useRealTimers());

test('a table for two is made with both names, and both seats are kept', async () => {
  const session = page();
  server().open();
  await vi.advanceTimersByTimeAsync(0);
  void session.createForTwo(['Kari', 'Ola'], undefined);
  expect(server().last('create_table')).toMatchObject({ variant: 'fog', public: false, curtain: true, names: ['Kari', 'Ola'] });
  await server().ok('create_table', { seats: SEATS });
  expect(visited).toEqual([`/t/${TABLE}`]);
  session.visit(TABLE);
  // What is joined is neither side, whatever this device holds.
  expect(server().last('join')).toMatchObject({ table: TABLE, seat: null });
  expect(server().last('join')).not.toHaveProperty('token');
});

test('F-curtain: the side to move is asked for by its own seat and the move that it answers', async () => {
  const session = await behind();
  expect(session.state).toMatchObject({ both: true, seat: null });
  void session.lift(1, 7);
  expect(server().last('lift')).toMatchObject({ seat: 1, ply: 7, token: 't1.black' });
});

test('F-curtain: what came of the move is seen for a moment, then nothing of that side is held any more', async () => {
  const session = await lifted();
  session.own.make('A', 0, 'b1a3');
  await server().ok('move', { version: 9 });
  server().show(0, 1);
  server().fall();
  await vi.advanceTimersByTimeAsync(RESULT_SHOWN_MS - 1);
  expect(session.state.table?.match?.you).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(session.state.table?.match).toBeNull();
  expect(session.state).toMatchObject({ seat: null, pending: null, premove: null, notice: null });
  expect(JSON.stringify(session.state)).not.toContain('RNBQKBNR');
  expect(server().last('join')).toMatchObject({ seat: null });
  expect(server().last('join')).not.toHaveProperty('version');
});

test('F-curtain: a refusal without a view to look at drops at once', async () => {
  const session = await lifted();
  server().close();
  await vi.advanceTimersByTimeAsync(1_000);
  server().open();
  expect(server().last('join')).toMatchObject({ seat: 0, token: 't1.white', version: 3 });
  await server().ok('join', { seat: 0, token: 't1.white' });
  server().fall();
  await vi.advanceTimersByTimeAsync(RESULT_SHOWN_MS);
  expect(session.state.seat).toBeNull();
  const joins = server().sent.filter(command => command.t === 'join').length;
  server().fall();
  await vi.advanceTimersByTimeAsync(0);
  expect(server().sent.filter(command => command.t === 'join').length).toBe(joins + 1);
});

test('F-curtain: a lift is told to the other tabs before it is asked for, and one heard of there drops all that is held of a side', async () => {
  const session = await behind();
  void session.lift(0, 0);
  expect(told).toEqual([TABLE]);
  await server().ok('lift', { seat: 0, token: 't1.white' });
  server().show(0, 0);
  session.liftedElsewhere('another');
  expect(session.state.table?.match?.you).toBe(0);
  session.liftedElsewhere(TABLE);
  expect(session.state.table?.match).toBeNull();
  expect(session.state).toMatchObject({ seat: null, both: true });
  expect(JSON.stringify(session.state)).not.toContain('RNBQKBNR');
  expect(server().last('join')).toMatchObject({ seat: null });
});

test('F-curtain: a side that was lifted over another connection is dropped here, and not after the end', async () => {
  const session = await lifted();
  server().push({ t: 'moved', table: TABLE });
  expect(session.state.table?.match).toBeNull();
  expect(session.state.seat).toBeNull();
  const over = await lifted();
  server().show(0, 1, { version: 9, result: { winner: 1, reason: 'resignation' } });
  server().push({ t: 'moved', table: TABLE });
  over.liftedElsewhere(TABLE);
  expect(over.state.table?.match?.result).not.toBeNull();
});

test('F-curtain: no move is kept for the next turn', async () => {
  const session = await lifted();
  session.own.plan({ board: 'A', uci: 'e2e4' });
  expect(session.state.premove).toBeNull();
});

test('F-curtain: whoever opens another table meanwhile keeps that one', async () => {
  const session = await lifted();
  server().fall();
  session.visit(null);
  await vi.advanceTimersByTimeAsync(RESULT_SHOWN_MS);
  expect(session.state.table).toBeNull();
});

test('after the end a page that was loaded anew takes a seat, to ask for a rematch', async () => {
  const session = await behind();
  server().show(null, 2, { result: { winner: 1, reason: 'resignation' } });
  expect(server().last('join')).toMatchObject({ seat: 0, token: 't1.white' });
  await server().ok('join', { seat: 0, token: 't1.white' });
  server().show(0, 2, { result: { winner: 1, reason: 'resignation' } });
  expect(session.state).toMatchObject({ seat: 0, both: true });
  const next = `${TABLE.slice(0, -1)}z`;
  server().push({ ...tableFrame(), table: TABLE, version: 9, state: 'started', curtain: true, rematch: { agreed: [0, 1], rotate: [], next_table: next, expires_in_ms: 0 } });
  expect(visited).toEqual([`/t/${next}`]);
  session.visit(next);
  void session.lift(0, 0);
  expect(server().last('lift')).toMatchObject({ seat: 0, token: 't1.black' });
});
