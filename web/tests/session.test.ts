import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Session } from '../src/app/session';
import { routeOf } from '../src/app/route';
import { retryDelay, type Socket } from '../src/connection/connection';
import { moveDelta, tableFrame, tandemFull } from './examples';

const TABLE = tandemFull().table;

class FakeSocket implements Socket {
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

function memory(): Storage {
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

let sockets: FakeSocket[];
let visited: string[];
let storage: Storage;
let tab: Storage;
const socket = (): FakeSocket => sockets.at(-1)!;

function page(): Session {
  return new Session({
    socket: () => { const made = new FakeSocket(); sockets.push(made); return made; },
    storage, tab, now_ms: () => 5_000, date_ms: () => 1_000, id: 'page', navigate: path => { visited.push(path); }, tellLifted: () => undefined,
  });
}

async function seated(): Promise<Session> {
  const session = page();
  session.visit(TABLE);
  socket().open();
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.first' });
  socket().push({ ...tandemFull(), boards: { ...tandemFull().boards, A: { ...tandemFull().boards.A!, ply: 0, turn: 'white' } }, legal: { ply: 0, from: { e2: ['e4'] }, drops: { pieces: [], pawns: [] } } });
  return session;
}

test('a restart that is announced is known until it is taken back or the connection is lost', async () => {
  const session = await seated();
  const before = session.state.table;
  socket().push({ t: 'announcement', what: 'restart', in_ms: 60_000 });
  expect(session.state.restart_ms).toBe(61_000);
  socket().push({ t: 'announcement', what: '', in_ms: 0 });
  expect(session.state.restart_ms).toBeNull();
  socket().push({ t: 'announcement', what: 'restart', in_ms: 60_000 });
  expect(session.state.table).toBe(before);
  socket().drop();
  expect(session.state.restart_ms).toBeNull();
});

beforeEach(() => { vi.useFakeTimers(); sockets = []; visited = []; storage = memory(); tab = memory(); });
afterEach(() => vi.useRealTimers());

test('what was refused is said until another command of its kind is taken, and no other notice goes with it', async () => {
  const session = await seated();
  const say = (text: string): void => void session.act({ t: 'say', text });
  say('\u202e');
  await socket().refuse('say', 'bad_text');
  const notice = session.state.notice;
  expect(notice).toContain('hidden character');
  void session.act({ t: 'offer_draw' });
  await socket().ok('offer_draw');
  expect(session.state.notice).toBe(notice);
  say('hello');
  await socket().ok('say');
  expect(session.state.notice).toBeNull();

  say('\u202e');
  await socket().refuse('say', 'bad_text');
  session.notify('something else');
  say('hello');
  await socket().ok('say');
  expect(session.state.notice).toBe('something else');
});

test('"Play now" keeps the token and goes to the table', async () => {
  const session = page();
  socket().open();
  await vi.advanceTimersByTimeAsync(0);
  const done = session.playNow({ variant: 'tandem' });
  await socket().ok('play_now', { table: TABLE, seat: 0, token: 't1.first' });
  await done;
  expect(visited).toEqual([`/t/${TABLE}`]);
  session.visit(TABLE);
  expect(socket().last('join')).toMatchObject({ table: TABLE, token: 't1.first' });
});

test('after a lost connection the page comes back to its seat from the version last seen', async () => {
  const session = await seated();
  socket().drop();
  expect(session.state.connection).toBe('lost');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets).toHaveLength(2);
  socket().open();
  expect(socket().last('join')).toMatchObject({ token: 't1.first', version: 3, epoch: 0 });
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.second' });
  expect(session.state).toMatchObject({ connection: 'open', seat: 0 });
});

test('T14: a move whose answer was lost is sent again with the same id, after joining', async () => {
  const session = await seated();
  session.move('A', 0, 'e2e4');
  const id = socket().last('move')?.id;
  socket().drop();
  await vi.advanceTimersByTimeAsync(1_000);
  socket().open();
  expect(socket().last('move')).toBeUndefined();
  await socket().ok('join', { table: TABLE, seat: 0 });
  expect(socket().last('move')).toMatchObject({ id, ply: 0, uci: 'e2e4' });
  expect(session.state.pending?.uci).toBe('e2e4');
});

test('R08: a seat that moved to another device is said, and taken back by joining without a version', async () => {
  const session = await seated();
  socket().push({ t: 'moved', table: TABLE });
  expect(session.state.table?.moved).toBe(true);
  void session.playHere();
  expect(socket().last('join')).not.toHaveProperty('version');
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.third' });
  expect(session.state.table?.moved).toBe(false);
});

test('R08: who was moved away and comes back over a new connection only reads, until the seat is taken back', async () => {
  const session = await seated();
  socket().push({ t: 'moved', table: TABLE });
  socket().drop();
  await vi.advanceTimersByTimeAsync(1_000);
  socket().open();
  expect(socket().last('join')).toMatchObject({ reader: true });
  await socket().ok('join', { table: TABLE, seat: 0 });
  void session.playHere();
  expect(socket().last('join')).not.toHaveProperty('reader');
});

test('a muted partner stays muted in this tab over a reload, and only once the server has agreed', async () => {
  const session = await seated();
  const refused = session.mute(TABLE, true);
  await socket().refuse('mute', 'unavailable');
  await refused;
  expect(session.isMuted(TABLE)).toBe(false);
  const done = session.mute(TABLE, true);
  await socket().ok('mute');
  await done;
  expect(page().isMuted(TABLE)).toBe(true);
  expect(page().isMuted('another')).toBe(false);
});

test('R01: a gap in the versions asks for a full view, once', async () => {
  const session = await seated();
  const joins = () => socket().sent.filter(command => command.t === 'join').length;
  socket().push({ ...moveDelta(), version: 7 });
  socket().push({ ...moveDelta(), version: 8 });
  expect(joins()).toBe(2);
  socket().push({ ...tandemFull(), version: 8 });
  expect(session.state.table?.gap).toBe(false);
});

test('B-refuse: a refused move is taken off the board and said in words', async () => {
  const session = await seated();
  session.move('A', 0, 'e2e5');
  await socket().refuse('move', 'illegal_move');
  expect(session.state).toMatchObject({ pending: null, notice: 'That move is not possible.' });
});

const turn = (part: object) => ({
  ...moveDelta(), boards: { A: { ...moveDelta().boards!.A!, turn: 'white', ply: 2 } },
  legal: { ply: 2, from: { g1: ['f3'] }, drops: { pieces: ['f3'], pawns: [] } }, ...part,
});

test('F12: a premove leaves the page only when its turn has come, and then as an ordinary move', async () => {
  const session = await seated();
  session.move('A', 0, 'e2e4');
  const sent = socket().sent.length;
  session.setPremove({ board: 'A', uci: 'g1f3' });
  expect(socket().sent).toHaveLength(sent);
  await socket().ok('move', { version: 4 });
  socket().push({ ...moveDelta(), boards: { A: { ...moveDelta().boards!.A!, turn: 'black', ply: 1 } }, legal: { ply: 1, from: {}, drops: { pieces: [], pawns: [] } } });
  expect(session.state).toMatchObject({ pending: null, premove: { uci: 'g1f3' } });
  expect(socket().sent.filter(command => command.t === 'move')).toHaveLength(1);
  socket().push(turn({ version: 5 }));
  expect(socket().last('move')).toMatchObject({ board: 'A', ply: 2, uci: 'g1f3' });
  expect(session.state.premove).toBeNull();
});

test('F12: an impossible premove is cleared on the turn without a word', async () => {
  const session = await seated();
  session.setPremove({ board: 'A', uci: 'g1e2' });
  socket().push(turn({}));
  expect(session.state).toMatchObject({ premove: null, pending: null, notice: null });
});

test('F12: a whole new view of the same turn keeps a premove, of a later one drops it and says so', async () => {
  const session = await seated();
  const view = session.state.table!.match!;
  session.move('A', 0, 'e2e4');
  await socket().ok('move', { version: 4 });
  const theirs = { ...view, t: 'full', version: 5, boards: { ...view.boards, A: { ...view.boards.A!, turn: 'black' as const, ply: 1 } }, legal: null };
  socket().push(theirs);
  session.setPremove({ board: 'A', uci: 'g1f3' });
  socket().push({ ...theirs, version: 6 });
  expect(session.state).toMatchObject({ premove: { uci: 'g1f3' }, notice: null });
  socket().push({ ...theirs, version: 9, boards: { ...view.boards, A: { ...view.boards.A!, turn: 'black' as const, ply: 3 } } });
  expect(session.state.premove).toBeNull();
  expect(session.state.notice).toContain('g1f3');
});

/** The page loaded anew in the same tab. */
async function reloaded(part: object): Promise<Session> {
  socket().drop();
  const session = page();
  session.visit(TABLE);
  socket().open();
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.second' });
  socket().push({ ...tandemFull(), ...part });
  return session;
}

const onA = (turn: 'white' | 'black', ply: number) => ({ boards: { ...tandemFull().boards, A: { ...tandemFull().boards.A!, turn, ply } } });
const legal = (ply: number) => ({ legal: { ply, from: { g1: ['f3'] }, drops: { pieces: [], pawns: [] } } });

/** A premove for the turn after the opponent's next move, with one under way or without. */
async function premoving(ply: number): Promise<void> {
  const session = await seated();
  socket().push({ ...tandemFull(), ...onA('black', ply), legal: null, version: 8 });
  session.setPremove({ board: 'A', uci: 'g1f3' });
}

test('a premove outlives a reload of its tab, and is played when its turn comes or has come meanwhile', async () => {
  await premoving(1);
  const before = await reloaded({ ...onA('black', 1), legal: null });
  expect(before.state).toMatchObject({ premove: { board: 'A', uci: 'g1f3' }, pending: null });
  const after = await reloaded({ ...onA('white', 2), ...legal(2) });
  expect(socket().last('move')).toMatchObject({ ply: 2, uci: 'g1f3' });
  expect(after.state.premove).toBeNull();
  const later = await reloaded({ ...onA('black', 3), legal: null });
  expect(later.state).toMatchObject({ premove: null, notice: null });
});

test('a premove that was meant for another turn is dropped by a reload in words, and never comes back', async () => {
  await premoving(1);
  const late = await reloaded({ ...onA('white', 4), ...legal(4) });
  expect(late.state).toMatchObject({ premove: null, pending: null });
  expect(late.state.notice).toContain('g1f3');
  const again = await reloaded({ ...onA('black', 1), legal: null });
  expect(again.state).toMatchObject({ premove: null, notice: null });
});

test('a premove is another seat’s, another table’s or a finished match’s never', async () => {
  await premoving(1);
  expect((await reloaded({ ...onA('black', 1), legal: null, you: 2 })).state.premove).toBeNull();
  await premoving(1);
  const over = await reloaded({ ...onA('black', 1), legal: null, result: { winner: 1, reason: 'time' } });
  expect(over.state).toMatchObject({ premove: null, notice: null });
});

test('a premove that was cancelled, or whose seat went to another device, does not come back', async () => {
  await premoving(1);
  socket().push({ t: 'moved', table: TABLE });
  expect((await reloaded({ ...onA('black', 1), legal: null })).state.premove).toBeNull();
  const session = await reloaded({ ...onA('black', 1), legal: null });
  session.setPremove({ board: 'A', uci: 'g1f3' });
  session.setPremove(null);
  expect((await reloaded({ ...onA('black', 1), legal: null })).state.premove).toBeNull();
});

test('a match of one’s own that goes on is known in the lobby, until it is over', async () => {
  const session = await seated();
  expect(session.state.running).toBeNull();
  session.visit(null);
  expect(session.state.running).toBe(TABLE);
  expect(page().state.running).toBe(TABLE);
  socket().drop();
  const here = await reloaded({ version: 4 });
  here.visit(null);
  socket().push({ ...moveDelta(), version: 5, result: { winner: 1, reason: 'resignation' } });
  expect(here.state.running).toBeNull();
  expect(page().state.running).toBeNull();
});

test('who comes to a match of their own waits for no other table, and is not pulled out of it by one', async () => {
  const session = await seated();
  void session.queue.play({ variant: 'fog' }, 'Kari');
  await socket().ok('quick_play');
  socket().push({ t: 'queue', state: 'waiting', variant: 'fog', profile: null, party: null, members: [], waited_ms: 0, waiting: 1, bots_offered: false, reason: '' });
  socket().push({ ...tandemFull(), version: 9 });
  expect(socket().last('leave_queue')).toBeDefined();
  await socket().ok('leave_queue');
  expect(session.state.waiting).toBeNull();
  expect(session.state.notice).not.toBeNull();
  const joined = socket().sent.filter(({ t }) => t === 'join').length;
  socket().push({ t: 'seated', table: '07other', seat: 1, token: 'token' });
  expect(visited).toEqual([]);
  await socket().ok('leave');
  expect(socket().sent.filter(({ t }) => t === 'join')).toHaveLength(joined + 1);
  expect(socket().last('join')).toMatchObject({ table: TABLE });
});

test('a refused move takes the premove behind it along', async () => {
  const session = await seated();
  session.move('A', 0, 'e2e5');
  session.setPremove({ board: 'A', uci: 'g1f3' });
  await socket().refuse('move', 'illegal_move');
  expect(session.state).toMatchObject({ pending: null, premove: null });
});

test('T-club-confirm: in the club a move is sent only when the clock is pressed, and may be taken back', async () => {
  const session = await seated();
  socket().push({ ...session.state.table!.match!, t: 'full', profile: 'club' });
  session.move('A', 0, 'e2e4');
  expect(socket().last('move')).toBeUndefined();
  session.takeBack();
  expect(session.state.pending).toBeNull();
  session.move('A', 0, 'd2d4');
  void session.pressClock();
  expect(socket().last('move')).toMatchObject({ uci: 'd2d4' });
  session.takeBack();
  expect(session.state.pending?.uci).toBe('d2d4');
});

test('a token that proves no seat any more is forgotten', async () => {
  const session = await seated();
  socket().drop();
  await vi.advanceTimersByTimeAsync(1_000);
  socket().open();
  await socket().ok('join', { table: TABLE });
  expect(session.state).toMatchObject({ seat: null, connection: 'open' });
  socket().drop();
  await vi.advanceTimersByTimeAsync(1_000);
  socket().open();
  expect(socket().last('join')?.token).toBeUndefined();
});

test('a match that cannot be shown any more is a failure of the page', async () => {
  const session = await seated();
  socket().push({ t: 'error', id: null, reason: 'unknown_match', detail: 'There is no such match.' });
  expect(session.state.failure?.reason).toBe('unknown_match');
});

test('an unknown table is a failure of the page, a busy server is asked again', async () => {
  const session = page();
  session.visit(TABLE);
  socket().open();
  await socket().refuse('join', 'busy');
  expect(session.state.failure).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  await socket().refuse('join', 'unknown_table');
  expect(session.state.failure?.reason).toBe('unknown_table');
});

test('B-rematch: seated players follow to the next table, once it is there', async () => {
  const session = await seated();
  const frame = { ...tableFrame(), table: TABLE, state: 'started' as const };
  socket().push(frame);
  expect(visited).toEqual([]);
  socket().push({ ...frame, version: 5, rematch: { ...frame.rematch, next_table: '07next' } });
  expect(visited).toEqual(['/t/07next']);
  expect(session.state.table?.id).toBe(TABLE);
});

test('B-rematch: who was loading the page when it was made follows, too; who came back from there does not', async () => {
  const frame = { ...tableFrame(), table: TABLE, state: 'started' as const };
  const made = { ...frame, version: 5, rematch: { ...frame.rematch, next_table: '07next' } };
  for (const [way, expected] of [['table first', 1], ['answer first', 1], ['back again', 0]] as const) {
    visited = [];
    const session = page();
    session.visit(TABLE);
    socket().open();
    if (way === 'table first') socket().push(made);
    await socket().ok('join', { table: TABLE, seat: 0, token: 't1.first' });
    if (way !== 'table first') socket().push(made);
    expect(visited, way).toEqual(Array(expected).fill('/t/07next'));
    if (way !== 'answer first') continue;
    session.visit('07next');
    await socket().ok('join', { table: '07next', seat: 1, token: 't1.next' });
  }
});

test('B-rematch: who goes away from a finished match ends the offer there', async () => {
  const session = await seated();
  const over = { ...tandemFull(), version: 99, result: { winner: 1, reason: 'resignation' } };
  socket().push(over);
  const frame = { ...tableFrame(), table: TABLE, state: 'started' as const };
  socket().push({ ...frame, version: 6, rematch: { ...frame.rematch, agreed: [0] } });
  session.visit(null);
  expect(socket().last('leave')).toBeDefined();
});

test('B-rematch: a spectator is not taken along', async () => {
  const session = page();
  session.visit(TABLE);
  socket().open();
  const frame = { ...tableFrame(), table: TABLE, state: 'started' as const };
  socket().push({ ...frame, version: 5, rematch: { ...frame.rematch, next_table: '07next' } });
  await socket().ok('join', { table: TABLE });
  expect(visited).toEqual([]);
});

test('T-leave: who leaves a match that runs has lost it and keeps the seat, for a rematch; before the start it is given back', async () => {
  const session = await seated();
  const leaving = session.leave();
  await socket().ok('leave');
  await leaving;
  expect(session.state.seat).toBe(0);
  const other = page();
  other.visit(TABLE);
  socket().open();
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.first' });
  socket().push({ ...tableFrame(), table: TABLE });
  const giving = other.leave();
  await socket().ok('leave');
  await giving;
  expect(other.state.seat).toBeNull();
});

test('R06: a silent network is noticed by an answer that does not come', async () => {
  const session = await seated();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(socket().last('ping')).toBeDefined();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(session.state.connection).toBe('lost');
});

test('attempts to connect come slower, at most every five seconds, and not all pages at once', () => {
  expect(retryDelay(0, 0)).toBe(250);
  expect(retryDelay(20, 0)).toBe(5_000);
  expect(retryDelay(20, 1)).toBe(2_500);
});

test('paths name the lobby, a table with the seat of an invite link, a pair and the rules', () => {
  const lobby = routeOf('/');
  expect(lobby).toMatchObject({ table: null, seat: null, party: null, rules: null });
  expect(routeOf(`/t/${TABLE}`)).toEqual({ ...lobby, table: TABLE });
  expect(routeOf(`/t/${TABLE}/2`)).toEqual({ ...lobby, table: TABLE, seat: 2 });
  expect(routeOf(`/p/${TABLE}`)).toEqual({ ...lobby, party: TABLE });
  expect(routeOf('/rules/fog')).toEqual({ ...lobby, rules: 'fog' });
  expect(routeOf('/other')).toEqual({ ...lobby, unknown: true });
});

test('whoever waits for a table asks for the old place on a new connection, and no more once seated', async () => {
  const session = page();
  socket().open();
  await vi.advanceTimersByTimeAsync(0);
  void session.queue.play({ variant: 'fog' }, 'Kari');
  await socket().ok('quick_play');
  socket().drop();
  await vi.advanceTimersByTimeAsync(10_000);
  socket().open();
  await vi.advanceTimersByTimeAsync(0);
  expect(socket().last('quick_play')).toMatchObject({ variant: 'fog', name: 'Kari' });
  await socket().ok('quick_play');
  socket().push({ t: 'seated', table: TABLE, seat: 1, token: 'token' });
  expect(visited).toEqual([`/t/${TABLE}`]);
  expect(tab.getItem('tandemfog.waiting')).toBeNull();
});

test('the list of tables is watched while somebody looks at it, on a new connection too', async () => {
  const session = page();
  session.watchTables(true);
  socket().open();
  await vi.advanceTimersByTimeAsync(0);
  expect(socket().last('watch_list')).toMatchObject({ on: true });
  await socket().ok('watch_list');
  socket().push({ t: 'list', tables: [tableFrame()] });
  expect(session.state.tables.map(({ table }) => table)).toEqual([TABLE]);
  socket().drop();
  await vi.advanceTimersByTimeAsync(10_000);
  socket().open();
  await vi.advanceTimersByTimeAsync(0);
  await socket().refuse('watch_list', 'busy');
  const asked = socket().sent.filter(({ t }) => t === 'watch_list').length;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(socket().sent.filter(({ t }) => t === 'watch_list')).toHaveLength(asked + 1);
  session.watchTables(false);
  expect(socket().last('watch_list')).toMatchObject({ on: false });
  socket().push({ t: 'list', tables: [tableFrame()] });
  expect(session.state.tables).toEqual([]);
});
