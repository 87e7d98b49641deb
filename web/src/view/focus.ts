/** Where the keyboard is: nobody who plays by it loses the place when a part of the page comes or goes. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The page's own part, below the header; it has the focus where nothing in it has. */
export const CONTENT = 'content';

/** Nothing has the focus that can be used: what had it is gone, or is of no use any more. */
export function focusIsLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.id === CONTENT || activeElement.closest('[inert]') !== null;
}

/** When this part goes, the focus returns to what had it before this part came. */
export function useFocusBack(): void {
  const before = useRef(document.activeElement);
  useLayoutEffect(() => () => {
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus({ preventScroll: true });
  }, []);
}
