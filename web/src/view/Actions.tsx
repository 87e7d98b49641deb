import type { Session, SessionState } from '../app/session';
import type { MatchView } from '../protocol/frames';
import type { SeatNumber } from '../protocol/terms';
import { opposite, placeOf, seatAt } from '../state/seating';
import { t } from '../text/text';
import { useKeys } from './keys';
import { ConfirmButton } from './parts';
import { TypedMove } from './TypedMove';
import { drawOfferText, nameOf } from './words';

interface Props {
  session: Session;
  state: SessionState;
  match: MatchView;
  /** Single keys are listened to. */
  keys: boolean;
  /** The latest position is shown: only there moves are made. */
  live: boolean;
  /** The seat is played from another window. */
  moved: boolean;
}

/**
 * What is to be done now, in words, and the buttons for everything but moves. After the end nothing of it is seen, but it
 * keeps its place for the result, so that the page does not move.
 */
export function Actions({ session, state, match, keys, live, moved }: Props) {
  const over = match.result !== null;
  const unsent = state.pending?.sent === false && match.profile === 'club';
  const said = statusText(state, match);
  useKeys(unsent, { space: () => void session.own.pressClock() });
  return (
    <section class={`actions card${over ? ' gone' : ''}`} aria-label={t('actions')} inert={over}>
      {/* What is chosen for the next turn takes the place of whose turn it is, so that nothing moves when it is played. */}
      <div class="status">
        <p class={state.premove === null ? '' : 'covered'} data-testid="status" role="status">
          {/* Another text is another element: one that is aligned at its right would count as moved. */}
          <span key={said}>{said}</span>
        </p>
        {statusTexts(match).map(text => <p key={text} class="room" aria-hidden="true" data-text={text} />)}
        {state.premove !== null && (
          <p class="premove-note" data-testid="premove">
            <span>{premoveText(state, match)}</span> <button data-testid="premove-cancel" aria-keyshortcuts="Escape" onClick={() => session.own.plan(null)}>{t('premove_cancel')}</button>
          </p>
        )}
      </div>
      {match.you !== null && (
        <div class="stack">
          <div class={`doing${moved ? ' gone' : ''}`} inert={moved}>
            <TypedMove {...{ session, state, match, keys, live }} />
            {unsent && (
              <div class="row">
                <button class="primary" data-testid="press-clock" onClick={() => void session.own.pressClock()}>{t('press_clock_short')}</button>
                <button data-testid="take-back" onClick={() => session.own.takeBack()}>{t('take_back')}</button>
              </div>
            )}
            <SeatActions session={session} match={match} you={match.you} />
          </div>
          {moved && !over && <MovedNote session={session} />}
        </div>
      )}
    </section>
  );
}

function SeatActions({ session, match, you }: { session: Session; match: MatchView; you: number }) {
  const { draw_agreed, may_abort, may_offer_draw } = match.standing;
  const offered = draw_agreed.includes(you);
  const others = draw_agreed.some(seat => seat !== you);
  const act = (command: 'resign' | 'offer_draw' | 'accept_draw' | 'decline_draw' | 'abort') => () => void session.act({ t: command });
  return (
    <>
      <div class="row">
        <ConfirmButton
          label={t('resign')}
          question={match.variant === 'fog' ? t('resign_confirm_fog') : t('resign_confirm')}
          testId="resign"
          act={act('resign')}
        />
        <ConfirmButton
          label={t('leave')}
          question={may_abort ? t('leave_confirm_abort') : t('leave_confirm')}
          testId="leave"
          act={() => void session.leave()}
        />
      </div>
      <div class="ending">
        {others ? (
          <div key="theirs" class="row offer" data-testid="draw-offer">
            <span role="status">{drawOfferText(match, you)}</span>
            {!offered && <button class="primary" data-testid="accept-draw" onClick={act('accept_draw')}>{t('accept_draw')}</button>}
            <button data-testid="decline-draw" onClick={act('decline_draw')}>{t('decline_draw')}</button>
          </div>
        ) : (
          <div key="own" class="row">
            <button data-testid="offer-draw" disabled={offered || !may_offer_draw} onClick={act('offer_draw')}>
              {offered ? t('draw_offered') : t('offer_draw')}
            </button>
            {may_abort && <ConfirmButton label={t('abort')} question={t('abort_confirm')} testId="abort" act={act('abort')} />}
          </div>
        )}
      </div>
    </>
  );
}

/** The seat is played elsewhere: what cannot be done here makes room for that, and for the way to take it back. */
export function MovedNote({ session }: { session: Session }) {
  return (
    <div class="moved" role="alert" data-testid="moved">
      <p>{t('moved')}</p>
      <button class="primary" data-testid="play-here" onClick={() => void session.playHere()}>{t('play_here')}</button>
    </div>
  );
}

/** A queued drop whose turn has come waits for its piece; any other premove waits for the turn. */
function premoveText({ premove }: SessionState, { you, boards }: MatchView): string {
  const own = placeOf(you ?? 0);
  return t(boards[own.board]?.turn === own.colour ? 'status_drop_waits' : 'status_premove', { move: premove?.uci ?? '' });
}

/** Whatever may be said during the match: it keeps its room, so that nothing moves and nothing is cut off. */
function statusTexts({ you, seats, variant, profile }: MatchView): string[] {
  const turn = (seat: SeatNumber): string => t('status_turn', { name: nameOf(seats, seat) });
  const both = (first: SeatNumber, second: SeatNumber): string =>
    t('status_turns', { first: nameOf(seats, first), second: nameOf(seats, second) });
  if (you === null) return variant === 'fog' ? [turn(0), turn(1)] : [both(0, 2), both(0, 3), both(1, 2), both(1, 3)];
  const { board, colour } = placeOf(you);
  return [
    turn(seatAt(board, opposite(colour))),
    `${t('status_check')} ${t('status_your_turn')}`,
    t('status_sending'),
    ...(variant === 'tandem' ? [t('status_wait_you')] : []),
    ...(profile === 'club' ? [t('status_press_clock')] : []),
  ];
}

function statusText(state: SessionState, match: MatchView): string {
  const { you, boards, seats } = match;
  const onMove = (name: 'A' | 'B'): string => {
    const turn = boards[name]?.turn ?? 'white';
    return nameOf(seats, (name === 'A' ? 0 : 2) + (turn === 'white' ? 0 : 1));
  };
  if (you === null) {
    if (match.variant === 'fog') return t('status_turn', { name: onMove('A') });
    return t('status_turns', { first: onMove('A'), second: onMove('B') });
  }
  const own = placeOf(you);
  const board = boards[own.board];
  if (state.pending?.sent === true) return t('status_sending');
  if (state.pending !== null) return t('status_press_clock');
  if (board?.turn !== own.colour) return t('status_turn', { name: onMove(own.board) });
  if (board.state === 'waiting') return t('status_wait_you');
  return board.state === 'check' ? `${t('status_check')} ${t('status_your_turn')}` : t('status_your_turn');
}
