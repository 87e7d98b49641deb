import type { Session, SessionState } from '../app/session';
import type { SeatNumber } from '../protocol/terms';
import { t } from '../text/text';
import { ReplayPage } from '../replay/ReplayPage';
import { Curtain } from './Curtain';
import { Link } from './parts';
import { Play } from './Play';
import { WaitingRoom } from './WaitingRoom';
import { failureText } from './words';

interface Props {
  session: Session;
  state: SessionState;
  invited: SeatNumber | null;
  /** The finished match is to be looked at again. */
  replay: boolean;
  name: string;
  rename: (name: string) => void;
  level: number;
  go: (path: string) => void;
}

/** A table: why it cannot be shown, before its start, or its match. */
export function TablePage({ session, state, replay, go, ...rest }: Props) {
  const { failure, table } = state;
  if (failure !== null) return <Gone text={failureText(failure.reason, failure.message)} go={go} />;
  if (table === null) return null;
  if (state.both && table.table?.curtain === true && table.table.state !== 'closed' && table.match?.you == null && table.match?.result == null) {
    return <Curtain table={table.table} match={table.match} received_ms={table.clocks_at_ms} lost_ms={state.lost_ms} session={session} />;
  }
  if (table.match !== null && replay) return <ReplayPage match={table.match} go={go} />;
  if (table.match !== null) return <Play match={table.match} {...{ session, state, table, go }} />;
  if (table.table === null || table.table.state === 'started') {
    return <main class="message"><p role="status" data-testid="status">{t('loading_table')}</p></main>;
  }
  if (table.table.state === 'closed') {
    return <Gone text={failureText(table.table.closed_reason, t('table_closed'))} go={go} />;
  }
  return <WaitingRoom table={table.table} received_ms={table.table_at_ms} {...{ session, state, ...rest }} />;
}

function Gone({ text, go }: { text: string; go: (path: string) => void }) {
  return (
    <main class="message">
      <h1>{t('table_gone')}</h1>
      <p role="alert" data-testid="table-gone">{text}</p>
      <Link to="/" go={go} class="button primary">{t('back_to_lobby')}</Link>
    </main>
  );
}
