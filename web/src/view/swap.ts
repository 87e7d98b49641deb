import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** As in play.css; on its side a phone has both boards beside one another. */
const PHONE = '(max-width: 539px), (max-width: 700px) and (min-height: 521px)';
const FAR_PX = 50;
const WITHIN_MS = 700;
/** Where a finger has something else to do: pieces are dragged, lists scrolled, fields filled in. */
const NOT_FROM = 'button, input, select, textarea, a, summary, ol, ul, .slot, [role="dialog"]';

export interface Swap {
  /** On a phone one board is large and the other small beside the buttons. */
  phone: boolean;
  /** The second board is the large one. */
  swapped: boolean;
  swap: () => void;
  /** The element that is swiped over. */
  area: RefObject<HTMLElement | null>;
}

/** Which of two boards is large on a phone: changed by a swipe from side to side, or by whoever calls `swap`. */
export function useSwap(two: boolean): Swap {
  const [phone, setPhone] = useState(() => matchMedia(PHONE).matches);
  const [swapped, setSwapped] = useState(false);
  const area = useRef<HTMLElement>(null);
  const swap = (): void => setSwapped(before => !before);
  useEffect(() => {
    const media = matchMedia(PHONE);
    const follow = (): void => setPhone(media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  useEffect(() => {
    const element = area.current;
    if (element === null || !two || !phone) return undefined;
    let from: { x: number; y: number; at_ms: number } | null = null;
    const began = (event: TouchEvent): void => {
      const touch = event.touches[0];
      from = event.touches.length === 1 && touch !== undefined && maySwipe(event.target, touch.clientX, touch.clientY)
        ? { x: touch.clientX, y: touch.clientY, at_ms: event.timeStamp }
        : null;
    };
    // From side to side nothing is scrolled: no glide goes on that would swallow the next tap.
    const moved = (event: TouchEvent): void => {
      const touch = event.touches[0];
      if (from === null || touch === undefined || !event.cancelable) return;
      if (Math.abs(touch.clientX - from.x) > Math.abs(touch.clientY - from.y)) event.preventDefault();
    };
    const ended = (event: TouchEvent): void => {
      const touch = event.changedTouches[0];
      if (from === null || touch === undefined) return;
      const aside = Math.abs(touch.clientX - from.x);
      if (aside >= FAR_PX && aside > 2 * Math.abs(touch.clientY - from.y) && event.timeStamp - from.at_ms < WITHIN_MS) swap();
      from = null;
    };
    const lost = (): void => { from = null; };
    element.addEventListener('touchstart', began, { passive: true });
    element.addEventListener('touchmove', moved, { passive: false });
    element.addEventListener('touchend', ended, { passive: true });
    element.addEventListener('touchcancel', lost, { passive: true });
    return () => {
      element.removeEventListener('touchstart', began);
      element.removeEventListener('touchmove', moved);
      element.removeEventListener('touchend', ended);
      element.removeEventListener('touchcancel', lost);
    };
  }, [two, phone]);
  return { phone, swapped: swapped && phone && two, swap, area };
}

/** On a board that is played on, a finger on a piece drags it, and with something chosen it plays. */
function maySwipe(target: EventTarget | null, x: number, y: number): boolean {
  if (!(target instanceof Element) || target.closest(NOT_FROM) !== null) return false;
  const board = target.closest('.cg-wrap.manipulable');
  if (board === null) return true;
  if (board.querySelector('square.selected') !== null || document.querySelector('.slot.chosen') !== null) return false;
  return ![...board.querySelectorAll('piece')].some(piece => {
    const box = piece.getBoundingClientRect();
    return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
  });
}
