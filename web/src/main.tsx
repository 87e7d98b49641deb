import { render } from 'preact';
import 'chessground/assets/chessground.base.css';
import 'chessground/assets/chessground.cburnett.css';
import { routeOf } from './app/route';
import { Session } from './app/session';
import { kept, keptInTab } from './connection/keeping';
import { LANGUAGES, firstLanguage, keepLanguage, readLanguage, type Language } from './text/languages';
import { language, speak, t } from './text/text';
import { App } from './view/App';
import './view/style/page.css';
import './view/style/reading.css';
import './view/style/board.css';
import './view/style/play.css';

function start(root: HTMLElement): void {
  const go = (path: string): void => {
    history.pushState(null, '', path);
    scrollTo(0, 0);
    show();
  };
  const lifted = new BroadcastChannel('tandemfog.lifted');
  const session = new Session({
    socket: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`),
    storage: kept,
    tab: keptInTab,
    now_ms: () => performance.now(),
    date_ms: () => Date.now(),
    id: Array.from(crypto.getRandomValues(new Uint32Array(3)), part => part.toString(36)).join(''),
    navigate: go,
    tellLifted: table => lifted.postMessage(table),
  });
  lifted.onmessage = ({ data }) => session.liftedElsewhere(String(data));
  // Of every tab that is shown it knows which matches go on.
  addEventListener('storage', () => session.lookForRunning());
  const show = (): void => {
    const route = routeOf(location.pathname);
    session.visit(route.table);
    render(<App session={session} route={route} go={go} choose={choose} />, root);
  };
  const choose = (wanted: Language): void => {
    keepLanguage(kept, wanted);
    speak(wanted).then(() => { declareLanguage(); show(); }, () => session.notify(t('load_failed')));
  };
  addEventListener('popstate', show);
  show();
}

/** Tells the browser how to read, hyphenate and lay out the page. */
function declareLanguage(): void {
  document.documentElement.lang = language();
  document.documentElement.dir = LANGUAGES[language()].direction;
}

const root = document.getElementById('app');
if (root !== null) {
  // Without its language the page still comes, in English.
  await speak(firstLanguage(readLanguage(kept), navigator.languages)).catch(() => undefined);
  declareLanguage();
  start(root);
}
