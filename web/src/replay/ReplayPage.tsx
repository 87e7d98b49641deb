import { useEffect, useState } from 'preact/hooks';
import type { MatchView } from '../protocol/frames';
import { t } from '../text/text';
import { useTitle } from '../view/hooks';
import { CopyLink, Link } from '../view/parts';
import { gameText } from '../view/words';
import type { Replay } from './replay';
import { ReplayView } from './ReplayView';

/** A finished match, fetched once it is over; a link to the table before. */
export function ReplayPage({ match, go }: { match: MatchView; go: (path: string) => void }) {
  const [replay, setReplay] = useState<Replay | 'loading' | 'failed'>('loading');
  const over = match.result !== null;
  const heading = t('replay_heading', { game: gameText(match) });
  useTitle(`${heading} – ${t('site')}`);
  useEffect(() => {
    if (!over) return undefined;
    const aborted = new AbortController();
    fetch(`/api/tables/${match.table}/replay`, { signal: aborted.signal })
      .then(async answer => setReplay(answer.ok ? await answer.json() as Replay : 'failed'))
      .catch(() => { if (!aborted.signal.aborted) setReplay('failed'); });
    return () => aborted.abort();
  }, [match.table, over]);
  const ways = (count: number) => (
    <>
      <a class="button" href={`/api/tables/${match.table}/export`} data-testid="replay-export" download>{t('export_game')}</a>
      <Link to={`/t/${match.table}`} go={go} class="button">{t('replay_to_table')}</Link>
      <Link to="/r" go={go} class="button">{t('import_link')}</Link>
      <CopyLink label={t('replay_link')} title={t('replay_link')} link={`${location.origin}/r/${match.table}#${count}`} testId="replay-link" />
    </>
  );
  if (over && typeof replay === 'object') return <ReplayView {...{ match, replay, heading, ways }} />;
  const text = over ? t(replay === 'failed' ? 'replay_failed' : 'replay_loading') : t('replay_running');
  return (
    <main class="message">
      <h1>{t('replay')}</h1>
      <p role="status" data-testid="replay-status">{text}</p>
      <Link to={`/t/${match.table}`} go={go} class="button primary">{t('replay_to_table')}</Link>
    </main>
  );
}
