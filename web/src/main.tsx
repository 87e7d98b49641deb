import { render } from 'preact';
import { Connection } from './connection/connection';

const root = document.getElementById('app');
if (root !== null) {
  const show = (text: string): void => render(<p role="status">{text}</p>, root);
  show('…');
  const socket = (): WebSocket => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
  new Connection(socket, 'p', {
    opened: () => {
      show('tandemfog');
      return Promise.resolve();
    },
    lost: () => show('…'),
    pushed: () => undefined,
  }).start();
}
