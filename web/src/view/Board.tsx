import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Config } from 'chessground/config';
import type { Key } from 'chessground/types';
import { useEffect, useRef } from 'preact/hooks';
import type { Board as BoardView } from '../protocol/frames';
import type { BoardName, Colour, Square } from '../protocol/terms';
import { foggedSquares, letterOf, type HandLetter } from '../state/position';
import { t } from '../text/text';
import { colourName } from './words';

/** What the viewer may do on this board now. */
export interface Play {
  colour: Colour;
  /** Destinations by origin; empty when it is not the viewer's turn. */
  from: Record<Square, Square[]>;
  /** Squares where the chosen piece may be dropped. */
  dropSquares: Square[];
  /** A move is shown that the server has not committed: nothing else is shown meanwhile. */
  held: boolean;
  move(from: Square, to: Square): void;
  drop(letter: HandLetter, square: Square): void;
  pick(square: Square): void;
  /** Gives the board to the hand, for dragging out of it. */
  ready(api: Api): void;
}

interface Props {
  name: BoardName;
  board: BoardView;
  bottom: Colour;
  checked: Colour | null;
  fallen: Square | null;
  play: Play | null;
}

/** chessground draws eight equal files and ranks; the rest is told by the server's view. */
export function Board({ name, board, bottom, checked, fallen, play }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  const shown = useRef<{ pieces: string; held: boolean }>({ pieces: '', held: false });
  const latest = useRef(play);
  latest.current = play;
  const interactive = play !== null;

  useEffect(() => {
    if (place.current === null) return undefined;
    const ground = Chessground(place.current, {
      fen: '8/8/8/8/8/8/8/8',
      orientation: bottom,
      viewOnly: !interactive,
      animation: { duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 160 },
      premovable: { enabled: false },
      drawable: { enabled: false },
      movable: {
        free: false,
        events: {
          after: (from, to) => latest.current?.move(from, to),
          afterNewPiece: (role, square) => latest.current?.drop(letterOf(role) as HandLetter, square),
        },
      },
      events: { select: square => latest.current?.pick(square) },
    });
    api.current = ground;
    shown.current = { pieces: '', held: false };
    latest.current?.ready(ground);
    return () => ground.destroy();
  }, [bottom, interactive]);

  useEffect(() => {
    const held = play?.held === true;
    const moved = shown.current.pieces !== board.pieces || (shown.current.held && !held);
    shown.current = { pieces: board.pieces, held };
    api.current?.set(held ? { movable: { dests: new Map() } } : position(board, checked, fallen, play, moved));
  });

  const label = t('board_label', { board: name, colour: colourName(bottom) });
  return <div class="board cg-wrap" data-testid={`board-${name.toLowerCase()}`} data-orientation={bottom} data-ply={board.ply} data-fen={board.fen ?? ''} role="img" aria-label={label} ref={place} />;
}

function position(board: BoardView, checked: Colour | null, fallen: Square | null, play: Play | null, moved: boolean): Config {
  const marks = new Map<Key, string>();
  const mark = (square: Square, className: string): void => {
    const key = square as Key;
    marks.set(key, marks.has(key) ? `${marks.get(key) ?? ''} ${className}` : className);
  };
  for (const square of foggedSquares(board.pieces)) mark(square, 'fog');
  for (const square of board.promoted) mark(square, 'promoted');
  for (const square of play?.dropSquares ?? []) mark(square, 'drop-dest');
  if (fallen !== null) mark(fallen, 'fallen');
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

/** The piece field of a FEN; fogged squares are drawn as empty ones under the fog. */
function placement(pieces: string): string {
  const ranks = pieces.replace(/\?/g, '.').match(/.{8}/g) ?? [];
  return ranks.map(rank => rank.replace(/\.+/g, empty => String(empty.length))).join('/');
}
