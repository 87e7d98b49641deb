import { expect, test } from 'vitest';
import { shownPieces } from '../src/state/pending';
import { premoveProblem, resolvePremove } from '../src/state/premove';
import { legalMoves, typedMove, typedPremove } from '../src/state/typed';
import { diagonalAt, diagonalOf, diagonalText } from '../src/state/diagonal';
import { newMoves, soundOf, soundsOf } from '../src/state/heard';
import type { Legal, MatchView, Move } from '../src/protocol/frames';
import { fogFull, moveDelta, tandemFull } from './examples';

const START = 'rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR';

function myTurn(hand: string, legal: Partial<Legal> = {}): MatchView {
  const full = tandemFull();
  full.boards.A = { ...full.boards.A!, turn: 'white', hands: [hand, ''] };
  full.legal = { ply: 1, from: { g1: ['f3', 'h3'] }, drops: { pieces: ['f3', 'e3'], pawns: ['e3'] }, ...legal };
  return full;
}

test('F12: before the turn comes nothing is decided about a premove, possible or not', () => {
  for (const uci of ['g1f3', 'a1a8', 'Q@e5', 'P@e1']) {
    expect(resolvePremove({ board: 'A', uci }, tandemFull())).toBe('stay');
    expect(resolvePremove({ board: 'A', uci }, { ...fogFull(), boards: { A: { ...fogFull().boards.A!, turn: 'black' } } })).toBe('stay');
  }
});

test('on the turn a premove is played when it is legal, else cleared', () => {
  expect(resolvePremove({ board: 'A', uci: 'g1f3' }, myTurn(''))).toBe('play');
  expect(resolvePremove({ board: 'A', uci: 'g1e2' }, myTurn(''))).toBe('clear');
  expect(resolvePremove({ board: 'A', uci: 'a7a8q' }, myTurn('', { from: { a7: ['a8'] } }))).toBe('play');
});

test('U02: a queued drop waits for its piece, is played when it came, and is cleared when its square is taken', () => {
  expect(resolvePremove({ board: 'A', uci: 'N@f3' }, myTurn('P'))).toBe('stay');
  expect(resolvePremove({ board: 'A', uci: 'N@f3' }, myTurn('NP'))).toBe('play');
  expect(resolvePremove({ board: 'A', uci: 'N@f3' }, myTurn('N', { drops: { pieces: ['e3'], pawns: [] } }))).toBe('clear');
  expect(resolvePremove({ board: 'A', uci: 'P@f3' }, myTurn('P'))).toBe('clear');
});

test('the end of the match clears a premove, and so does the loss of the seat', () => {
  const premove = { board: 'A' as const, uci: 'g1f3' };
  expect(resolvePremove(premove, { ...myTurn(''), result: { winner: 1, reason: 'time' } })).toBe('clear');
  expect(resolvePremove(premove, { ...myTurn(''), you: null })).toBe('clear');
});

const typed = (text: string, from: Legal['from'], pieces = START, hand = '') =>
  typedMove(text, legalMoves({ ply: 0, from, drops: { pieces: ['f3'], pawns: ['e4'] } }, pieces, hand), pieces);

test('moves are typed as e4, Nf3, e2e4, e2-e4, nf3', () => {
  const from = { e2: ['e3', 'e4'], g1: ['f3', 'h3'], f1: ['b5'] };
  for (const text of ['e4', 'e2e4', 'e2-e4', 'E4', ' e4! ']) expect(typed(text, from)).toEqual({ uci: 'e2e4' });
  for (const text of ['Nf3', 'nf3', 'Ngf3', 'Ng1f3', 'Nf3+']) expect(typed(text, from)).toEqual({ uci: 'g1f3' });
  expect(typed('Nc3', from)).toEqual({ problem: 'unknown' });
  expect(typed('', from)).toEqual({ problem: 'unknown' });
});

test('two knights to one square must be told apart, a bishop from the b-pawn by its capital', () => {
  expect(typed('Nf3', { g1: ['f3'], h4: ['f3'] }, `${START.slice(0, 39)}N${START.slice(40)}`)).toEqual({ problem: 'ambiguous' });
  const pieces = `${'.'.repeat(41)}P${'.'.repeat(19)}B${'.'.repeat(2)}`;
  const from = { b3: ['c4'], f1: ['c4'] };
  expect(typed('bxc4', from, pieces)).toEqual({ uci: 'b3c4' });
  expect(typed('Bc4', from, pieces)).toEqual({ uci: 'f1c4' });
  expect(typed('bc4', { f1: ['c4'] }, pieces)).toEqual({ uci: 'f1c4' });
});

test('castling, promotion and drops are typed, and only what is legal and in hand is found', () => {
  expect(typed('O-O', { e1: ['f1', 'g1'] })).toEqual({ uci: 'e1g1' });
  expect(typed('0-0-0', { e1: ['d1', 'c1'] })).toEqual({ uci: 'e1c1' });
  const pawn = `........P${'.'.repeat(55)}`;
  expect(typed('a8=N', { a7: ['a8'] }, pawn)).toEqual({ uci: 'a7a8n' });
  expect(typed('a8', { a7: ['a8'] }, pawn)).toEqual({ problem: 'unknown' });
  expect(typed('bxc8q', { b7: ['c8'] }, `.........P${'.'.repeat(54)}`)).toEqual({ uci: 'b7c8q' });
  expect(typed('N@f3', {}, START, 'NP')).toEqual({ uci: 'N@f3' });
  expect(typed('@e4', {}, START, 'NP')).toEqual({ uci: 'P@e4' });
  expect(typed('N@f3', {}, START, 'P')).toEqual({ problem: 'unknown' });
});

test('a premove is typed in the plain form only', () => {
  expect(['e2e4', 'e7e8q', 'n@f3', '@e4', 'Nf3', 'e4'].map(typedPremove)).toEqual(['e2e4', 'e7e8q', 'N@f3', 'P@e4', null, null]);
});

test('F12: a move for the next turn has the shape of a move: of an own piece, not onto what a drop can never come to', () => {
  const problem = (uci: string, colour: 'white' | 'black' = 'white', pieces = START) => premoveProblem(uci, pieces, colour, true);
  expect(['e2e4', 'g1f3', 'a1a8', 'N@e5', 'P@e7', 'Q@e8'].map(uci => problem(uci))).toEqual([null, null, null, null, null, null]);
  expect(['e7e5', 'e4e5', 'e4e5q'].map(uci => problem(uci))).toEqual(['no_piece', 'no_piece', 'no_piece']);
  expect([problem('e7e5', 'black'), problem('e2e4', 'black'), problem('e6e5', 'black', '?'.repeat(64))]).toEqual([null, 'no_piece', 'no_piece']);
  expect([problem('N@e2'), problem('P@e8'), problem('P@e1', 'black'), problem('e2e4q')]).toEqual(['square_occupied', 'pawn_on_last_rank', 'pawn_on_last_rank', 'illegal_move']);
  expect(premoveProblem('N@e5', START, 'white', false)).toBe('not_in_hand');
});

test('a promotion for the next turn names its piece, or says at once that it must', () => {
  const pawn = `........P${'.'.repeat(55)}`;
  expect(['a7b8', 'a7a8', 'a7b8q', 'a7a8n'].map(uci => premoveProblem(uci, pawn, 'white', true))).toEqual(['promotion', 'promotion', null, null]);
});

test('what is chosen for the next turn starts from the move that is under way', () => {
  const sent = { board: 'A' as const, ply: 0, uci: 'e2e4', sent: true };
  const shown = shownPieces(START, sent, 'white');
  expect([premoveProblem('e4e5', shown, 'white', true), premoveProblem('e2e3', shown, 'white', true)]).toEqual([null, 'no_piece']);
  expect(premoveProblem('N@e5', shownPieces(START, { ...sent, uci: 'P@e5' }, 'white'), 'white', true)).toBe('square_occupied');
  expect(premoveProblem('a8a7', shownPieces(`........P${'.'.repeat(55)}`, { ...sent, uci: 'a7a8q' }, 'white'), 'white', true)).toBeNull();
  expect(shownPieces(START, null, 'white')).toBe(START);
});

test('moves are typed with the digits of Persian and Arabic keyboards, too, and with their marks of direction', () => {
  for (const text of ['e۴', 'e٤', '\u200ee۴\u200f', 'e۲e۴', 'e۲-e٤']) expect(typed(text, { e2: ['e3', 'e4'] })).toEqual({ uci: 'e2e4' });
  expect(typed('N@f۳', {}, START, 'N')).toEqual({ uci: 'N@f3' });
  expect(typed('۰-۰', { e1: ['f1', 'g1'] })).toEqual({ uci: 'e1g1' });
  expect(['e۲e۴', 'e۷e٨q', 'N@f۳', 'd۴'].map(typedPremove)).toEqual(['e2e4', 'e7e8q', 'N@f3', null]);
});

test('the diagonal compares a player with the partner’s opponent', () => {
  expect([0, 1, 2, 3].map(diagonalOf)).toEqual([2, 3, 0, 1]);
  const clocks = { at_ms: 0, remaining_ms: [90_000, 80_000, 100_500, 70_000], running: [true, false, true, false], age_ms: 0 };
  expect(diagonalAt(clocks, 0, 0, 30_000)).toBe(-10_500);
  expect(diagonalAt(clocks, 1, 0, 30_000)).toBe(10_000);
  expect([-10_500, 10_000, 999, -72_000].map(diagonalText)).toEqual(['−0:10', '+0:10', '±0:00', '−1:12']);
});

const move = (san: string | null, part: Partial<Move> = {}): Move => ({ board: 'A', ply: 1, san, uci: null, mark: null, at_ms: 0, remaining_ms: null, ...part });

test('F10: every hidden move sounds the same, also when a piece of mine fell', () => {
  expect([move(null), move(null, { mark: 'e4' })].map(soundOf)).toEqual(['move', 'move']);
  expect(['e4', 'exd5', 'N@f3', 'Qxf7#', 'P@h6+'].map(san => soundOf(move(san)))).toEqual(['move', 'capture', 'drop', 'check', 'check']);
});

test('the own board is heard in full, the partner’s quietly, a whole new view not at all', () => {
  const before: MatchView = tandemFull();
  const after = { ...before, moves: [...before.moves, move('exd5'), move('e5', { board: 'B' })] };
  expect(soundsOf(before, after)).toEqual([{ sound: 'capture', quiet: false }, { sound: 'move', quiet: true }]);
  expect(soundsOf({ ...before, you: 2 }, { ...after, you: 2 }).map(heard => heard.quiet)).toEqual([true, false]);
  expect(soundsOf(null, after)).toEqual([]);
  expect(soundsOf(before, { ...before, result: { winner: 1, reason: 'time' } })).toEqual([{ sound: 'end', quiet: false }]);
  expect(newMoves(before, { ...after, epoch: 1 })).toEqual([]);
  expect(newMoves(before, { ...before, moves: [...before.moves, ...moveDelta().moves!] })).toHaveLength(1);
});
