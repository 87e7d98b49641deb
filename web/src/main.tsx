import { render } from 'preact';
import 'chessground/assets/chessground.base.css';
import 'chessground/assets/chessground.cburnett.css';
import { routeOf } from './app/route';
import { Session } from './app/session';
import { App } from './view/App';
import './view/style/page.css';
import './view/style/board.css';
import './view/style/play.css';

function start(root: HTMLElement): void {
  const go = (path: string): void => {
    history.pushState(null, '', path);
    show();
  };
  const session = new Session({
    socket: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`),
    storage: localStorage,
    now_ms: () => performance.now(),
    date_ms: () => Date.now(),
    id: Array.from(crypto.getRandomValues(new Uint32Array(3)), part => part.toString(36)).join(''),
    navigate: go,
  });
  const show = (): void => {
    const route = routeOf(location.pathname);
    session.visit(route.table);
    render(<App session={session} route={route} go={go} />, root);
  };
  addEventListener('popstate', show);
  show();
}

const root = document.getElementById('app');
if (root !== null) start(root);
