/** What is shown on a board. All of it is read from the server's view; nothing is worked out from the rules. */
import type { Board, Move } from '../protocol/frames';
import type { BoardName, Colour, Square } from '../protocol/terms';

export const HAND_ORDER = ['Q', 'R', 'B', 'N', 'P'] as const;
export type HandLetter = (typeof HAND_ORDER)[number];

export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';
export const ROLES: Record<string, Role> = { P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };
export const letterOf = (role: Role): string => Object.keys(ROLES).find(letter => ROLES[letter] === role) ?? '';

const squareName = (index: number): Square => 'abcdefgh'.charAt(index % 8) + String(8 - Math.floor(index / 8));
const indexOf = (square: Square): number => 'abcdefgh'.indexOf(square.charAt(0)) + 8 * (8 - Number(square.charAt(1)));

/** The letter on a square, `.` for none, `?` for fog. */
export const letterAt = (pieces: string, square: Square): string => pieces.charAt(indexOf(square));

/** A board with this letter on a square. */
export const withLetter = (pieces: string, square: Square, letter: string): string =>
  pieces.slice(0, indexOf(square)) + letter + pieces.slice(indexOf(square) + 1);

/** Whether a piece of this colour stands on a square. */
export const isOwn = (pieces: string, square: Square, colour: Colour): boolean =>
  (colour === 'white' ? /[A-Z]/ : /[a-z]/).test(letterAt(pieces, square));

export const dropUci = (letter: string, square: Square): string => `${letter}@${square}`;
export const isDrop = (uci: string): boolean => uci.charAt(1) === '@';

/** The squares that the server hides from this viewer. */
export const foggedSquares = (pieces: string): Square[] =>
  Array.from(pieces).flatMap((letter, index) => (letter === '?' ? [squareName(index)] : []));

/** How many of each piece are in a hand. */
export function countHand(hand: string): Record<HandLetter, number> {
  const count = { Q: 0, R: 0, B: 0, N: 0, P: 0 };
  for (const letter of hand) if (letter in count) count[letter as HandLetter] += 1;
  return count;
}

/** A hand's pieces by their kinds, `QNPP`, whichever colour they have. */
export const handOf = (board: Board, colour: Colour): string => (board.hands?.[colour === 'white' ? 0 : 1] ?? '').toUpperCase();

/** Whose king is in check. While a side waits for a piece, its opponent's last move tells whether it is in check. */
export function checkedColour(board: Board, name: BoardName, moves: Move[]): Colour | null {
  if (board.state === 'check' || board.state === 'mate') return board.turn;
  if (board.state !== 'waiting') return null;
  const last = moves.findLast(move => move.board === name);
  return /[+#]$/.test(last?.san ?? '') ? board.turn : null;
}

/** Where the viewer's piece fell in the opponent's last hidden move, until the next one. */
export const fallenSquare = (moves: Move[]): Square | null => moves.findLast(move => move.uci === null)?.mark ?? null;

/** A pawn that reaches its last rank asks for a piece. */
export function asksForPromotion(pieces: string, from: Square, to: Square): boolean {
  const letter = letterAt(pieces, from);
  return (letter === 'P' && to.endsWith('8')) || (letter === 'p' && to.endsWith('1'));
}
