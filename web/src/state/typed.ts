/** Typed moves, matched against what the server lists as legal: no rules are known here. */
import type { Legal } from '../protocol/frames';
import { HAND_ORDER, asksForPromotion, dropUci, letterAt } from './position';

/** The legal moves as UCI: each destination, each promotion, each drop of a piece in hand. */
export function legalMoves(legal: Legal, pieces: string, hand: string): string[] {
  const moves = Object.entries(legal.from).flatMap(([from, squares]) => squares.flatMap(to =>
    asksForPromotion(pieces, from, to) ? ['q', 'r', 'b', 'n'].map(letter => from + to + letter) : [from + to]));
  const drops = HAND_ORDER.filter(letter => hand.includes(letter)).flatMap(letter =>
    (letter === 'P' ? legal.drops.pawns : legal.drops.pieces).map(square => dropUci(letter, square)));
  return [...moves, ...drops];
}

/** The ways of writing a move: UCI and SAN without marks of capture, check or promotion; `O-O` as `OO`. */
function writings(uci: string, pieces: string): string[] {
  if (uci.charAt(1) === '@') return uci.startsWith('P') ? [uci, uci.slice(1)] : [uci];
  const from = uci.slice(0, 2);
  const to = uci.slice(2, 4);
  const promotion = uci.slice(4).toUpperCase();
  const letter = letterAt(pieces, from).toUpperCase();
  if (letter === 'P') {
    const short = from.charAt(0) === to.charAt(0) ? to : from.charAt(0) + to;
    return [uci, short + promotion];
  }
  const origins = ['', from.charAt(0), from.charAt(1), from];
  const castles = letter === 'K' && Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) === 2;
  return [uci, ...origins.map(origin => letter + origin + to), ...(castles ? [to.startsWith('g') ? 'OO' : 'OOO'] : [])];
}

/** What was typed on any keyboard: Persian and Arabic digits are those of a move, marks of direction are none of it. */
const written = (text: string): string => text
  .replace(/[۰-۹٠-٩]/g, digit => String(digit.charCodeAt(0) & 0xf))
  .replace(/[\s\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '');
const plain = (text: string): string => written(text).replace(/0/g, 'O').replace(/[-x:=+#!?]/g, '');

/** The one legal move that `text` writes; else why there is none. Capitals decide only between a bishop and the b-pawn. */
export function typedMove(text: string, moves: string[], pieces: string): { uci: string } | { problem: 'unknown' | 'ambiguous' } {
  const wanted = plain(text);
  const matching = (same: (writing: string) => boolean): string[] => moves.filter(uci => writings(uci, pieces).some(same));
  const exact = matching(writing => writing === wanted);
  const found = exact.length > 0 ? exact : matching(writing => writing.toLowerCase() === wanted.toLowerCase());
  const [uci] = found;
  if (uci === undefined) return { problem: 'unknown' };
  return found.length === 1 ? { uci } : { problem: 'ambiguous' };
}

/** Before the turn only the plain form can be read: `e2e4`, `e7e8q`, `N@f3`; null for anything else. */
export function typedPremove(text: string): string | null {
  const wanted = written(text);
  if (/^[a-h][1-8][a-h][1-8][qrbn]?$/.test(wanted)) return wanted;
  const drop = /^([pnbrq]?)@([a-h][1-8])$/i.exec(wanted);
  return drop === null ? null : dropUci((drop[1] ?? '').toUpperCase() || 'P', (drop[2] ?? '').toLowerCase());
}
