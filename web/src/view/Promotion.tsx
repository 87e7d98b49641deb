import { useEffect, useRef } from 'preact/hooks';
import type { Colour, Square } from '../protocol/terms';
import type { Role } from '../state/position';
import { t } from '../text/text';

const CHOICES: [string, Role][] = [['q', 'queen'], ['r', 'rook'], ['b', 'bishop'], ['n', 'knight']];

interface Props {
  square: Square;
  colour: Colour;
  bottom: Colour;
  choose: (letter: string) => void;
  cancel: () => void;
}

/** Four pieces in the file of the promotion square, from the edge inwards: at the top, unless the board is turned round. */
export function Promotion({ square, colour, bottom, choose, cancel }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const file = 'abcdefgh'.indexOf(square.charAt(0));
  const column = bottom === 'white' ? file : 7 - file;
  return (
    <div
      class="promotion"
      role="dialog"
      aria-label={t('promote_heading')}
      data-testid="promotion"
      onClick={cancel}
      onKeyDown={event => { if (event.key === 'Escape') cancel(); }}
    >
      <div class={`choices${bottom === colour ? '' : ' low'}`} style={{ left: `${column * 12.5}%` }}>
        {CHOICES.map(([letter, role], index) => (
          <button
            key={letter}
            class="cg-wrap"
            ref={index === 0 ? first : null}
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
