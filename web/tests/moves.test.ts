import { expect, test } from 'vitest';
import type { Board, MatchView } from '../src/protocol/frames';
import { newMoves } from '../src/state/heard';
import { withMovesMade } from '../src/state/moves';
import { fogFull } from './examples';

const watched = (ply: number): MatchView => {
  const { t: _t, ...view } = fogFull();
  const board: Board = { ...view.boards.A!, ply };
  return { ...view, you: null, moves: [], boards: { A: board } };
};

test('F-spectators: a fog match lists as many moves as were made, and nothing of them', () => {
  const { moves } = withMovesMade(watched(3));
  expect(moves.map(({ ply, san, uci, mark, remaining_ms }) => [ply, san, uci, mark, remaining_ms])).toEqual([1, 2, 3].map(ply => [ply, null, null, null, null]));
});

test('a row that was there before is the same row, and the next move is heard as new', () => {
  const [before, after] = [withMovesMade(watched(2)), withMovesMade(watched(3))];
  expect(after.moves[1]).toBe(before.moves[1]);
  expect(newMoves(before, after)).toEqual([after.moves[2]]);
});

test('what a player or anybody after the end is sent stays as it came', () => {
  const { t: _t, ...played } = fogFull();
  const over: MatchView = { ...watched(3), result: { winner: 1, reason: 'king_captured' } };
  expect([withMovesMade(played), withMovesMade(over)]).toEqual([played, over]);
});
