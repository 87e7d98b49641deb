import { expect, test } from 'vitest';
import { moveRow } from '../src/state/moves';
import { handLess, stillPending } from '../src/state/pending';
import { asksForPromotion, checkedColour, countHand, fallenSquare, foggedSquares, handOf } from '../src/state/position';
import { partnerOf, perspective, placeOf, seatAt, teamOf, teamSeats } from '../src/state/seating';
import type { Move } from '../src/protocol/frames';
import { fogFull, moveDelta, tandemFull } from './examples';
import { emptyTable, receive } from '../src/state/table';

const board = (part: object) => ({ ...tandemFull().boards.A!, ...part });
const move = (part: Partial<Move>): Move => ({ board: 'A', ply: 1, san: null, uci: null, mark: null, at_ms: 0, remaining_ms: null, ...part });

test('F-see: fogged squares are those the server hides, and no others', () => {
  const { pieces } = fogFull().boards.A!;
  expect(foggedSquares(pieces)).toContain('e5');
  expect(foggedSquares(pieces)).not.toContain('e3');
  expect(foggedSquares(pieces)).toHaveLength(36);
  expect(foggedSquares(tandemFull().boards.A!.pieces)).toEqual([]);
});

test('F-moves: the square where my piece fell is marked until the opponent moves again', () => {
  const mine = move({ san: 'e4', uci: 'e2e4' });
  expect(fallenSquare([mine, move({ mark: 'e4' })])).toBe('e4');
  expect(fallenSquare([mine, move({ mark: 'e4' }), mine])).toBe('e4');
  expect(fallenSquare([mine, move({ mark: 'e4' }), mine, move({})])).toBeNull();
  expect(fallenSquare([])).toBeNull();
});

test('F-nocheck: a fogged board shows no check', () => {
  expect(checkedColour(board({ state: null }), 'A', [])).toBeNull();
});

test('T-wait: a waiting side is marked as in check only when the last move on its board gave check', () => {
  const waiting = board({ state: 'waiting', turn: 'black' });
  expect(checkedColour(waiting, 'A', [move({ san: 'Qh5+' }), move({ board: 'B', san: 'e4' })])).toBe('black');
  expect(checkedColour(waiting, 'A', [move({ san: 'Kg6' }), move({ board: 'B', san: 'Qe7+' })])).toBeNull();
  expect(checkedColour(board({ state: 'mate', turn: 'black' }), 'A', [])).toBe('black');
});

test('a hand is told by kinds for both colours; the server writes Black’s in small letters', () => {
  const held = board({ hands: ['QP', 'npp'] });
  expect([handOf(held, 'white'), handOf(held, 'black')]).toEqual(['QP', 'NPP']);
  expect(countHand(handOf(held, 'black'))).toEqual({ Q: 0, R: 0, B: 0, N: 1, P: 2 });
});

test('a hand is counted by kind', () => {
  expect(countHand('QNNPPP')).toEqual({ Q: 1, R: 0, B: 0, N: 2, P: 3 });
});

test('only a pawn that reaches its last rank asks for a piece', () => {
  const pieces = `....k...P${'.'.repeat(54)}K`;
  expect(asksForPromotion(pieces, 'a7', 'a8')).toBe(true);
  expect(asksForPromotion(pieces, 'h1', 'h2')).toBe(false);
  expect(asksForPromotion(`${'.'.repeat(48)}p...............K...`, 'a2', 'b1')).toBe(true);
});

test('T-seats: who plays with whom, and where', () => {
  expect(placeOf(3)).toEqual({ board: 'B', colour: 'black' });
  expect([seatAt('A', 'white'), seatAt('A', 'black'), seatAt('B', 'white'), seatAt('B', 'black')]).toEqual([0, 1, 2, 3]);
  expect(teamSeats('tandem', 1)).toEqual([0, 3]);
  expect(teamSeats('tandem', 2)).toEqual([1, 2]);
  expect(teamOf('fog', 1)).toBe(2);
  expect([0, 1, 2, 3].map(partnerOf)).toEqual([3, 2, 1, 0]);
});

test('the own team sits at the bottom of both boards, own board first', () => {
  expect(perspective('tandem', 2)).toEqual([{ board: 'B', bottom: 'white' }, { board: 'A', bottom: 'black' }]);
  expect(perspective('tandem', null)).toEqual([{ board: 'A', bottom: 'white' }, { board: 'B', bottom: 'black' }]);
  expect(perspective('fog', 1)).toEqual([{ board: 'A', bottom: 'black' }]);
});

test('F14: the move list tells of hidden moves only that they were made', () => {
  const rows = fogFull().moves.map(moveRow);
  expect(rows.map(row => [row.number, row.san])).toEqual([['1.', 'e4'], ['1…', null]]);
});

test('a pending move ends when the board has moved on or the match is over', () => {
  const state = receive(emptyTable(tandemFull().table), tandemFull(), 0);
  const pending = { board: 'A' as const, ply: 1, uci: 'e7e5', sent: true };
  expect(stillPending(pending, state.match)).toBe(pending);
  expect(stillPending(pending, receive(state, moveDelta(), 0).match)).toBeNull();
  expect(stillPending(pending, { ...state.match!, result: { winner: 2, reason: 'time' } })).toBeNull();
});

test('a piece being dropped has left the hand', () => {
  expect(handLess('QNNP', { board: 'A', ply: 1, uci: 'N@f3', sent: false })).toBe('QNP');
  expect(handLess('QNNP', { board: 'A', ply: 1, uci: 'e2e4', sent: false })).toBe('QNNP');
});
