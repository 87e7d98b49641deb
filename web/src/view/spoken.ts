/** Moves and squares in words, for those who listen. */
import type { MatchView, Move } from '../protocol/frames';
import type { Square } from '../protocol/terms';
import { ROLES, letterAt } from '../state/position';
import { seatAt } from '../state/seating';
import { t } from '../text/text';
import { colourName, nameOf } from './words';

/** Not every browser has a voice. */
export const CAN_SPEAK = 'speechSynthesis' in globalThis;

export const pieceName = (letter: string): string => t(ROLES[letter.toUpperCase()] ?? 'pawn');

/** `Nxe5+` as "knight takes e5, check". */
export function spokenSan(san: string): string {
  const move = spokenMove(san.replace(/[+#]$/, ''));
  if (san.endsWith('#')) return t('said_mate', { move });
  return san.endsWith('+') ? t('said_check', { move }) : move;
}

function spokenMove(san: string): string {
  if (san === 'O-O') return t('said_castles_short');
  if (san === 'O-O-O') return t('said_castles_long');
  const drop = /^(\w)@(\w\d)$/.exec(san);
  if (drop !== null) return t('said_drop', { piece: pieceName(drop[1] ?? ''), square: drop[2] ?? '' });
  const parts = /^([NBRQK]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=(\w))?$/.exec(san);
  if (parts === null) return san;
  const [, letter = '', origin = '', takes = '', square = '', promoted] = parts;
  const piece = [pieceName(letter || 'P'), origin].filter(word => word !== '').join(' ');
  const move = t(takes === '' ? 'said_to' : 'said_takes', { piece, square });
  return promoted === undefined ? move : t('said_promotes', { move, piece: pieceName(promoted) });
}

/** What a move sounds like to this viewer: of a hidden one only that it was made, and where the viewer's piece fell. */
export function heardMove(match: MatchView, { board, ply, san, mark }: Move): string {
  const name = nameOf(match.seats, seatAt(board, ply % 2 === 1 ? 'white' : 'black'));
  if (san !== null) {
    const move = spokenSan(san);
    return match.variant === 'fog' ? t('heard_move_fog', { name, move }) : t('heard_move', { name, board, move });
  }
  const made = t('heard_hidden', { name });
  return mark === null ? made : `${made} ${t('heard_fallen', { square: mark })}`;
}

/** A square as this viewer sees it. */
export function spokenSquare(pieces: string, square: Square): string {
  const letter = letterAt(pieces, square);
  if (letter === '?') return t('square_fog', { square });
  if (letter === '.') return t('square_empty', { square });
  const colour = letter === letter.toUpperCase() ? 'white' : 'black';
  return t('square_piece', { square, colour: colourName(colour), piece: pieceName(letter) });
}
