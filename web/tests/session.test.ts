import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { routeOf } from '../src/app/route';
import { retryDelay } from '../src/connection/connection';
import { moveDelta, tableFrame, tandemFull } from './examples';
import { begin, browser, page, reloaded, seated, socket, TABLE } from './page';

beforeEach(begin);
afterEach(() => vi.useRealTimers());

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
  expect(browser.visited).toEqual([`/t/${TABLE}`]);
  session.visit(TABLE);
  expect(socket().last('join')).toMatchObject({ table: TABLE, token: 't1.first' });
});

test('after a lost connection the page comes back to its seat from the version last seen', async () => {
  const session = await seated();
  socket().drop();
  expect(session.state.connection).toBe('lost');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(browser.sockets).toHaveLength(2);
  socket().open();
  expect(socket().last('join')).toMatchObject({ token: 't1.first', version: 3, epoch: 0 });
  await socket().ok('join', { table: TABLE, seat: 0, token: 't1.second' });
  expect(session.state).toMatchObject({ connection: 'open', seat: 0 });
});

test('T14: a move whose answer was lost is sent again with the same id, after joining', async () => {
  const session = await seated();
  session.own.make('A', 0, 'e2e4');
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

test('a partner is muted once the server has agreed, and in every window that it tells so', async () => {
  const session = await seated();
  const refused = session.mute(TABLE, true);
  await socket().refuse('mute', 'unavailable');
  await refused;
  expect(session.state.table?.match?.muted).toBe(false);
  const done = session.mute(TABLE, true);
  await socket().ok('mute');
  await done;
  expect(session.state.table?.match?.muted).toBe(true);
  socket().push({ ...tandemFull(), version: 9 });
  expect(session.state.table?.match?.muted).toBe(false);
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
  expect(browser.visited).toEqual([]);
  await socket().ok('leave');
  expect(socket().sent.filter(({ t }) => t === 'join')).toHaveLength(joined + 1);
  expect(socket().last('join')).toMatchObject({ table: TABLE });
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
  expect(browser.visited).toEqual([]);
  socket().push({ ...frame, version: 5, rematch: { ...frame.rematch, next_table: '07next' } });
  expect(browser.visited).toEqual(['/t/07next']);
  expect(session.state.table?.id).toBe(TABLE);
});

test('B-rematch: who was loading the page when it was made follows, too; who came back from there does not', async () => {
  const frame = { ...tableFrame(), table: TABLE, state: 'started' as const };
  const made = { ...frame, version: 5, rematch: { ...frame.rematch, next_table: '07next' } };
  for (const [way, expected] of [['table first', 1], ['answer first', 1], ['back again', 0]] as const) {
    browser.visited = [];
    const session = page();
    session.visit(TABLE);
    socket().open();
    if (way === 'table first') socket().push(made);
    await socket().ok('join', { table: TABLE, seat: 0, token: 't1.first' });
    if (way !== 'table first') socket().push(made);
    expect(browser.visited, way).toEqual(Array(expected).fill('/t/07next'));
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
  expect(browser.visited).toEqual([]);
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
  expect(browser.visited).toEqual([`/t/${TABLE}`]);
  expect(browser.tab.getItem('tandemfog.waiting')).toBeNull();
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

test('from when a connection is known to be lost, nothing is known of the clocks, until it stands again', async () => {
  const session = await seated();
  expect(session.state.lost_ms).toBeNull();
  socket().drop();
  expect(session.state).toMatchObject({ connection: 'lost', lost_ms: 5_000 });
  await vi.advanceTimersByTimeAsync(300);
  socket().open();
  await socket().ok('join', { table: TABLE, seat: 0 });
  expect(session.state).toMatchObject({ connection: 'open', lost_ms: null });
});
