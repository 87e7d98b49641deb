import type { Config } from 'chessground/config';
import type { Key } from 'chessground/types';
import type { Board as BoardView } from '../protocol/frames';
import type { Colour, Square } from '../protocol/terms';
import { foggedSquares, isDrop } from '../state/position';
import type { Play } from './Board';

interface Shown {
  board: BoardView;
  checked: Colour | null;
  fallen: Square | null;
  play: Play | null;
  cursor: Square | null;
  /** The pieces stand otherwise than they were drawn. */
  moved: boolean;
}

/** What chessground is told of a view: pieces where they changed, marks, and what may be done. */
export function boardConfig({ board, checked, fallen, play, cursor, moved }: Shown): Config {
  const marks = new Map<Key, string>();
  const mark = (square: Square, className: string): void => {
    const key = square as Key;
    marks.set(key, marks.has(key) ? `${marks.get(key) ?? ''} ${className}` : className);
  };
  for (const square of foggedSquares(board.pieces)) mark(square, 'fog');
  for (const square of board.promoted) mark(square, 'promoted');
  for (const square of play?.dropSquares ?? []) mark(square, 'drop-dest');
  for (const square of premoveSquares(play?.premove ?? null)) mark(square, 'premove');
  if (fallen !== null) mark(fallen, 'fallen');
  if (cursor !== null) mark(cursor, 'cursor');
  // While an own move is shown ahead of the server, chessground's pieces and turn are further than the view.
  if (play?.held === true && !moved) return { highlight: { custom: marks }, movable: { dests: new Map() } };
  const config: Config = {
    turnColor: board.turn,
    check: checked ?? false,
    lastMove: board.last as Key[],
    highlight: { custom: marks },
  };
  if (moved) config.fen = placement(board.pieces);
  if (play !== null) {
    config.movable = { color: play.colour, dests: new Map(Object.entries(play.from)) as Map<Key, Key[]> };
  }
  return config;
}

function premoveSquares(uci: string | null): Square[] {
  if (uci === null) return [];
  return isDrop(uci) ? [uci.slice(2, 4)] : [uci.slice(0, 2), uci.slice(2, 4)];
}

/** The piece field of a FEN; fogged squares are drawn as empty ones under the fog. */
function placement(pieces: string): string {
  const ranks = pieces.replace(/\?/g, '.').match(/.{8}/g) ?? [];
  return ranks.map(rank => rank.replace(/\.+/g, empty => String(empty.length))).join('/');
}
