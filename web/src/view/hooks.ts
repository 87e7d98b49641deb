import { useEffect, useState } from 'preact/hooks';
import type { Session, SessionState } from '../app/session';

/** The session's state, drawn again at each change. */
export function useSession(session: Session): SessionState {
  const [state, setState] = useState(session.state);
  useEffect(() => {
    setState(session.state);
    return session.subscribe(() => setState(session.state));
  }, [session]);
  return state;
}

/** The name of the browser's tab while this page is shown. */
export function useTitle(title: string): void {
  useEffect(() => { document.title = title; }, [title]);
}

/** Runs `draw` before each frame while `running`, and once when anything it depends on changes. */
export function useFrames(running: boolean, draw: () => void): void {
  useEffect(() => {
    draw();
    if (!running) return undefined;
    let request = requestAnimationFrame(function next() {
      draw();
      request = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(request);
  });
}
