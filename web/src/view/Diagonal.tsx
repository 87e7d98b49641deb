import { useRef } from 'preact/hooks';
import type { Clocks } from '../protocol/frames';
import type { SeatNumber } from '../protocol/terms';
import { diagonalAt, diagonalText } from '../state/diagonal';
import { digits, t } from '../text/text';
import { useFrames } from './hooks';

interface Props {
  clocks: Clocks;
  received_ms: number;
  lost_ms: number | null;
  seat: SeatNumber;
  name: string;
  testId: string;
}

/** How much more time a player has than the partner's opponent: who has more may sit and wait. */
export function Diagonal({ clocks, received_ms, lost_ms, seat, name, testId }: Props) {
  const shown = useRef<HTMLSpanElement>(null);
  useFrames(lost_ms === null && clocks.running.includes(true), () => {
    const element = shown.current;
    if (element === null) return;
    const difference_ms = diagonalAt(clocks, seat, received_ms, lost_ms ?? performance.now());
    const text = digits(diagonalText(difference_ms));
    if (element.textContent === text) return;
    element.textContent = text;
    element.title = t('diagonal', { name, difference: text });
    element.classList.toggle('behind', difference_ms < -1000);
  });
  return <span class="diagonal" dir="ltr" data-testid={testId} ref={shown} />;
}
