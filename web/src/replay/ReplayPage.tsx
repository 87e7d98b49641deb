import { useEffect, useState } from 'preact/hooks';
import type { MatchView } from '../protocol/frames';
import { t } from '../text/text';
import { useTitle } from '../view/hooks';
import { Link } from '../view/parts';
import { gameText } from '../view/words';
import type { Replay } from './replay';
import { ReplayView } from './ReplayView';

/** A finished match, fetched once it is over; a link to the table before. */
export function ReplayPage({ match, go }: { match: MatchView; go: (path: string) => void }) {
  const [replay, setReplay] = useState<Replay | 'loading' | 'failed'>('loading');
  const over = match.result !== null;
  useTitle(`${t('replay_heading', { game: gameText(match) })} – ${t('site')}`);
  useEffect(() => {
    if (!over) return undefined;
    const aborted = new AbortController();
    fetch(`/api/tables/${match.table}/replay`, { signal: aborted.signal })
      .then(async answer => setReplay(answer.ok ? await answer.json() as Replay : 'failed'))
      .catch(() => { if (!aborted.signal.aborted) setReplay('failed'); });
    return () => aborted.abort();
  }, [match.table, over]);
  if (over && typeof replay === 'object') return <ReplayView {...{ match, replay, go }} />;
  const text = over ? t(replay === 'failed' ? 'replay_failed' : 'replay_loading') : t('replay_running');
  return (
    <main class="message">
      <h1>{t('replay')}</h1>
      <p role="status" data-testid="replay-status">{text}</p>
      <Link to={`/t/${match.table}`} go={go} class="button primary">{t('replay_to_table')}</Link>
    </main>
  );
}
