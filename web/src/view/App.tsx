import { useEffect, useRef, useState } from 'preact/hooks';
import { keepName, readName } from '../app/name';
import type { Route } from '../app/route';
import type { Session } from '../app/session';
import { kept } from '../connection/keeping';
import type { Language } from '../text/languages';
import { t } from '../text/text';
import { Header } from './Header';
import { PrivacyPage } from '../privacy/PrivacyPage';
import { ImportPage } from '../replay/ImportPage';
import { CONTENT, focusIsLost } from './focus';
import { useEndOf, useSession } from './hooks';
import { Lobby } from './Lobby';
import { NoSuchPage, RulesChoice } from './NoSuchPage';
import { Link } from './parts';
import { PartyPage } from './PartyPage';
import { Rules } from './Rules';
import { TablePage } from './TablePage';
import { clockTime } from './words';

const USUAL_LEVEL = 3;
const NOTICE_MS = 6_000;

interface Props {
  session: Session;
  route: Route;
  go: (path: string) => void;
  /** Another language for the whole page. */
  choose: (language: Language) => void;
}

export function App({ session, route, go, choose }: Props) {
  const state = useSession(session);
  const [name, setName] = useState(() => readName(kept));
  const [level, setLevel] = useState(USUAL_LEVEL);
  const rename = (to: string): void => {
    setName(to);
    keepName(kept, to);
  };
  useEffect(() => {
    if (state.notice === null) return undefined;
    const timer = setTimeout(() => session.dismiss(), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [session, state.notice]);
  const content = useRef<HTMLDivElement>(null);
  const path = useRef(location.pathname);
  // What led to another page is gone with its own: the keyboard goes on at the new one's beginning.
  useEffect(() => {
    if (path.current === location.pathname) return;
    path.current = location.pathname;
    if (focusIsLost()) content.current?.focus({ preventScroll: true });
  }, [route]);
  // Beside a board nobody is called away from it.
  const running = state.table?.match == null ? state.running : null;
  useEndOf(running, route.table ?? '', table => session.noteOver(table));
  return (
    <>
      <Header connection={state.connection} {...{ go, choose }} />
      <div role="status" data-testid="restart" class="restart">
        {typeof state.restart_ms === 'number' && t('restart_at', { time: clockTime(state.restart_ms) })}
      </div>
      <div ref={content} id={CONTENT} tabIndex={-1}>
        {page()}
      </div>
      {running !== null && (
        <section class="running" aria-label={t('running_game')} data-testid="running">
          <span role="status">{t('running_game')}</span>
          <Link to={`/t/${running}`} go={go} class="button primary" data-testid="running-back">{t('running_back')}</Link>
        </section>
      )}
      {state.notice !== null && (
        <div class="notice" role="alert" data-testid="notice">
          <span>{state.notice}</span>
          <button aria-label={t('dismiss')} onClick={() => session.dismiss()}>×</button>
        </div>
      )}
    </>
  );

  function page() {
    if (route.unknown) return <NoSuchPage go={go} />;
    if (route.rules === 'choice') return <RulesChoice go={go} />;
    if (route.rules !== null) return <Rules game={route.rules} go={go} />;
    if (route.privacy) return <PrivacyPage go={go} />;
    if (route.import) return <ImportPage go={go} />;
    if (route.party !== null) return <PartyPage party={route.party} {...{ session, state, name, rename, go }} />;
    if (route.table === null) return <Lobby {...{ session, state, name, rename, level, setLevel, go }} />;
    return <TablePage invited={route.seat} replay={route.replay} {...{ session, state, name, rename, level, go }} />;
  }
}
