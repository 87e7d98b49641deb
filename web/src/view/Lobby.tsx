import type { Session, SessionState } from '../app/session';
import { t } from '../text/text';
import { CreateTable } from './CreateTable';
import { useTitle } from './hooks';
import { NameField } from './NameField';
import { OneDevice } from './OneDevice';
import { Link } from './parts';
import { PlayNow } from './PlayNow';
import { QuickPlay } from './QuickPlay';
import { TableList } from './TableList';

interface Props {
  session: Session;
  state: SessionState;
  name: string;
  rename: (name: string) => void;
  level: number;
  setLevel: (level: number) => void;
  go: (path: string) => void;
}

export function Lobby({ session, state, name, rename, level, setLevel, go }: Props) {
  useTitle(t('site'));
  const shown = name.trim();
  const { running } = state;
  return (
    <main class="lobby">
      <h1>{t('tagline')}</h1>
      <NameField name={name} rename={rename} />
      <div class="lobby-columns">
        <div class="lobby-column">
          <PlayNow name={shown} {...{ session, running, level, setLevel }} />
          <QuickPlay waiting={state.waiting} name={shown} {...{ session, running, go }} />
        </div>
        <div class="lobby-column">
          <CreateTable name={shown} {...{ session, running }} />
          <OneDevice {...{ session, running, name }} />
          {/* Not below the list, which grows. */}
          <div class="ways">
            <nav class="row" aria-label={t('rules')}>
              <Link to="/rules/tandem" go={go}>{t('rules_tandem')}</Link>
              <Link to="/rules/fog" go={go}>{t('rules_fog')}</Link>
            </nav>
            <p><Link to="/r" go={go} data-testid="import-link">{t('import_link')}</Link></p>
            <p><Link to="/privacy" go={go} data-testid="privacy-link">{t('privacy')}</Link></p>
          </div>
        </div>
        <TableList tables={state.tables} name={shown} {...{ session, running, go }} />
      </div>
    </main>
  );
}
