/** Small parts that several pages use. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text/text';

interface ConfirmProps {
  label: string;
  question: string;
  testId: string;
  act: () => void;
}

/** A button that asks once more before it acts. */
export function ConfirmButton({ label, question, testId, act }: ConfirmProps) {
  const [asking, setAsking] = useState(false);
  if (!asking) return <button data-testid={testId} onClick={() => setAsking(true)}>{label}</button>;
  return <Question yes={() => { setAsking(false); act(); }} no={() => setAsking(false)} {...{ question, testId }} />;
}

interface QuestionProps {
  question: string;
  testId: string;
  yes: () => void;
  no: () => void;
}

function Question({ question, testId, yes, no }: QuestionProps) {
  return (
    <span class="confirm" role="group" aria-label={question}>
      <span>{question}</span>
      <button type="button" class="danger" data-testid={`${testId}-confirm`} onClick={yes}>{t('yes')}</button>
      <button type="button" data-testid={`${testId}-cancel`} onClick={no}>{t('no')}</button>
    </span>
  );
}

export interface AskFirst {
  /** Acts at once; where a match of one's own goes on elsewhere only after a yes. */
  first: (act: () => void) => void;
  /** What is asked, to stand where the button was; null when nothing is. */
  question: VNode | null;
}

/** Nobody is taken out of a running match, whose clock goes on, by a button for another table: it asks before. */
export function useAskFirst(running: string | null, testId: string): AskFirst {
  const [asked, setAsked] = useState<{ act: () => void } | null>(null);
  const first = (act: () => void): void => {
    if (running === null) act();
    else setAsked({ act });
  };
  if (asked === null || running === null) return { first, question: null };
  const no = (): void => setAsked(null);
  return { first, question: <Question question={t('running_ask')} yes={() => { no(); asked.act(); }} {...{ testId, no }} /> };
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
