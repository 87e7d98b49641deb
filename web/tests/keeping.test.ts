import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Keeping } from '../src/connection/keeping';
import { begin, browser, memory, page, seated, socket, TABLE } from './page';

beforeEach(begin);
afterEach(() => vi.useRealTimers());

const refuses = (): never => { throw new DOMException('', 'SecurityError'); };
const full = (): Storage => Object.assign(memory(), { setItem: refuses, removeItem: refuses });

test('what the browser will not keep stays as long as the page does', () => {
  for (const keeping of [new Keeping(refuses), new Keeping(full)]) {
    expect(keeping.getItem('name')).toBeNull();
    keeping.setItem('name', 'Kari');
    expect(keeping.getItem('name')).toBe('Kari');
    keeping.removeItem('name');
    expect(keeping.getItem('name')).toBeNull();
  }
});

test('what is kept at last, or elsewhere, is what counts', () => {
  const storage = memory();
  let room = false;
  const keeping = new Keeping(() => (room ? storage : refuses()));
  keeping.setItem('name', 'Kari');
  room = true;
  keeping.setItem('name', 'Ola');
  expect([keeping.getItem('name'), storage.getItem('name')]).toEqual(['Ola', 'Ola']);
  storage.setItem('name', 'Per');
  expect(keeping.getItem('name')).toBe('Per');
});

test('a seat is gone to and held where nothing can be stored', async () => {
  Object.assign(browser, { storage: new Keeping(full), tab: new Keeping(refuses) });
  const session = page();
  socket().open();
  await vi.advanceTimersByTimeAsync(0);
  void session.playNow({ variant: 'tandem', level: 3, seat: 0 });
  await socket().ok('play_now', { table: TABLE, seat: 0, token: 't1.first' });
  expect(browser.visited).toEqual([`/t/${TABLE}`]);
  session.visit(TABLE);
  expect(socket().last('join')).toMatchObject({ token: 't1.first' });
  const other = await seated();
  other.own.plan({ board: 'A', uci: 'g1f3' });
  expect(other.state.premove).toEqual({ board: 'A', uci: 'g1f3' });
});
