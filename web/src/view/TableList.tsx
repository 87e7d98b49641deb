import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../app/session';
import type { TableSummary } from '../protocol/frames';
import { t } from '../text/text';
import { Link } from './parts';
import { gameText, nameOf } from './words';

const ASK_EVERY_MS = 3_000;

/** Public tables: open ones with their free seats, then running ones to watch. */
export function TableList({ session, name, go }: { session: Session; name: string; go: (path: string) => void }) {
  const [tables, setTables] = useState<TableSummary[]>([]);
  useEffect(() => {
    let shown = true;
    const ask = (): void => {
      // A lost connection is said in the page's header; the list just stays.
      session.listTables().then(list => { if (shown) setTables(list); }, () => undefined);
    };
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => { shown = false; clearInterval(timer); };
  }, [session]);
  const open = tables.filter(table => table.state === 'open');
  const running = tables.filter(table => table.state !== 'open' && table.state !== 'closed');
  return (
    <section class="card tables" data-testid="tables">
      <h2>{t('tables_heading')}</h2>
      {open.length + running.length === 0 && <p class="hint">{t('tables_empty')}</p>}
      {open.length > 0 && <h3>{t('tables_open')}</h3>}
      <ul>{open.map(table => <Row key={table.table} {...{ session, table, name, go }} />)}</ul>
      {running.length > 0 && <h3>{t('tables_running')}</h3>}
      <ul>{running.map(table => <Row key={table.table} {...{ session, table, name, go }} />)}</ul>
    </section>
  );
}

interface RowProps {
  session: Session;
  table: TableSummary;
  name: string;
  go: (path: string) => void;
}

function Row({ session, table, name, go }: RowProps) {
  return (
    <li data-testid="table-row" data-table={table.table}>
      <div>
        <b>{gameText(table)}</b>
        <p class="hint">{table.seats.map((_, seat) => nameOf(table.seats, seat)).join(' · ')}</p>
      </div>
      <div class="row">
        {table.state === 'open' && <button class="primary" onClick={() => void session.takeSeat(table.table, null, name)}>{t('take_free_seat')}</button>}
        <Link to={`/t/${table.table}`} go={go} class="button">{t('watch')}</Link>
      </div>
    </li>
  );
}
