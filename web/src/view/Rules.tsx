import { useEffect, useState } from 'preact/hooks';
import type { RulesText } from '../rules/content';
import type { Variant } from '../protocol/terms';
import { language, t, type Language } from '../text/text';

interface Loaded {
  language: Language;
  text: RulesText;
  Page: typeof import('../rules/RulesPage').RulesPage;
}

/** The rules pages, which come with their texts when somebody wants to read them. */
export function Rules({ game, go }: { game: Variant; go: (path: string) => void }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const wanted = language();
  useEffect(() => {
    let current = true;
    Promise.all([import('../rules/RulesPage'), import('../rules/content').then(({ loadRules }) => loadRules())]).then(
      ([{ RulesPage }, text]) => { if (current) setLoaded({ language: wanted, text, Page: RulesPage }); },
      () => { if (current) setFailed(attempt + 1); },
    );
    return () => { current = false; };
  }, [wanted, attempt]);
  if (loaded?.language === wanted) return <loaded.Page text={loaded.text} {...{ game, go }} />;
  return (
    <main class="message">
      <p role="status">{t(failed > attempt ? 'load_failed' : 'loading')}</p>
      {failed > attempt && <button onClick={() => setAttempt(attempt + 1)}>{t('try_again')}</button>}
    </main>
  );
}
