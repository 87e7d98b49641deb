import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Key, Role } from 'chessground/types';
import { useEffect, useRef } from 'preact/hooks';
import type { Board as BoardView } from '../protocol/frames';
import type { BoardName, Colour, Square } from '../protocol/terms';
import { ROLES, isDrop, letterAt, letterOf, type HandLetter } from '../state/position';
import { opposite } from '../state/seating';
import { t } from '../text/text';
import { boardConfig } from './boardConfig';
import { useCursor } from './cursor';
import { pieceName, spokenSquare } from './spoken';
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
  /** That move, once it is chosen in full. */
  pending: string | null;
  /** Another number asks for the pieces to be drawn anew: one was put where it may not be. */
  drawing: number;
  /** The move for the next turn. */
  premove: string | null;
  move(from: Square, to: Square): void;
  drop(letter: HandLetter, square: Square): void;
  premoved(from: Square, to: Square): void;
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
  say: (text: string) => void;
}

const NOTHING = { pieces: '', held: false, drawing: 0 };

/** chessground draws eight equal files and ranks; the rest is told by the server's view. */
export function Board({ name, board, bottom, checked, fallen, play, say }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  const shown = useRef(NOTHING);
  const latest = useRef(play);
  latest.current = play;
  const interactive = play !== null;

  useEffect(() => {
    if (place.current === null) return undefined;
    const ground: Api = Chessground(place.current, {
      fen: '8/8/8/8/8/8/8/8',
      orientation: bottom,
      viewOnly: !interactive,
      animation: { duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 160 },
      drawable: { enabled: false },
      // The page keeps premoves itself: chessground only knows the shapes of moves and hands over what was chosen.
      premovable: {
        enabled: interactive,
        events: { set: (from, to) => { ground.cancelPremove(); latest.current?.premoved(from, to); } },
      },
      predroppable: {
        enabled: interactive,
        events: { set: (role, square) => { ground.cancelPredrop(); latest.current?.drop(letterOf(role) as HandLetter, square); } },
      },
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
    shown.current = NOTHING;
    latest.current?.ready(ground);
    return () => ground.destroy();
  }, [bottom, interactive]);

  const cursor = useCursor(bottom, {
    seen: square => say(spokenSquare(board.pieces, square)),
    chosen: square => {
      api.current?.selectSquare(square as Key);
      const squares = play?.from[square] ?? [];
      if (squares.length > 0) say(t('square_chosen', { piece: pieceOn(board, square), square, squares: squares.join(', ') }));
    },
    released: () => api.current?.selectSquare(null),
  });

  useEffect(() => {
    const ground = api.current;
    if (ground === null) return;
    const held = play?.held === true;
    const drawing = play?.drawing ?? 0;
    const moved = shown.current.pieces !== board.pieces || shown.current.drawing !== drawing || (shown.current.held && !held);
    shown.current = { pieces: board.pieces, held, drawing };
    const { draggable } = ground.state;
    ground.set(boardConfig({ board, checked, fallen, play, cursor: cursor.square, moved }));
    // A piece that is being dragged out of the hand stays in the fingers when the board changes under it.
    if (draggable.current?.newPiece === true) ground.state.pieces.set(draggable.current.orig, draggable.current.piece);
    if (play?.pending != null) show(ground, play.pending, play.colour);
    ground.setAutoShapes(ghost(play));
  });

  const label = t('board_label', { board: name, colour: colourName(bottom) });
  return (
    <div
      class="board cg-wrap"
      data-testid={`board-${name.toLowerCase()}`}
      data-orientation={bottom}
      data-ply={board.ply}
      data-fen={board.fen ?? ''}
      data-premove={play?.premove ?? ''}
      role="application"
      tabIndex={0}
      aria-label={`${label}. ${t('board_keys')}`}
      ref={place}
      onFocus={cursor.onFocus}
      onBlur={cursor.onBlur}
      onKeyDown={cursor.onKeyDown}
    />
  );
}

const pieceOn = (board: BoardView, square: Square): string => pieceName(letterAt(board.pieces, square));

/** Moves the own piece at once, unless the hand that chose the move has done so already. */
function show(ground: Api, uci: string, color: Colour): void {
  const to = uci.slice(2, 4) as Key;
  const from = uci.slice(0, 2) as Key;
  if (isDrop(uci)) {
    if (ground.state.pieces.has(to)) return;
    ground.newPiece({ role: roleOf(uci), color }, to);
  } else {
    if (ground.state.pieces.get(from)?.color !== color) return;
    ground.move(from, to);
  }
  ground.set({ turnColor: opposite(color) });
}

/** A queued drop is seen as a pale piece on its square. */
function ghost(play: Play | null): { orig: Key; piece: { role: Role; color: Colour } }[] {
  if (play?.premove == null || !isDrop(play.premove)) return [];
  return [{ orig: play.premove.slice(2, 4) as Key, piece: { role: roleOf(play.premove), color: play.colour } }];
}

const roleOf = (uci: string): Role => ROLES[uci.charAt(0)] ?? 'pawn';
