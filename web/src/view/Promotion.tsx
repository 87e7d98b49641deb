import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Colour, Square } from '../protocol/terms';
import type { Role } from '../state/position';
import { t } from '../text/text';
import { useFocusBack } from './focus';

const CHOICES: [string, Role][] = [['q', 'queen'], ['r', 'rook'], ['b', 'bishop'], ['n', 'knight']];

interface Props {
  square: Square;
  colour: Colour;
  bottom: Colour;
  choose: (letter: string) => void;
  cancel: () => void;
}

/**
 * Four pieces in the file of the promotion square, from the edge inwards: at the top, unless the board is turned round. As
 * long as they are asked for the keyboard is theirs; then it goes back to where it was, mostly the board's cursor.
 */
export function Promotion({ square, colour, bottom, choose, cancel }: Props) {
  const choices = useRef<HTMLDivElement>(null);
  useFocusBack();
  useLayoutEffect(() => choices.current?.querySelector('button')?.focus(), []);
  const pressed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') cancel();
    if (event.key !== 'Tab') return;
    event.preventDefault();
    const buttons = [...choices.current?.querySelectorAll('button') ?? []];
    const now = buttons.findIndex(button => button === document.activeElement);
    buttons.at((now + (event.shiftKey ? -1 : 1)) % buttons.length)?.focus();
  };
  const file = 'abcdefgh'.indexOf(square.charAt(0));
  const column = bottom === 'white' ? file : 7 - file;
  return (
    <div
      class="promotion"
      role="dialog"
      aria-modal="true"
      aria-label={t('promote_heading')}
      data-testid="promotion"
      onClick={cancel}
      onKeyDown={pressed}
    >
      <div ref={choices} class={`choices${bottom === colour ? '' : ' low'}`} style={{ left: `${column * 12.5}%` }}>
        {CHOICES.map(([letter, role]) => (
          <button
            key={letter}
            class="cg-wrap"
            data-testid={`promote-${letter}`}
            aria-label={t('promote_to', { piece: t(role) })}
            onClick={event => { event.stopPropagation(); choose(letter); }}
          >
            <piece class={`${role} ${colour}`} />
          </button>
        ))}
      </div>
    </div>
  );
}
