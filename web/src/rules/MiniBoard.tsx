import { useRef, useState } from 'preact/hooks';
import type { Square } from '../protocol/terms';
import { ROLES } from '../state/position';
import { t } from '../text/text';

interface Props {
  label: string;
  pieces: string;
  last: Square[];
  promoted: Square[];
  mark: Square | null;
  /** Squares that can be chosen. */
  open: ReadonlySet<Square>;
  /** Squares that the chosen piece can go to. */
  targets: ReadonlySet<Square>;
  chosen: string | null;
  choose: (square: Square) => void;
}

const SQUARES = Array.from({ length: 64 }, (_, index) => `${'abcdefgh'.charAt(index % 8)}${8 - Math.floor(index / 8)}`);
const STEPS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A board of buttons, White at the bottom: by touch, by mouse, or by the arrow keys and Enter. */
export function MiniBoard({ label, pieces, last, promoted, mark, open, targets, chosen, choose }: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(60);
  const walk = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const file = Math.min(7, Math.max(0, current % 8 + step[0]));
    const rank = Math.min(7, Math.max(0, Math.floor(current / 8) + step[1]));
    setCurrent(rank * 8 + file);
    (grid.current?.children[rank * 8 + file] as HTMLElement | undefined)?.focus();
  };
  return (
    <div ref={grid} class="mini cg-wrap" role="group" aria-label={label} onKeyDown={walk}>
      {SQUARES.map((square, index) => {
        const letter = pieces.charAt(index);
        const marks = [
          letter === '?' && 'fogged', last.includes(square) && 'last', targets.has(square) && 'target',
          chosen === square && 'chosen', promoted.includes(square) && 'promoted', mark === square && 'fallen',
        ].filter(Boolean).join(' ');
        return (
          <button
            key={square}
            class={`${(index + Math.floor(index / 8)) % 2 === 0 ? 'light' : 'dark'} ${marks}`}
            tabIndex={index === current ? 0 : -1}
            aria-label={squareText(square, letter)}
            aria-disabled={!open.has(square) && !targets.has(square)}
            aria-pressed={chosen === square}
            data-square={square}
            onFocus={() => setCurrent(index)}
            onClick={() => choose(square)}
          >
            {/[a-z]/i.test(letter) && <piece class={`${roleOf(letter)} ${colourOf(letter)}`} />}
          </button>
        );
      })}
    </div>
  );
}

const roleOf = (letter: string) => ROLES[letter.toUpperCase()] ?? 'pawn';
const colourOf = (letter: string): 'white' | 'black' => (letter === letter.toUpperCase() ? 'white' : 'black');

function squareText(square: Square, letter: string): string {
  if (letter === '?') return t('square_fog', { square });
  if (letter === '.') return t('square_empty', { square });
  return t('square_piece', { square, colour: t(colourOf(letter)), piece: t(roleOf(letter)) });
}
