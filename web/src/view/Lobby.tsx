import type { Session } from '../app/session';
import { t } from '../text/text';
import { CreateTable } from './CreateTable';
import { useTitle } from './hooks';
import { NameField } from './NameField';
import { Link } from './parts';
import { PlayNow } from './PlayNow';
import { TableList } from './TableList';

interface Props {
  session: Session;
  name: string;
  rename: (name: string) => void;
  level: number;
  setLevel: (level: number) => void;
  go: (path: string) => void;
}

export function Lobby({ session, name, rename, level, setLevel, go }: Props) {
  useTitle(t('site'));
  const shown = name.trim();
  return (
    <main class="lobby">
      <h1>{t('tagline')}</h1>
      <NameField name={name} rename={rename} />
      <div class="lobby-columns">
        <PlayNow name={shown} {...{ session, level, setLevel }} />
        <CreateTable session={session} name={shown} />
        <TableList session={session} name={shown} go={go} />
      </div>
      <nav class="row" aria-label={t('rules')}>
        <Link to="/rules/tandem" go={go}>{t('rules_tandem')}</Link>
        <Link to="/rules/fog" go={go}>{t('rules_fog')}</Link>
      </nav>
    </main>
  );
}
