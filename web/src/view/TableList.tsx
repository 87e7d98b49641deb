import { useEffect } from 'preact/hooks';
import type { Session } from '../app/session';
import type { TableSummary } from '../protocol/frames';
import { t } from '../text/text';
import { Link, useAskFirst } from './parts';
import { gameText, nameOf } from './words';

interface Props {
  session: Session;
  /** A match of one's own that goes on elsewhere. */
  running: string | null;
  name: string;
  go: (path: string) => void;
}

/** Public tables: open ones with their free seats, then running ones to watch, as the server tells them. */
export function TableList({ session, running, tables, name, go }: Props & { tables: TableSummary[] }) {
  useEffect(() => {
    session.watchTables(true);
    return () => session.watchTables(false);
  }, [session]);
  const open = tables.filter(table => table.state === 'open');
  const played = tables.filter(table => table.state !== 'open' && table.state !== 'closed');
  const list = (heading: string, some: TableSummary[]) => some.length > 0 && (
    <>
      <h3>{heading}</h3>
      <ul>{some.map(table => <Row key={table.table} {...{ session, running, table, name, go }} />)}</ul>
    </>
  );
  return (
    <section class="card tables" data-testid="tables" aria-labelledby="tables">
      <h2 id="tables">{t('tables_heading')}</h2>
      {open.length + played.length === 0 && <p class="hint">{t('tables_empty')}</p>}
      {list(t('tables_open'), open)}
      {list(t('tables_running'), played)}
    </section>
  );
}

function Row({ session, running, table, name, go }: Props & { table: TableSummary }) {
  const sitting = useAskFirst(running, 'sit-leaving');
  const names = table.seats.map((_, seat) => nameOf(table.seats, seat)).join(' · ');
  return (
    <li data-testid="table-row" data-table={table.table}>
      <div>
        <b>{gameText(table)}</b>
        <p class="hint">{names}</p>
      </div>
      <div class="row">
        {table.state === 'open' && (sitting.question ?? (
          <button class="primary" aria-label={t('take_free_seat_at', { names })} onClick={() => sitting.first(() => void session.takeSeat(table.table, null, name))}>{t('take_free_seat')}</button>
        ))}
        <Link to={`/t/${table.table}`} go={go} class="button" aria-label={t('watch_table', { names })}>{t('watch')}</Link>
      </div>
    </li>
  );
}
