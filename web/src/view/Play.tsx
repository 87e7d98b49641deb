import type { Session, SessionState } from '../app/session';
import type { MatchView } from '../protocol/frames';
import type { TableState } from '../state/table';
import { perspective } from '../state/seating';
import { t } from '../text/text';
import { Actions } from './Actions';
import { BoardArea } from './BoardArea';
import { MoveList } from './MoveList';
import { CopyLink } from './parts';
import { ResultBanner } from './ResultBanner';
import { Talk } from './Talk';
import { gameText } from './words';

interface Props {
  session: Session;
  state: SessionState;
  table: TableState;
  match: MatchView;
  go: (path: string) => void;
}

/** A match that runs or has ended. */
export function Play({ session, state, table, match, go }: Props) {
  const tandem = match.variant === 'tandem';
  return (
    <main class={`play ${match.variant}`} data-testid="play">
      <h1 class="unseen">{t('table_heading', { game: gameText(match) })}</h1>
      {perspective(match.variant, match.you).map(({ board, bottom }, index) => (
        <BoardArea
          key={board}
          name={board}
          place={index === 0 ? 'own' : 'partner'}
          received_ms={table.clocks_at_ms}
          {...{ session, state, match, bottom }}
        />
      ))}
      <div class="side">
        {match.result === null
          ? <Actions {...{ session, state, match }} />
          : <ResultBanner result={match.result} table={table.table} {...{ session, match, go }} />}
      </div>
      <div class="panel">
        {match.you === null && <p class="card watching">{t('watching')}</p>}
        {tandem && <Talk lines={table.talk} {...{ session, match }} />}
        <MoveList match={match} />
        {match.result === null && <CopyLink label={t('watch_link')} title={t('watch_link')} link={`${location.origin}/t/${match.table}`} testId="watch-link" />}
      </div>
    </main>
  );
}
