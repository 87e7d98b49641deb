import { useLayoutEffect, useRef } from 'preact/hooks';

/** Single keys for the whole page: `f`, `3`, `shift+3`, `escape`, `arrowleft`. Nobody who writes in a field is disturbed. */
export function useKeys(enabled: boolean, keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // At once: whoever sees the page may press a key.
  useLayoutEffect(() => {
    if (!enabled) return undefined;
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      const name = keyName(event);
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest('input:not([type="checkbox"]):not([type="range"]), textarea, select, [contenteditable]') != null && name !== 'escape') return;
      // A button's own keys stay the button's.
      if (name === 'space' && target?.closest('button, summary, input[type="checkbox"], [role="application"]') != null) return;
      const act = latest.current[name];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [enabled]);
}

/** Letters by what they are where the keyboard has Latin ones, else, like digits, by their place. */
export function keyName({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const place = /^(?:Digit|Numpad)(\d)$|^Key([A-Z])$/.exec(code);
  if (place?.[1] !== undefined) return `${shiftKey ? 'shift+' : ''}${place[1]}`;
  return (place?.[2] ?? (key === ' ' ? 'space' : key)).toLowerCase();
}
