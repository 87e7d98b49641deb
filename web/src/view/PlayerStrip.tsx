import type { MatchView } from '../protocol/frames';
import type { BoardName, Colour } from '../protocol/terms';
import { handOf, type HandLetter } from '../state/position';
import { seatAt, teamOf } from '../state/seating';
import { t } from '../text/text';
import { Clock } from './Clock';
import { Diagonal } from './Diagonal';
import { Hand } from './Hand';
import { nameOf } from './words';

interface Props {
  match: MatchView;
  received_ms: number;
  /** Since when nothing is heard of the clocks. */
  lost_ms?: number | null;
  board: BoardName;
  colour: Colour;
  /** The hand as shown: less a piece that is being dropped. */
  hand?: string | undefined;
  chosen: HandLetter | null;
  grab: ((letter: HandLetter, event: MouseEvent | TouchEvent | null) => void) | null;
  press: (() => void) | null;
}

/** One player beside the board: name, hand, clock. */
export function PlayerStrip({ match, received_ms, lost_ms = null, board, colour, hand, chosen, grab, press }: Props) {
  const seat = seatAt(board, colour);
  const view = match.boards[board];
  if (view === undefined) return null;
  const name = nameOf(match.seats, seat);
  const place = `${board.toLowerCase()}-${colour}`;
  const turn = match.result === null && view.turn === colour;
  return (
    <div class={`strip team-${teamOf(match.variant, seat)}${turn ? ' turn' : ''}${match.you === seat ? ' mine' : ''}`} data-testid={`player-${place}`} data-turn={turn}>
      <div class="who">
        <span class={`disc ${colour}`} aria-hidden="true" />
        <span class="name" dir="auto" title={name}>{name}</span>
        {match.you === seat && <span class="tag">{t('you')}</span>}
        {turn && <span class="unseen">{t('to_move')}</span>}
        {match.variant === 'tandem' && match.clocks !== null && match.result === null && teamOf(match.variant, seat) === ownTeam(match) && (
          <Diagonal clocks={match.clocks} testId={`diagonal-${place}`} {...{ received_ms, lost_ms, seat, name }} />
        )}
      </div>
      {view.hands !== null && (
        <Hand hand={hand ?? handOf(view, colour)} testId={`hand-${place}`} {...{ colour, name, chosen, grab }} />
      )}
      {match.clocks !== null && (
        <Clock clocks={match.clocks} over={match.result !== null} testId={`clock-${place}`} {...{ received_ms, lost_ms, seat, name, press }} />
      )}
    </div>
  );
}

/** Spectators look from team 1's side. */
const ownTeam = ({ variant, you }: MatchView): 1 | 2 => teamOf(variant, you ?? 0);

/** What must be said of a player at once, over the edge of the board so that nothing moves when it appears. */
export function EdgeNotes({ match, board, colour }: Pick<Props, 'match' | 'board' | 'colour'>) {
  const view = match.boards[board];
  const player = match.seats[seatAt(board, colour)];
  const place = `${board.toLowerCase()}-${colour}`;
  const waits = match.result === null && view?.turn === colour && view.state === 'waiting';
  return (
    <div class="edge">
      {player?.online === false && player.kind === 'human' && <span class="tag warn" data-testid={`offline-${place}`}>{t('offline')}</span>}
      {waits && <span class="tag warn" data-testid={`waiting-${place}`}>{t('waiting_for_piece')}</span>}
    </div>
  );
}
