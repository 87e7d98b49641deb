import type { Api } from 'chessground/api';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session, SessionState } from '../app/session';
import type { Legal, MatchView } from '../protocol/frames';
import type { BoardName, Colour, Square } from '../protocol/terms';
import { handLess, shownPieces } from '../state/pending';
import { premoveProblem } from '../state/premove';
import { ROLES, asksForPromotion, checkedColour, dropUci, fallenSquare, handOf, type HandLetter } from '../state/position';
import { opposite, placeOf } from '../state/seating';
import type { Back } from './back';
import { Board, type Play } from './Board';
import { useKeys } from './keys';
import { EdgeNotes, PlayerStrip } from './PlayerStrip';
import { Promotion } from './Promotion';
import { premoveProblemText } from './words';

interface Props {
  session: Session;
  state: SessionState;
  match: MatchView;
  received_ms: number;
  name: BoardName;
  bottom: Colour;
  /** `own` large or `partner` beside it. */
  place: 'own' | 'partner';
  /** An earlier moment that is looked at; nothing is moved there. */
  back: Back | null;
  say: (text: string) => void;
}

/** One board with the players above and below it. */
export function BoardArea({ session, state, match, received_ms, name, bottom, place, back, say }: Props) {
  const api = useRef<Api | null>(null);
  const [chosen, setChosen] = useState<HandLetter | null>(null);
  const [promotion, setPromotion] = useState<{ from: Square; to: Square; ahead: boolean } | null>(null);
  // Drawing again puts back a piece that was dropped where it may not be.
  const [drawing, drawAgain] = useState(0);
  const board = match.boards[name];
  const mine = match.you !== null && placeOf(match.you).board === name;
  const premove = state.premove?.board === name ? state.premove : null;
  const letGo = (): void => {
    setChosen(null);
    setPromotion(null);
    if (mine) session.own.plan(null);
  };
  useKeys(mine, { escape: letGo });
  // What was chosen was chosen at the latest position.
  useEffect(() => {
    setChosen(null);
    setPromotion(null);
  }, [back === null]);
  if (board === undefined) return null;
  const colour = placeOf(match.you ?? 0).colour;
  const pending = state.pending?.board === name ? state.pending : null;
  const legal = mine && match.result === null && pending === null && match.legal?.ply === board.ply && board.turn === colour ? match.legal : null;
  /** Moves may be chosen ahead of the turn, but not past a clock that must be pressed first. */
  const ahead = mine && !state.both && match.result === null && legal === null && pending?.sent !== false;
  const hand = handLess(handOf(board, colour), pending);
  const dropping = legal !== null || ahead ? chosen : null;

  const send = (uci: string): void => {
    setChosen(null);
    setPromotion(null);
    if (legal !== null) session.own.make(name, board.ply, uci);
    else if (ahead) plan(uci);
  };
  const plan = (uci: string): void => {
    const problem = premoveProblem(uci, shownPieces(board.pieces, pending, colour), colour, board.hands !== null);
    if (problem === null) session.own.plan({ board: name, uci });
    else session.notify(premoveProblemText(problem, uci));
  };
  const drop = (letter: HandLetter, square: Square): void => {
    setChosen(null);
    const now = legal !== null && dropSquares(legal, letter).includes(square);
    if (now && hand.includes(letter)) {
      send(dropUci(letter, square));
      return;
    }
    // A piece that is still to come is dropped when it comes.
    if (now || ahead) plan(dropUci(letter, square));
    drawAgain(count => count + 1);
  };
  const grab = (letter: HandLetter, event: MouseEvent | TouchEvent | null): void => {
    setChosen(chosen === letter ? null : letter);
    const role = ROLES[letter];
    if (event === null || role === undefined) return;
    api.current?.selectSquare(null);
    api.current?.dragNewPiece({ role, color: colour }, event);
  };
  const play: Play | null = mine && back === null ? {
    colour,
    from: promotion === null ? legal?.from ?? {} : {},
    dropSquares: dropSquares(legal, dropping),
    held: pending !== null || promotion?.ahead === false,
    pending: pending?.uci ?? null,
    premove: premove?.uci ?? null,
    drawing,
    move: (from, to) => {
      if (asksForPromotion(board.pieces, from, to)) setPromotion({ from, to, ahead: false });
      else send(from + to);
    },
    premoved: (from, to) => {
      if (asksForPromotion(board.pieces, from, to)) setPromotion({ from, to, ahead: true });
      else send(from + to);
    },
    drop,
    pick: square => {
      if (premove !== null) session.own.plan(null);
      if (dropping !== null) drop(dropping, square);
    },
    ready: ground => { api.current = ground; },
  } : null;

  const strip = { match, received_ms, lost_ms: state.lost_ms, board: name } as const;
  const own = (side: Colour) => (mine && side === colour ? {
    hand,
    chosen: dropping,
    grab: match.variant === 'tandem' && (legal !== null || ahead) ? grab : null,
    press: pending?.sent === false && match.profile === 'club' ? () => void session.own.pressClock() : null,
  } : { chosen: null, grab: null, press: null });
  return (
    <section class={`area ${place}${back === null ? '' : ' past'}`} aria-label={name}>
      <PlayerStrip {...strip} colour={opposite(bottom)} {...own(opposite(bottom))} />
      <div class="frame">
        <EdgeNotes colour={opposite(bottom)} match={match} board={name} />
        <Board
          key={mine}
          board={back?.board ?? board}
          checked={checkedColour(back?.board ?? board, name, back?.moves ?? match.moves)}
          fallen={fallenSquare(back?.moves ?? match.moves)}
          {...{ name, bottom, play, say }}
        />
        <EdgeNotes colour={bottom} match={match} board={name} />
        {promotion !== null && (
          <Promotion
            square={promotion.to}
            colour={colour}
            bottom={bottom}
            choose={letter => send(promotion.from + promotion.to + letter)}
            cancel={() => setPromotion(null)}
          />
        )}
      </div>
      <PlayerStrip {...strip} colour={bottom} {...own(bottom)} />
    </section>
  );
}

function dropSquares(legal: Legal | null, letter: HandLetter | null): Square[] {
  if (legal === null || letter === null) return [];
  return letter === 'P' ? legal.drops.pawns : legal.drops.pieces;
}
