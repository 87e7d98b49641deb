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
  testId: string;
  /** Club profile with a move on the board: the clock is pressed to send it. */
  press: (() => void) | null;
}

export function Clock({ clocks, received_ms, seat, name, over, testId, press }: Props) {
  const shown = useRef<HTMLSpanElement>(null);
  const running = !over && clocks.running[seat] === true;
  useFrames(running, () => {
    const element = shown.current;
    if (element === null) return;
    const left = remainingAt(clocks, seat, received_ms, over ? received_ms : performance.now());
    const text = digits(clockText(left));
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle('low', left < 20_000);
  });
  const className = `clock${running ? ' running' : ''}`;
  if (press !== null) {
    return (
      <button class={`${className} press`} data-testid={testId} aria-label={t('press_clock')} onClick={press}>
        <span ref={shown} />
      </button>
    );
  }
  return (
    <div class={className} data-testid={testId} role="timer" aria-label={t('clock_of', { name })}>
      <span ref={shown} />
    </div>
  );
}
