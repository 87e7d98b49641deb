import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { Session } from '../app/session';
import type { TableSummary } from '../protocol/frames';
import { inOrder, placed, type Place } from '../state/listed';
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

/** Public tables with their free seats or to watch, as the server tells them; each stays where it was first seen. */
export function TableList({ session, running, tables, name, go }: Props & { tables: TableSummary[] }) {
  useEffect(() => {
    session.watchTables(true);
    return () => session.watchTables(false);
  }, [session]);
  const [sorted, sort] = useReducer((count: number) => count + 1, 0);
  const shown = useRef<{ places: Place[]; sorted: number }>({ places: [], sorted });
  // Nobody aims at what a hidden tab shows: it is in order when it is come back to.
  const kept = shown.current.sorted === sorted && !document.hidden ? shown.current.places : [];
  const places = useMemo(() => placed(kept, tables, performance.now()), [tables, sorted]);
  shown.current = { places, sorted };
  return (
    <section class="card tables" data-testid="tables" aria-labelledby="tables">
      <div class="row heading">
        <h2 id="tables">{t('tables_heading')}</h2>
        <button data-testid="tables-sort" disabled={inOrder(places, tables)} onClick={() => sort(undefined)}>{t('tables_sort')}</button>
      </div>
      {places.length === 0 && <p class="hint">{t('tables_empty')}</p>}
      <ul>{places.map(place => <Row key={place.table.table} {...{ session, running, place, name, go }} />)}</ul>
    </section>
  );
}

/** As high as any other in every state, so that the rows below it stay where they are. */
function Row({ session, running, place, name, go }: Props & { place: Place }) {
  const { table } = place;
  const sitting = useAskFirst(running, 'sit-leaving');
  const gone = place.gone_at_ms !== null;
  const open = table.state === 'open';
  const names = table.seats.map((_, seat) => nameOf(table.seats, seat));
  return (
    <li data-testid="table-row" data-table={table.table} data-gone={gone} class={gone ? 'over' : ''}>
      <b>{gameText(table)}</b>
      <ul class="names hint">{names.map((each, seat) => <li key={seat} dir="auto">{each}</li>)}</ul>
      <div class="row">
        {!gone && <Link to={`/t/${table.table}`} go={go} class="button" aria-label={t('watch_table', { names: names.join(' · ') })}>{t('watch')}</Link>}
        {!gone && open && (sitting.question ?? (
          <button ref={sitting.button} class="primary" aria-label={t('take_free_seat_at', { names: names.join(' · ') })} onClick={() => sitting.first(() => void session.takeSeat(table.table, null, name))}>{t('take_free_seat')}</button>
        ))}
        {(gone || !open) && <span class="tag">{t(gone ? 'tables_gone' : 'tables_running')}</span>}
      </div>
    </li>
  );
}
