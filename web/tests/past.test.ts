import { expect, test } from 'vitest';
import { stepPly, withBoards, type Past } from '../src/state/past';
import { emptyTable, receive } from '../src/state/table';
import type { Board } from '../src/protocol/frames';
import { fogFull, moveDelta, tandemFull } from './examples';

const board = (ply: number, pieces = ''): Board => ({ pieces, promoted: [], hands: null, fen: null, turn: 'white', ply, state: null, last: [] });
const plies = (past: Past): number[] => (past.A ?? []).map(({ ply }) => ply);

test('every board that came is kept under its number of moves; a later one of the same number replaces it', () => {
  const past = [board(0), board(1), board(1, 'x'), board(2)].reduce<Past>((known, next) => withBoards(known, { A: next }), {});
  expect(plies(past)).toEqual([0, 1, 2]);
  expect(past.A?.[1]?.pieces).toBe('x');
  // After a failover the match may be shorter: what is no longer so is forgotten.
  expect(plies(withBoards(past, { A: board(1) }))).toEqual([0, 1]);
});

test('one steps over what never came, and not beyond the ends', () => {
  const boards = [board(4), board(5), board(8)];
  expect([stepPly(boards, 8, -1), stepPly(boards, 5, -1), stepPly(boards, 4, -1)]).toEqual([5, 4, null]);
  expect([stepPly(boards, 4, 1), stepPly(boards, 5, 1), stepPly(boards, 8, 1)]).toEqual([5, 8, null]);
});

test('frames of a match are kept as they come, both boards apart', () => {
  const state = receive(receive(emptyTable(tandemFull().table), tandemFull(), 0), moveDelta(), 1);
  expect(plies(state.past)).toEqual([1, 2]);
  expect(state.past.B?.map(({ ply }) => ply)).toEqual([0]);
});

test('F-secret: what another seat saw on this page is not kept', () => {
  const joined = receive(emptyTable(fogFull().table), fogFull(), 0);
  const other = { ...fogFull(), you: 1, boards: { A: board(3, '?') } };
  expect(receive(joined, other, 1).past.A).toEqual([board(3, '?')]);
});
