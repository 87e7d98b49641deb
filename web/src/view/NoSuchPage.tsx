import { t } from '../text/text';
import { useTitle } from './hooks';
import { Link } from './parts';

/** Where a path leads nowhere: the ways to what there is. */
export function NoSuchPage({ go }: { go: (path: string) => void }) {
  useTitle(`${t('no_page_heading')} – ${t('site')}`);
  return (
    <main class="message">
      <h1>{t('no_page_heading')}</h1>
      <p data-testid="no-page">{t('no_page')}</p>
      <Link to="/" go={go} class="button primary">{t('back_to_lobby')}</Link>
      <Link to="/rules" go={go} class="button">{t('rules')}</Link>
    </main>
  );
}

/** Both games' rules to choose from. */
export function RulesChoice({ go }: { go: (path: string) => void }) {
  useTitle(`${t('rules')} – ${t('site')}`);
  return (
    <main class="message">
      <h1>{t('rules')}</h1>
      <p>{t('tagline')}</p>
      <Link to="/rules/tandem" go={go} class="button primary">{t('rules_tandem')}</Link>
      <Link to="/rules/fog" go={go} class="button primary">{t('rules_fog')}</Link>
      <Link to="/" go={go} class="button">{t('back_to_lobby')}</Link>
    </main>
  );
}
