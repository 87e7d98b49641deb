import { useState } from 'preact/hooks';
import type { Session } from '../app/session';
import type { MatchView, Result, TableFrame } from '../protocol/frames';
import { t } from '../text/text';
import { MovedNote } from './Actions';
import { Link } from './parts';
import { namesOf, resultWords } from './words';

interface Props {
  session: Session;
  match: MatchView;
  result: Result;
  table: TableFrame | null;
  /** Both players look at this. */
  both: boolean;
  /** The seat is held from another window. */
  moved: boolean;
  go: (path: string) => void;
}

/** Who won, by which rule, and the way to the next match. */
export function ResultBanner({ session, match, result, table, both, moved, go }: Props) {
  const [rotate, setRotate] = useState(false);
  const { title, detail } = resultWords(both ? { ...match, you: null } : match, result);
  const rematch = table?.rematch;
  const you = match.you;
  const agreed = you !== null && rematch?.agreed.includes(you) === true;
  const next = rematch?.next_table ?? '';
  const ask = (agree: boolean): void => void session.act({ t: 'rematch', agree, rotate: agree && rotate });
  return (
    <section class="result card" data-testid="result" data-reason={result.reason} data-winner={result.winner ?? ''} role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      <div class="row">
        {next !== '' && <Link to={`/t/${next}`} go={go} class="button primary">{t('rematch_follow')}</Link>}
        {next === '' && you !== null && !agreed && (
          <>
            <button class="primary" data-testid="rematch" onClick={() => ask(true)}>{t('rematch')}</button>
            {match.variant === 'tandem' && (
              <label class="check">
                <input type="checkbox" checked={rotate} onChange={event => setRotate(event.currentTarget.checked)} /> {t('rematch_rotate')}
              </label>
            )}
          </>
        )}
        {next === '' && agreed && <button data-testid="rematch-take-back" onClick={() => ask(false)}>{t('rematch_take_back')}</button>}
        <Link to={`/r/${match.table}`} go={go} class="button" data-testid="to-replay">{t('replay')}</Link>
        <a class="button" href={`/api/tables/${match.table}/export`} download>{t('export_game')}</a>
        <Link to="/" go={go} class="button">{t('lobby')}</Link>
      </div>
      {moved && <MovedNote session={session} />}
      {rematch !== undefined && rematch.agreed.length > 0 && (
        <p data-testid="rematch-agreed">{t('rematch_agreed', { names: namesOf(match.seats, rematch.agreed) })}</p>
      )}
    </section>
  );
}
