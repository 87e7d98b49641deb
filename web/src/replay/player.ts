import { useEffect, useRef, useState } from 'preact/hooks';
import type { Move } from '../protocol/frames';
import { countAt, momentOf } from './replay';

const TICK_MS = 100;
const STEADY_MS = 1_000;

/** How autoplay goes: a factor of true time, or a move a second whatever the players took. */
export type Speed = number | 'steady';

export interface Player {
  count: number;
  at_ms: number;
  playing: boolean;
  /** To a number of moves; stops playing. */
  go: (count: number) => void;
  toggle: () => void;
}

interface Moment {
  count: number;
  at_ms: number;
}

/** Steps through a match, by hand or by itself. `end_ms` is the match's end, which may be later than its last move. */
export function usePlayer(moves: Move[], end_ms: number, first: number, speed: Speed): Player {
  const at = (count: number): Moment => ({ count, at_ms: count === moves.length ? end_ms : momentOf(moves, count) });
  const [moment, setMoment] = useState(() => at(first));
  const [playing, setPlaying] = useState(false);
  const over = moment.count === moves.length && moment.at_ms >= end_ms;
  const last = useRef(0);
  useEffect(() => {
    if (!playing) return undefined;
    if (over) {
      setPlaying(false);
      return undefined;
    }
    last.current = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const passed = now - last.current;
      if (speed === 'steady' && passed < STEADY_MS) return;
      last.current = now;
      setMoment(before => {
        if (speed === 'steady') return at(before.count + 1);
        const at_ms = Math.min(end_ms, before.at_ms + passed * speed);
        return { count: countAt(moves, at_ms), at_ms };
      });
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing, over, speed, moves]);
  return {
    ...moment,
    playing,
    go: count => {
      setPlaying(false);
      setMoment(at(Math.max(0, Math.min(moves.length, count))));
    },
    toggle: () => {
      if (!playing && over) setMoment(at(0));
      setPlaying(!playing);
    },
  };
}
