import { useRef, useState } from 'preact/hooks';
import type { Session, SessionState } from '../app/session';
import type { TableFrame } from '../protocol/frames';
import type { SeatNumber } from '../protocol/terms';
import { boardsOf, seatAt, teamOf } from '../state/seating';
import { t } from '../text/text';
import { LEVELS } from './choices';
import { useFrames, useTitle } from './hooks';
import { NameField } from './NameField';
import { CopyLink, useAskFirst } from './parts';
import { gameText, nameOf, namesOf, seatLabel } from './words';

interface Props {
  session: Session;
  state: SessionState;
  table: TableFrame;
  received_ms: number;
  /** The seat of the invite link that was opened. */
  invited: SeatNumber | null;
  name: string;
  rename: (name: string) => void;
  level: number;
}

/** A table before the start: who sits where, invitations, computers, the countdown. */
export function WaitingRoom({ session, state, table, received_ms, invited, name, rename, level }: Props) {
  useTitle(t('table_heading', { game: gameText(table) }));
  const take = (seat: SeatNumber): void => void session.takeSeat(table.table, seat, name.trim());
  const invitation = useAskFirst(state.running, 'take-invited-leaving');
  const offered = state.seat === null && invited !== null && invited < table.seats.length ? invited : null;
  return (
    <main class="waiting-room">
      <h1>{gameText(table)}</h1>
      <p class="countdown" data-testid="status" role="status"><StartText table={table} received_ms={received_ms} /></p>
      {state.seat === null && <NameField name={name} rename={rename} />}
      {offered !== null && (
        <section class="card invited">
          <h2>{t('invited_heading', { seat: seatLabel(table.variant, offered) })}</h2>
          {table.seats[offered]?.kind === 'free'
            ? invitation.question ?? <button ref={invitation.button} class="primary big" data-testid="take-invited" onClick={() => invitation.first(() => take(offered))}>{t('take_seat')}</button>
            : <p>{t('invited_taken')}</p>}
        </section>
      )}
      <h2>{t('seats_heading')}</h2>
      <div class="boards">
        {boardsOf(table.variant).map(board => (
          <section key={board} class="card">
            {table.variant === 'tandem' && <h3>{t('board_heading', { board })}</h3>}
            {(['white', 'black'] as const).map(colour => (
              <SeatCard key={colour} seat={seatAt(board, colour)} mine={state.seat} running={state.running} {...{ session, table, take, level }} />
            ))}
          </section>
        ))}
      </div>
      {table.variant === 'tandem' && <p class="hint">{t('team_hint')}</p>}
      <CopyLink label={t('watch_link')} title={t('watch_link')} link={`${location.origin}/t/${table.table}`} testId="watch-link" />
      {state.seat !== null && <button data-testid="leave" onClick={() => void session.leave()}>{t('leave_seat')}</button>}
    </main>
  );
}

interface SeatProps {
  session: Session;
  table: TableFrame;
  seat: SeatNumber;
  mine: SeatNumber | null;
  /** A match of one's own that goes on elsewhere. */
  running: string | null;
  level: number;
  take: (seat: SeatNumber) => void;
}

function SeatCard({ session, table, seat, mine, running, take, level }: SeatProps) {
  const taking = useAskFirst(running, `take-seat-${seat}-leaving`);
  const [strength, setStrength] = useState(level);
  const label = seatLabel(table.variant, seat);
  const { kind, online, level: strongAs } = table.seats[seat] ?? { kind: 'free', online: false, level: 0 };
  const setBot = (to: number): void => void session.act({ t: 'set_bot', seat, level: to });
  return (
    <div class={`seat team-${teamOf(table.variant, seat)} ${kind}`} data-testid={`seat-${seat}`} data-kind={kind}>
      <div class="who">
        <span class={`disc ${seat % 2 === 0 ? 'white' : 'black'}`} aria-hidden="true" />
        <span class="place">{label}{table.variant === 'tandem' && ` · ${t('team', { team: teamOf(table.variant, seat) })}`}</span>
        <b dir="auto">{nameOf(table.seats, seat)}</b>
        {mine === seat && <span class="tag">{t('you')}</span>}
        {kind === 'bot' && <span class="tag">{t('seat_computer', { level: strongAs })}</span>}
        {kind === 'human' && !online && <span class="tag warn">{t('offline')}</span>}
      </div>
      <div class="row">
        {kind === 'free' && mine === null && (taking.question ?? (
          <button ref={taking.button} data-testid={`take-seat-${seat}`} aria-label={t('take_seat_named', { seat: label })} onClick={() => taking.first(() => take(seat))}>{t('take_seat')}</button>
        ))}
        {kind === 'free' && mine !== null && (
          <>
            <button data-testid={`add-bot-${seat}`} aria-label={`${t('add_bot')}: ${label}`} onClick={() => setBot(strength)}>{t('add_bot')}</button>
            <select
              value={strength}
              aria-label={`${t('level')}: ${label}`}
              data-testid={`bot-level-${seat}`}
              onChange={event => setStrength(Number(event.currentTarget.value))}
            >
              {LEVELS.map(value => <option key={value} value={value}>{t('level_value', { level: value })}</option>)}
            </select>
          </>
        )}
        {kind === 'bot' && mine !== null && (
          <button data-testid={`remove-bot-${seat}`} aria-label={`${t('remove_bot')}: ${label}`} onClick={() => setBot(0)}>{t('remove_bot')}</button>
        )}
      </div>
      {/* Of a seat that is taken nothing is offered, but the others stay where they are. */}
      <div key={kind} class={kind === 'free' ? '' : 'gone'} inert={kind !== 'free'}>
        <CopyLink label={t('invite_link', { seat: label })} title={t('invite')} link={`${location.origin}/t/${table.table}/${seat}`} testId={`invite-link-${seat}`} />
      </div>
    </div>
  );
}

/** What the start waits for, so long before the end of the countdown: at last for who agreed to a rematch and is gone. */
function startText({ state, seats }: TableFrame, left_ms: number): string {
  if (state !== 'countdown') return t(state === 'open' ? 'starts_when_full' : 'starting');
  const away = seats.flatMap(({ kind, online }, seat) => (kind === 'human' && !online ? [seat] : []));
  if (left_ms > 0 || away.length === 0) return t('starts_in', { seconds: Math.ceil(left_ms / 1000) });
  return t('starts_with', { names: namesOf(seats, away) });
}

function StartText({ table, received_ms }: { table: TableFrame; received_ms: number }) {
  const shown = useRef<HTMLSpanElement>(null);
  const counting = table.state === 'countdown';
  useFrames(counting, () => {
    if (shown.current === null) return;
    const text = startText(table, Math.max(0, table.starts_in_ms - (performance.now() - received_ms)));
    if (shown.current.textContent !== text) shown.current.textContent = text;
  });
  return <span ref={shown} />;
}
