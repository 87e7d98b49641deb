import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { moveDelta, tandemFull } from './examples';
import { begin, reloaded, seated, socket, TABLE } from './page';

beforeEach(begin);
afterEach(() => vi.useRealTimers());

test('B-refuse: a refused move is taken off the board and said in words', async () => {
  const session = await seated();
  session.own.make('A', 0, 'e2e5');
  await socket().refuse('move', 'illegal_move');
  expect(session.state).toMatchObject({ pending: null, notice: 'That move is not possible.' });
});

const turn = (part: object) => ({
  ...moveDelta(), boards: { A: { ...moveDelta().boards!.A!, turn: 'white', ply: 2 } },
  legal: { ply: 2, from: { g1: ['f3'] }, drops: { pieces: ['f3'], pawns: [] } }, ...part,
});

test('F12: a premove leaves the page only when its turn has come, and then as an ordinary move', async () => {
  const session = await seated();
  session.own.make('A', 0, 'e2e4');
  const sent = socket().sent.length;
  session.own.plan({ board: 'A', uci: 'g1f3' });
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
  session.own.plan({ board: 'A', uci: 'g1e2' });
  socket().push(turn({}));
  expect(session.state).toMatchObject({ premove: null, pending: null, notice: null });
});

test('U02: a queued drop that has become impossible is taken off with a word', async () => {
  const session = await seated();
  session.own.plan({ board: 'A', uci: 'N@f3' });
  const pieces = '.'.repeat(45) + 'n' + '.'.repeat(18);
  socket().push({ ...turn({ legal: { ply: 2, from: {}, drops: { pieces: ['e3'], pawns: [] } } }), boards: { A: { ...moveDelta().boards!.A!, pieces, turn: 'white', ply: 2 } } });
  expect(session.state).toMatchObject({ premove: null, pending: null });
  expect(session.state.notice).toBe('Your queued drop N@f3 was taken off. A piece can only be dropped on an empty square.');
});

test('F12: a whole new view of the same turn keeps a premove, of a later one drops it and says so', async () => {
  const session = await seated();
  const view = session.state.table!.match!;
  session.own.make('A', 0, 'e2e4');
  await socket().ok('move', { version: 4 });
  const theirs = { ...view, t: 'full', version: 5, boards: { ...view.boards, A: { ...view.boards.A!, turn: 'black' as const, ply: 1 } }, legal: null };
  socket().push(theirs);
  session.own.plan({ board: 'A', uci: 'g1f3' });
  socket().push({ ...theirs, version: 6 });
  expect(session.state).toMatchObject({ premove: { uci: 'g1f3' }, notice: null });
  socket().push({ ...theirs, version: 9, boards: { ...view.boards, A: { ...view.boards.A!, turn: 'black' as const, ply: 3 } } });
  expect(session.state.premove).toBeNull();
  expect(session.state.notice).toContain('g1f3');
});

const onA = (turn: 'white' | 'black', ply: number) => ({ boards: { ...tandemFull().boards, A: { ...tandemFull().boards.A!, turn, ply } } });
const legal = (ply: number) => ({ legal: { ply, from: { g1: ['f3'] }, drops: { pieces: [], pawns: [] } } });

/** A premove for the turn after the opponent's next move, with one under way or without. */
async function premoving(ply: number): Promise<void> {
  const session = await seated();
  socket().push({ ...tandemFull(), ...onA('black', ply), legal: null, version: 8 });
  session.own.plan({ board: 'A', uci: 'g1f3' });
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
  session.own.plan({ board: 'A', uci: 'g1f3' });
  session.own.plan(null);
  expect((await reloaded({ ...onA('black', 1), legal: null })).state.premove).toBeNull();
});

test('a refused move takes the premove behind it along', async () => {
  const session = await seated();
  session.own.make('A', 0, 'e2e5');
  session.own.plan({ board: 'A', uci: 'g1f3' });
  await socket().refuse('move', 'illegal_move');
  expect(session.state).toMatchObject({ pending: null, premove: null });
});

test('T-club-confirm: in the club a move is sent only when the clock is pressed, and may be taken back', async () => {
  const session = await seated();
  socket().push({ ...session.state.table!.match!, t: 'full', profile: 'club' });
  session.own.make('A', 0, 'e2e4');
  expect(socket().last('move')).toBeUndefined();
  session.own.takeBack();
  expect(session.state.pending).toBeNull();
  session.own.make('A', 0, 'd2d4');
  void session.own.pressClock();
  expect(socket().last('move')).toMatchObject({ uci: 'd2d4' });
  session.own.takeBack();
  expect(session.state.pending?.uci).toBe('d2d4');
});

