import type { SessionState } from '../app/session';
import { LANGUAGES, isLanguage, type Language } from '../text/languages';
import { language, t } from '../text/text';
import { CONTENT } from './focus';
import { Link } from './parts';

interface Props {
  connection: SessionState['connection'];
  go: (path: string) => void;
  choose: (language: Language) => void;
}

/** The way home, to the rules and to the other languages, and first of all past all that. */
export function Header({ connection, go, choose }: Props) {
  const skip = (event: Event): void => {
    event.preventDefault();
    document.getElementById(CONTENT)?.focus();
  };
  return (
    <header class="top">
      <a class="skip" href={`#${CONTENT}`} onClick={skip}>{t('skip')}</a>
      <Link to="/" go={go} class="brand">{t('site')}</Link>
      <span class="connection" role="status" data-testid="connection" hidden={connection === 'open'}>
        {connection !== 'open' && t(connection === 'first' ? 'connecting' : 'connecting_again')}
      </span>
      <nav aria-label={t('site')}>
        <Link to="/rules/tandem" go={go} data-testid="rules-link">{t('rules')}</Link>
      </nav>
      <select
        class="language"
        aria-label={t('language')}
        value={language()}
        data-testid="language"
        onChange={event => { if (isLanguage(event.currentTarget.value)) choose(event.currentTarget.value); }}
      >
        {Object.entries(LANGUAGES).map(([code, { name }]) => <option key={code} value={code} lang={code}>{name}</option>)}
      </select>
    </header>
  );
}
