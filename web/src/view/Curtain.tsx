import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../app/session';
import type { MatchView, TableFrame } from '../protocol/frames';
import { placeOf } from '../state/seating';
import { shownName } from '../text/names';
import { t } from '../text/text';
import { Clock } from './Clock';
import { useTitle } from './hooks';
import { colourName, gameText, nameOf } from './words';

interface Props {
  session: Session;
  table: TableFrame;
  /** What a spectator sees; null until it comes. */
  match: MatchView | null;
  received_ms: number;
  /** Since when nothing is heard of the clocks. */
  lost_ms: number | null;
}

/** Two people on one device, between their turns: whose turn it is, and the way to that side's board (F-curtain). */
export function Curtain({ session, table, match, received_ms, lost_ms }: Props) {
  useTitle(t('site'));
  const heading = useRef<HTMLHeadingElement>(null);
  const board = match?.boards.A;
  const turn = board?.turn;
  const seat = turn === 'black' ? 1 : 0;
  const name = nameOf(table.seats, seat);
  // Not the button: a key that was meant for the move must not lift the curtain.
  useEffect(() => heading.current?.focus(), [turn]);
  return (
    <main class="curtain" data-testid="curtain" data-turn={turn ?? ''}>
      <p class="soft">{gameText(table)}</p>
      <h1 ref={heading} tabIndex={-1} data-testid="curtain-turn">
        {turn === undefined ? t('loading_table') : t('curtain_turn', { name, colour: colourName(turn) })}
      </h1>
      <p>{t('curtain_hint', { name })}</p>
      <button
        class="primary big"
        data-testid="lift"
        disabled={board === undefined}
        onClick={() => { if (board !== undefined) void session.lift(seat, board.ply); }}
      >
        {t('curtain_lift', { name })}
      </button>
      {match?.clocks != null && (
        <ul class="clocks" aria-label={t('curtain_clocks')}>
          {table.seats.map((player, number) => (
            <li key={number}>
              <span class={`disc ${placeOf(number).colour}`} aria-hidden="true" />
              <span class="name" dir="auto">{shownName(player.name)}</span>
              {match.clocks !== null && (
                <Clock clocks={match.clocks} seat={number} name={shownName(player.name)} over={false} press={null} testId={`curtain-clock-${number}`} {...{ received_ms, lost_ms }} />
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="unseen" role="status" data-testid="status">
        {turn === undefined ? '' : t('curtain_down', { name, colour: colourName(turn) })}
      </p>
    </main>
  );
}
