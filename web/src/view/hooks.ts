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

/**
 * Asks, each time a page beside the table is opened or its tab is come back to, whether a match that this browser left
 * running has ended meanwhile: nobody tells who does not watch it.
 */
export function useEndOf(running: string | null, page: string, over: (table: string) => void): void {
  useEffect(() => {
    if (running === null) return undefined;
    const aborted = new AbortController();
    const ask = (): void => {
      // Refused as long as it runs (409), and unknown (404) once it has been cleared away.
      fetch(`/api/tables/${running}/export`, { method: 'HEAD', signal: aborted.signal })
        .then(answer => { if (answer.ok || answer.status === 404) over(running); }, () => undefined);
    };
    ask();
    addEventListener('focus', ask);
    return () => {
      removeEventListener('focus', ask);
      aborted.abort();
    };
  }, [running, page]);
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
