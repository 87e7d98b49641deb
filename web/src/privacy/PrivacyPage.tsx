import { useEffect, useState } from 'preact/hooks';
import { language, t } from '../text/text';
import { useTitle } from '../view/hooks';
import { Link } from '../view/parts';
import { lengthOf } from './length';
import { PRIVACY, type PrivacyText } from './text';

/** As `/api/privacy` tells it, in milliseconds. */
interface Retention {
  match_ms: number;
  archived: boolean;
  archive_ms: number | null;
  names_ms: number;
  talk_ms: number;
  reports_ms: number;
}

/** What is kept of whom, and how long, as the operator has set it. */
export function PrivacyPage({ go }: { go: (path: string) => void }) {
  const text = PRIVACY[language()];
  const [kept, setKept] = useState<Retention | null>(null);
  const [failed, setFailed] = useState(false);
  useTitle(text.title);
  useEffect(() => {
    let current = true;
    fetch('/api/privacy')
      .then(async answer => (answer.ok ? ((await answer.json()) as Retention) : Promise.reject(new Error(answer.statusText))))
      .then(told => { if (current) setKept(told); }, () => { if (current) setFailed(true); });
    return () => { current = false; };
  }, []);
  return (
    <main class="reading">
      <h1>{text.title}</h1>
      <p class="lead">{text.lead}</p>
      {failed && <p role="alert">{text.failed}</p>}
      {kept !== null && (
        <div class="scroll" tabIndex={0} role="group" aria-label={text.title}>
          <table data-testid="kept">
            <thead><tr><th scope="col">{text.what}</th><th scope="col">{text.kept}</th></tr></thead>
            <tbody>{rows(text, kept).map(([what, long]) => <tr key={what}><th scope="row">{what}</th><td>{long}</td></tr>)}</tbody>
          </table>
        </div>
      )}
      <h2>{text.others}</h2>
      {text.seen.map(paragraph => <p key={paragraph}>{paragraph}</p>)}
      <p><Link to="/" go={go} class="button primary">{t('back_to_lobby')}</Link></p>
    </main>
  );
}

function rows(text: PrivacyText, kept: Retention): [string, string][] {
  const after = (words: string, ms: number): string => words.replace('{time}', lengthOf(ms, language()));
  return [
    [text.match, after(text.after_end, kept.match_ms)],
    ...(kept.archived
      ? ([
          [text.archive, kept.archive_ms === null ? text.for_ever : after(text.after_end, kept.archive_ms)],
          [text.names, after(text.then_nameless, kept.names_ms)],
        ] as [string, string][])
      : []),
    [text.talk, after(text.after_end, kept.talk_ms)],
    [text.reports, after(text.after_report, kept.reports_ms)],
    [text.cookie, text.with_tables],
    [text.storage, text.in_browser],
    [text.address, text.while_connected],
  ];
}
