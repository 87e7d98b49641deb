import { useEffect } from 'preact/hooks';
import type { Session } from '../app/session';
import type { TableSummary } from '../protocol/frames';
import { t } from '../text/text';
import { Link } from './parts';
import { gameText, nameOf } from './words';

interface Props {
  session: Session;
  name: string;
  go: (path: string) => void;
}

/** Public tables: open ones with their free seats, then running ones to watch, as the server tells them. */
export function TableList({ session, tables, name, go }: Props & { tables: TableSummary[] }) {
  useEffect(() => {
    session.watchTables(true);
    return () => session.watchTables(false);
  }, [session]);
  const open = tables.filter(table => table.state === 'open');
  const running = tables.filter(table => table.state !== 'open' && table.state !== 'closed');
  const list = (heading: string, some: TableSummary[]) => some.length > 0 && (
    <>
      <h3>{heading}</h3>
      <ul>{some.map(table => <Row key={table.table} {...{ session, table, name, go }} />)}</ul>
    </>
  );
  return (
    <section class="card tables" data-testid="tables" aria-labelledby="tables">
      <h2 id="tables">{t('tables_heading')}</h2>
      {open.length + running.length === 0 && <p class="hint">{t('tables_empty')}</p>}
      {list(t('tables_open'), open)}
      {list(t('tables_running'), running)}
    </section>
  );
}

function Row({ session, table, name, go }: Props & { table: TableSummary }) {
  const names = table.seats.map((_, seat) => nameOf(table.seats, seat)).join(' · ');
  return (
    <li data-testid="table-row" data-table={table.table}>
      <div>
        <b>{gameText(table)}</b>
        <p class="hint">{names}</p>
      </div>
      <div class="row">
        {table.state === 'open' && (
          <button class="primary" aria-label={t('take_free_seat_at', { names })} onClick={() => void session.takeSeat(table.table, null, name)}>{t('take_free_seat')}</button>
        )}
        <Link to={`/t/${table.table}`} go={go} class="button" aria-label={t('watch_table', { names })}>{t('watch')}</Link>
      </div>
    </li>
  );
}
