/** Small parts that several pages use. */
import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text/text';
import { focusIsLost } from './focus';

interface ConfirmProps {
  label: string;
  question: string;
  testId: string;
  act: () => void;
}

/** A button that asks once more before it acts. */
export function ConfirmButton({ label, question, testId, act }: ConfirmProps) {
  const asking = useQuestion(question, testId);
  return asking.question ?? <button ref={asking.button} data-testid={testId} onClick={() => asking.ask(act)}>{label}</button>;
}

interface QuestionProps {
  question: string;
  testId: string;
  yes: () => void;
  no: () => void;
}

/** Takes the keyboard to its harmless answer, so that a key that is pressed twice does nothing; Escape is that answer, too. */
function Question({ question, testId, yes, no }: QuestionProps) {
  const harmless = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => harmless.current?.focus(), []);
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    no();
  };
  return (
    <span class="confirm" role="group" aria-label={question} onKeyDown={pressed}>
      <span>{question}</span>
      <button ref={harmless} type="button" data-testid={`${testId}-cancel`} onClick={no}>{t('no')}</button>
      <button type="button" class="danger" data-testid={`${testId}-confirm`} onClick={yes}>{t('yes')}</button>
    </span>
  );
}

interface Asking {
  /** Acts after a yes. */
  ask: (act: () => void) => void;
  /** For the button that asks: it has the focus again once the question in its place is answered. */
  button: (element: HTMLButtonElement | null) => void;
  question: VNode | null;
}

function useQuestion(question: string, testId: string): Asking {
  const [asked, setAsked] = useState<{ act: () => void } | null>(null);
  const away = useRef(false);
  const button = useCallback((element: HTMLButtonElement | null): void => {
    if (element === null || !away.current) return;
    away.current = false;
    if (focusIsLost()) element.focus();
  }, []);
  const ask = (act: () => void): void => {
    away.current = true;
    setAsked({ act });
  };
  if (asked === null) return { ask, button, question: null };
  const no = (): void => setAsked(null);
  return { ask, button, question: <Question yes={() => { no(); asked.act(); }} {...{ question, testId, no }} /> };
}

export interface AskFirst extends Pick<Asking, 'button'> {
  /** Acts at once; where a match of one's own goes on elsewhere only after a yes. */
  first: (act: () => void) => void;
  /** What is asked, to stand where the button was; null when nothing is. */
  question: VNode | null;
}

/** Nobody is taken out of a running match, whose clock goes on, by a button for another table: it asks before. */
export function useAskFirst(running: string | null, testId: string): AskFirst {
  const { ask, button, question } = useQuestion(t('running_ask'), testId);
  const first = (act: () => void): void => {
    if (running === null) act();
    else ask(act);
  };
  return { first, button, question: running === null ? null : question };
}

interface CopyProps {
  /** Names the field and the button for those who do not see what they stand beside. */
  label: string;
  /** What is written above them. */
  title: string;
  link: string;
  testId: string;
}

/** A link to send to somebody, with a button that copies it. */
export function CopyLink({ label, title, link, testId }: CopyProps) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<'copied' | 'copy_by_hand' | null>(null);
  const [coded, setCoded] = useState(false);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
      setCopied('copied');
    } catch {
      // No clipboard outside secure pages: the text is selected, ready for the keyboard.
      setCopied('copy_by_hand');
    }
  };
  return (
    <div class="copy">
      <span aria-hidden="true">{title}</span>
      <input ref={field} readOnly value={link} aria-label={label} data-testid={testId} onFocus={() => field.current?.select()} />
      <button data-testid={`${testId}-copy`} onClick={() => void copy()} aria-label={`${t('copy')}: ${label}`}>{t('copy')}</button>
      <button data-testid={`${testId}-code`} onClick={() => setCoded(!coded)} aria-expanded={coded} aria-label={t('code_of', { title: label })}>{t('show_code')}</button>
      <span class="copied" role="status">{copied !== null && t(copied)}</span>
      {coded && <Code text={link} label={t('code_of', { title: label })} />}
    </div>
  );
}

/** A link as a QR code, to be read by a phone's camera. Its library comes when the first one is asked for. */
function Code({ text, label }: { text: string; label: string }) {
  const [modules, setModules] = useState<boolean[][]>([]);
  useEffect(() => {
    import('uqr').then(({ encode }) => setModules(encode(text, { border: 2 }).data), () => undefined);
  }, [text]);
  const path = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="code" role="img" aria-label={label} data-testid="code" viewBox={`0 0 ${modules.length} ${modules.length}`} shape-rendering="crispEdges">
      <path d={path} />
    </svg>
  );
}

/** On a phone: the other board large. A swipe does the same. */
export function SwapButton({ swap }: { swap: () => void }) {
  return <button class="swap" title={t('swap_long')} data-testid="swap" onClick={swap}>⇄ <span class="word">{t('swap')}</span></button>;
}

interface LinkProps {
  to: string;
  go: (path: string) => void;
  children: ComponentChildren;
  class?: string;
  'aria-label'?: string;
  'aria-current'?: 'page';
  'data-testid'?: string;
}

/** A link inside the page: no reload. */
export function Link({ to, go, children, ...rest }: LinkProps) {
  return (
    <a
      href={to}
      {...rest}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
