import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../app/session';
import type { MatchView, Talk as Line } from '../protocol/frames';
import { QUICK_MESSAGES, type QuickMessage } from '../protocol/terms';
import { partnerOf, placeOf } from '../state/seating';
import { digits, t } from '../text/text';
import { useKeys } from './keys';
import { nameOf, quickText } from './words';

const PIECES = ['pawn', 'knight', 'bishop', 'rook', 'queen'] as const;
const OTHERS = QUICK_MESSAGES.filter(quick => !quick.startsWith('need_') && !quick.startsWith('no_'));
const LONGEST = 200;
/** The digits stand for the pieces in their order, with Shift for those not to give. */
const WORD_KEYS: Partial<Record<QuickMessage, string>> = {
  trades_good: 't', trades_bad: 'k', sit: 's', go: 'g', i_mate: 'x', they_mate: 'w', yes: 'y', no: 'n', thanks: 'h', sorry: 'o',
};
const QUICK_KEYS: [string, QuickMessage][] = [
  ...PIECES.flatMap((piece, index): [string, QuickMessage][] => [
    [String(index + 1), `need_${piece}`], [`shift+${index + 1}`, `no_${piece}`],
  ]),
  ...OTHERS.flatMap((quick): [string, QuickMessage][] => [[WORD_KEYS[quick] ?? '', quick]]),
];
const keyOf = (quick: QuickMessage): string => (QUICK_KEYS.find(([, said]) => said === quick)?.[0] ?? '').toUpperCase().replace('SHIFT', 'Shift');
const titleOf = (quick: QuickMessage): string => `${quickText(quick)} (${digits(keyOf(quick))})`;

/** What partners say to each other: the log, quick messages, free text. */
export function Talk({ session, match, lines, keys }: { session: Session; match: MatchView; lines: Line[]; keys: boolean }) {
  const [text, setText] = useState('');
  const [reported, setReported] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => setReported(new Set()), [match.table]);
  const log = useRef<HTMLUListElement>(null);
  useEffect(() => { if (log.current !== null) log.current.scrollTop = log.current.scrollHeight; }, [lines.length]);
  const say = (quick: QuickMessage): void => void session.act({ t: 'say', quick });
  useKeys(keys && match.you !== null, Object.fromEntries(QUICK_KEYS.map(([key, quick]) => [key, () => say(quick)])));
  if (match.you === null) return null;
  const partner = partnerOf(match.you);
  const send = async (): Promise<void> => {
    const said = text.trim();
    if (said !== '' && await session.act({ t: 'say', text: said })) setText('');
  };
  const report = async (number: number): Promise<void> => {
    if (await session.act({ t: 'report', number })) setReported(new Set([...reported, number]));
  };
  const pieceRow = (prefix: 'need' | 'no', label: string) => (
    <div class="quick-row" role="group" aria-label={label}>
      <span>{label}</span>
      {PIECES.map(piece => {
        const quick = `${prefix}_${piece}` as const;
        return (
          <button key={piece} class="cg-wrap" data-testid={`say-${quick}`} aria-label={quickText(quick)} title={titleOf(quick)} aria-keyshortcuts={keyOf(quick)} onClick={() => say(quick)}>
            <piece class={`${piece} ${placeOf(match.you ?? 0).colour}`} />
          </button>
        );
      })}
    </div>
  );
  return (
    <section class="talk card">
      <h2>
        <span>{t('talk_heading')}: <bdi>{nameOf(match.seats, partner)}</bdi></span>
        <button aria-pressed={match.muted} data-testid="mute" onClick={() => void session.mute(match.table, !match.muted)}>{t('mute')}</button>
      </h2>
      <ul ref={log} class="log" data-testid="talk-log" aria-live="polite">
        {lines.map(line => (
          <li key={line.number} class={line.seat === match.you ? 'mine' : ''}>
            <b><bdi>{nameOf(match.seats, line.seat)}</bdi></b> {line.quick === null ? <bdi>{line.text}</bdi> : quickText(line.quick)}
            {line.seat === partner && line.quick === null && (
              <button class="report" data-testid={`report-${line.number}`} disabled={reported.has(line.number)} onClick={() => void report(line.number)}>
                {t(reported.has(line.number) ? 'reported' : 'report')}
              </button>
            )}
          </li>
        ))}
        {lines.length === 0 && <li class="none">{t('talk_hint')}</li>}
      </ul>
      {pieceRow('need', t('need'))}
      {pieceRow('no', t('not_give'))}
      <div class="quick-words">
        {OTHERS.map(quick => <button key={quick} data-testid={`say-${quick}`} title={titleOf(quick)} aria-keyshortcuts={keyOf(quick)} onClick={() => say(quick)}>{quickText(quick)}</button>)}
      </div>
      <form class="say" onSubmit={event => { event.preventDefault(); void send(); }}>
        <input dir="auto" value={text} maxLength={LONGEST} aria-label={t('say_text')} placeholder={t('say_text')} data-testid="say-text" onInput={event => setText(event.currentTarget.value)} />
        <button data-testid="say-send">{t('say')}</button>
      </form>
    </section>
  );
}
