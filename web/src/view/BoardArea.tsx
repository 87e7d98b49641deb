import type { Api } from 'chessground/api';
import type { Key } from 'chessground/types';
import { useRef, useState } from 'preact/hooks';
import type { Session, SessionState } from '../app/session';
import type { Legal, MatchView } from '../protocol/frames';
import type { BoardName, Colour, Square } from '../protocol/terms';
import { dropUci, handLess } from '../state/pending';
import { ROLES, asksForPromotion, checkedColour, fallenSquare, handOf, type HandLetter } from '../state/position';
import { opposite, placeOf } from '../state/seating';
import { Board, type Play } from './Board';
import { EdgeNotes, PlayerStrip } from './PlayerStrip';
import { Promotion } from './Promotion';

interface Props {
  session: Session;
  state: SessionState;
  match: MatchView;
  received_ms: number;
  name: BoardName;
  bottom: Colour;
  /** `own` large or `partner` beside it. */
  place: 'own' | 'partner';
}

/** One board with the players above and below it. */
export function BoardArea({ session, state, match, received_ms, name, bottom, place }: Props) {
  const api = useRef<Api | null>(null);
  const [chosen, setChosen] = useState<HandLetter | null>(null);
  const [promotion, setPromotion] = useState<[Square, Square] | null>(null);
  // Drawing again puts back a piece that was dropped where it may not be.
  const [, drawAgain] = useState(0);
  const board = match.boards[name];
  if (board === undefined) return null;
  const mine = match.you !== null && placeOf(match.you).board === name;
  const pending = state.pending?.board === name ? state.pending : null;
  const legal = mine && match.result === null && pending === null && match.legal?.ply === board.ply ? match.legal : null;
  const dropping = legal === null ? null : chosen;

  const send = (uci: string): void => {
    setChosen(null);
    setPromotion(null);
    session.move(name, board.ply, uci);
  };
  const drop = (letter: HandLetter, square: Square): void => {
    if (dropSquares(legal, letter).includes(square)) send(dropUci(letter, square));
    else drawAgain(count => count + 1);
    setChosen(null);
  };
  const grab = (letter: HandLetter, event: MouseEvent | TouchEvent | null): void => {
    setChosen(chosen === letter ? null : letter);
    const role = ROLES[letter];
    if (event === null || role === undefined) return;
    api.current?.selectSquare(null);
    api.current?.dragNewPiece({ role, color: bottom }, event);
  };
  const play: Play | null = mine ? {
    colour: bottom,
    from: promotion === null ? legal?.from ?? {} : {},
    dropSquares: dropSquares(legal, dropping),
    held: pending !== null || promotion !== null,
    move: (from, to) => {
      if (asksForPromotion(board.pieces, from, to)) setPromotion([from, to]);
      else send(from + to);
    },
    drop,
    pick: square => {
      const role = ROLES[dropping ?? ''];
      if (dropping === null || role === undefined) return;
      if (dropSquares(legal, dropping).includes(square)) api.current?.newPiece({ role, color: bottom }, square as Key);
      drop(dropping, square);
    },
    ready: ground => { api.current = ground; },
  } : null;

  const strip = { match, received_ms, board: name } as const;
  return (
    <section class={`area ${place}`} aria-label={name}>
      <PlayerStrip {...strip} colour={opposite(bottom)} chosen={null} grab={null} press={null} />
      <div class="frame">
        <EdgeNotes colour={opposite(bottom)} match={match} board={name} />
        <Board
          key={mine}
          bottom={bottom}
          checked={checkedColour(board, name, match.moves)}
          fallen={fallenSquare(match.moves)}
          {...{ name, board, play }}
        />
        <EdgeNotes colour={bottom} match={match} board={name} />
        {promotion !== null && (
          <Promotion square={promotion[1]} colour={bottom} choose={letter => send(promotion.join('') + letter)} cancel={() => setPromotion(null)} />
        )}
      </div>
      <PlayerStrip
        {...strip}
        colour={bottom}
        hand={mine ? handLess(handOf(board, bottom), pending) : undefined}
        chosen={dropping}
        grab={legal !== null && legal.drops.pieces.length + legal.drops.pawns.length > 0 ? grab : null}
        press={mine && pending?.sent === false && match.profile === 'club' ? () => void session.pressClock() : null}
      />
    </section>
  );
}

function dropSquares(legal: Legal | null, letter: HandLetter | null): Square[] {
  if (legal === null || letter === null) return [];
  return letter === 'P' ? legal.drops.pawns : legal.drops.pieces;
}
