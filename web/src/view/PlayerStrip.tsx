import type { MatchView } from '../protocol/frames';
import type { BoardName, Colour } from '../protocol/terms';
import { handOf, type HandLetter } from '../state/position';
import { seatAt, teamOf } from '../state/seating';
import { t } from '../text/text';
import { Clock } from './Clock';
import { Hand } from './Hand';
import { nameOf } from './words';

interface Props {
  match: MatchView;
  received_ms: number;
  board: BoardName;
  colour: Colour;
  /** The hand as shown: less a piece that is being dropped. */
  hand?: string | undefined;
  chosen: HandLetter | null;
  grab: ((letter: HandLetter, event: MouseEvent | TouchEvent | null) => void) | null;
  press: (() => void) | null;
}

/** One player beside the board: name, hand, clock. */
export function PlayerStrip({ match, received_ms, board, colour, hand, chosen, grab, press }: Props) {
  const seat = seatAt(board, colour);
  const view = match.boards[board];
  const player = match.seats[seat];
  if (view === undefined || player === undefined) return null;
  const name = nameOf(match.seats, seat);
  const place = `${board.toLowerCase()}-${colour}`;
  const turn = match.result === null && view.turn === colour;
  return (
    <div class={`strip team-${teamOf(match.variant, seat)}${turn ? ' turn' : ''}`} data-testid={`player-${place}`} data-turn={turn}>
      <div class="who">
        <span class={`disc ${colour}`} aria-hidden="true" />
        <span class="name" title={name}>{name}</span>
        {match.you === seat && <span class="tag">{t('you')}</span>}
        {!player.online && <span class="tag warn" data-testid={`offline-${place}`}>{t('offline')}</span>}
        {turn && view.state === 'waiting' && <span class="tag warn" data-testid={`waiting-${place}`}>{t('waiting_for_piece')}</span>}
        {turn && <span class="unseen">{t('to_move')}</span>}
      </div>
      {view.hands !== null && (
        <Hand hand={hand ?? handOf(view, colour)} testId={`hand-${place}`} {...{ colour, name, chosen, grab }} />
      )}
      {match.clocks !== null && (
        <Clock clocks={match.clocks} over={match.result !== null} testId={`clock-${place}`} {...{ received_ms, seat, name, press }} />
      )}
    </div>
  );
}
