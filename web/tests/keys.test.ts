import { expect, test } from 'vitest';
import { keyName } from '../src/view/keys';
import { stepSquare } from '../src/view/cursor';
import { heardMove, spokenSan, spokenSquare } from '../src/view/spoken';
import { fogFull, tandemFull } from './examples';

test('arrow keys go over the board as it is seen, and stop at its edge', () => {
  expect(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].map(key => stepSquare('e2', key, 'white'))).toEqual(['e3', 'e1', 'd2', 'f2']);
  expect(['ArrowUp', 'ArrowLeft'].map(key => stepSquare('e2', key, 'black'))).toEqual(['e1', 'f2']);
  expect([stepSquare('a8', 'ArrowUp', 'white'), stepSquare('a8', 'ArrowLeft', 'white'), stepSquare('e2', 'x', 'white')]).toEqual(['a8', 'a8', null]);
});

test('keys are named by their letter, digits and other scripts by their place', () => {
  expect(keyName({ key: 'G', code: 'KeyF', shiftKey: true })).toBe('g');
  expect(keyName({ key: 'ب', code: 'KeyF', shiftKey: false })).toBe('f');
  expect(keyName({ key: '"', code: 'Digit2', shiftKey: true })).toBe('shift+2');
  expect(keyName({ key: ' ', code: 'Space', shiftKey: false })).toBe('space');
});

test('moves are said in words', () => {
  expect(['e4', 'Nf3', 'Nbd2', 'exd5', 'Qxf7#', 'N@f3+', 'O-O-O', 'a8=Q'].map(spokenSan)).toEqual([
    'pawn e4', 'knight f3', 'knight b d2', 'pawn e takes d5', 'queen takes f7, checkmate',
    'knight dropped on f3, check', 'castles long', 'pawn a8, becomes a queen',
  ]);
});

test('F-moves: of a hidden move only that it was made is said, and where my piece fell', () => {
  const full = fogFull();
  const hidden = full.moves[1]!;
  expect(heardMove(full, hidden)).toBe('Ola made a move.');
  expect(heardMove(full, { ...hidden, mark: 'e4' })).toBe('Ola made a move. Your piece on e4 was captured.');
  expect(heardMove(full, full.moves[0]!)).toBe('Kari: pawn e4');
  expect(heardMove(tandemFull(), tandemFull().moves[0]!)).toBe('Kari on A: pawn e4');
});

test('F-see: a square in the fog is said to be fog, whatever may stand there', () => {
  const { pieces } = fogFull().boards.A!;
  expect(spokenSquare(pieces, 'e8')).toBe('e8: fog');
  expect(spokenSquare(pieces, 'e4')).toBe('e4: White pawn');
  expect(spokenSquare(pieces, 'e3')).toBe('e3: empty');
});
