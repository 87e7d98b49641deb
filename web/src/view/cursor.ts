import { useState } from 'preact/hooks';
import type { Colour, Square } from '../protocol/terms';

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0],
};

/** The next square in the direction of an arrow key, as the board is seen with `bottom` below; the same one at the edge. */
export function stepSquare(square: Square, key: string, bottom: Colour): Square | null {
  const step = STEPS[key];
  if (step === undefined) return null;
  const way = bottom === 'white' ? 1 : -1;
  const file = 'abcdefgh'.indexOf(square.charAt(0)) + way * step[0];
  const rank = Number(square.charAt(1)) + way * step[1];
  return file < 0 || file > 7 || rank < 1 || rank > 8 ? square : 'abcdefgh'.charAt(file) + String(rank);
}

export interface Cursor {
  /** The square that the keyboard is on; null while the board has no focus. */
  square: Square | null;
  onFocus: () => void;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Goes over a board by arrow keys; Enter and Space choose, Escape lets go. */
export function useCursor(bottom: Colour, on: { seen(square: Square): void; chosen(square: Square): void; released(): void }): Cursor {
  const [place, setPlace] = useState<Square>(bottom === 'white' ? 'e2' : 'd7');
  const [focused, setFocused] = useState(false);
  return {
    square: focused ? place : null,
    // A click gives focus, too; the cursor is for those who come by keyboard.
    onFocus: () => { setFocused(document.querySelector('.board:focus-visible') !== null); },
    onBlur: () => setFocused(false),
    onKeyDown: event => {
      const next = stepSquare(place, event.key, bottom);
      if (next !== null) {
        setPlace(next);
        setFocused(true);
        on.seen(next);
      } else if (event.key === 'Enter' || event.key === ' ') {
        on.chosen(place);
      } else if (event.key === 'Escape') {
        on.released();
        return;
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
