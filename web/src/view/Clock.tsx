import { useRef } from 'preact/hooks';
import type { Clocks } from '../protocol/frames';
import type { SeatNumber } from '../protocol/terms';
import { clockText, remainingAt } from '../state/clocks';
import { digits, t } from '../text/text';
import { useFrames } from './hooks';

interface Props {
  clocks: Clocks;
  received_ms: number;
  seat: SeatNumber;
  name: string;
  over: boolean;
  /** Since when nothing is heard of the clocks: they may run or stand, and are shown as they were then. */
  lost_ms: number | null;
  testId: string;
  /** Club profile with a move on the board: the clock is pressed to send it. */
  press: (() => void) | null;
}

export function Clock({ clocks, received_ms, seat, name, over, lost_ms, testId, press }: Props) {
  const shown = useRef<HTMLSpanElement>(null);
  const unknown = !over && lost_ms !== null;
  const running = !over && !unknown && clocks.running[seat] === true;
  useFrames(running, () => {
    const element = shown.current;
    if (element === null) return;
    const left = remainingAt(clocks, seat, received_ms, over ? received_ms : lost_ms ?? performance.now());
    const text = digits(clockText(left));
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle('low', left < 20_000);
  });
  const className = `clock${running ? ' running' : ''}${unknown ? ' unknown' : ''}`;
  if (press !== null) {
    return (
      <button class={`${className} press`} data-testid={testId} aria-label={t('press_clock')} onClick={press}>
        <span ref={shown} />
      </button>
    );
  }
  return (
    <div class={className} data-testid={testId} role="timer" aria-label={t(unknown ? 'clock_unknown' : 'clock_of', { name })}>
      <span ref={shown} />
    </div>
  );
}
