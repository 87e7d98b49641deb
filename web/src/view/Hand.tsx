import type { Colour } from '../protocol/terms';
import { HAND_ORDER, ROLES, countHand, type HandLetter } from '../state/position';
import { digits, t } from '../text/text';

interface Props {
  hand: string;
  colour: Colour;
  name: string;
  testId: string;
  /** The piece chosen to be dropped by a click on the board. */
  chosen: HandLetter | null;
  /** Null where the viewer cannot drop. A kind that is not in hand may be queued. `event` is null from the keyboard. */
  grab: ((letter: HandLetter, event: MouseEvent | TouchEvent | null) => void) | null;
}

/** All five kinds always have their place, so that nothing moves when a piece arrives. */
export function Hand({ hand, colour, name, testId, chosen, grab }: Props) {
  const count = countHand(hand);
  return (
    <div class="hand" data-testid={testId} data-hand={hand} role="group" aria-label={t('hand_of', { name })}>
      {HAND_ORDER.map(letter => (
        <Slot key={letter} {...{ letter, colour, grab }} count={count[letter]} chosen={chosen === letter} testId={`${testId}-${letter.toLowerCase()}`} />
      ))}
    </div>
  );
}

interface SlotProps {
  letter: HandLetter;
  colour: Colour;
  count: number;
  chosen: boolean;
  testId: string;
  grab: Props['grab'];
}

function Slot({ letter, colour, count, chosen, testId, grab }: SlotProps) {
  const role = ROLES[letter] ?? 'pawn';
  const piece = t(role);
  const className = `slot cg-wrap${count === 0 ? ' none' : ''}${chosen ? ' chosen' : ''}`;
  const content = (
    <>
      <piece class={`${role} ${colour}`} />
      {count > 1 && <span class="count">{digits(count)}</span>}
    </>
  );
  if (grab === null) {
    return <span class={className} data-testid={testId} role="img" aria-label={t('in_hand', { piece, count })}>{content}</span>;
  }
  const start = (event: MouseEvent | TouchEvent): void => {
    if (event instanceof MouseEvent && event.button !== 0) return;
    grab(letter, event);
  };
  return (
    <button
      class={className}
      data-testid={testId}
      aria-label={t(count === 0 ? 'queue_drop' : 'drop_piece', { piece, count })}
      aria-pressed={chosen}
      onMouseDown={start}
      onTouchStart={start}
      onClick={event => { if (event.detail === 0) grab(letter, null); }}
    >
      {content}
    </button>
  );
}
