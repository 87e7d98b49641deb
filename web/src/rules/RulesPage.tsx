import type { Variant } from '../protocol/terms';
import { t } from '../text/text';
import { useTitle } from '../view/hooks';
import { Link } from '../view/parts';
import type { RulesText, Section } from './content';
import './rules.css';
import { TryIt } from './TryIt';

interface Props {
  game: Variant;
  text: RulesText;
  go: (path: string) => void;
}

/** The rules of one game, with positions to try them on. */
export function RulesPage({ game, text, go }: Props) {
  const { title, lead, sections, differences, clubs, history } = text[game];
  useTitle(title);
  const parts = [...sections.map(({ heading }) => heading), differences.heading, clubs.heading, history.heading];
  return (
    <main class="reading rules-page" key={game}>
      <nav class="row" aria-label={t('rules')}>
        <Link to="/rules/tandem" go={go} class="button" {...(game === 'tandem' ? { 'aria-current': 'page' } : {})}>{t('variant_tandem')}</Link>
        <Link to="/rules/fog" go={go} class="button" {...(game === 'fog' ? { 'aria-current': 'page' } : {})}>{t('variant_fog')}</Link>
      </nav>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <nav class="parts" aria-label={text.parts}>
        <ul>{parts.map((heading, index) => <li key={heading}><a href={`#part-${index}`}>{heading}</a></li>)}</ul>
      </nav>
      {sections.map((section, index) => <Part key={section.heading} {...{ section, index, text }} />)}
      <section aria-labelledby={`part-${sections.length}`}>
        <h2 id={`part-${sections.length}`}>{differences.heading}</h2>
        <div class="scroll" tabIndex={0} role="group" aria-label={differences.heading}>
          <table>
            <thead>
              <tr><th scope="col">{differences.aspect}</th><th scope="col">{differences.chess}</th><th scope="col">{differences.here}</th></tr>
            </thead>
            <tbody>
              {differences.rows.map(([aspect, chess, here]) => <tr key={aspect}><th scope="row">{aspect}</th><td>{chess}</td><td>{here}</td></tr>)}
            </tbody>
          </table>
        </div>
      </section>
      <section aria-labelledby={`part-${sections.length + 1}`}>
        <h2 id={`part-${sections.length + 1}`}>{clubs.heading}</h2>
        {clubs.text.map(paragraph => <p key={paragraph}>{paragraph}</p>)}
      </section>
      <section aria-labelledby={`part-${sections.length + 2}`}>
        <h2 id={`part-${sections.length + 2}`}>{history.heading}</h2>
        <p>{history.text}</p>
      </section>
      <p><Link to="/" go={go} class="button primary">{t('back_to_lobby')}</Link></p>
    </main>
  );
}

function Part({ section, index, text }: { section: Section; index: number; text: RulesText }) {
  return (
    <section aria-labelledby={`part-${index}`}>
      <h2 id={`part-${index}`}>{section.heading}</h2>
      {section.text.map(paragraph => <p key={paragraph}>{paragraph}</p>)}
      <div class="tries">{section.exercises?.map(name => <TryIt key={name} {...{ name, text }} />)}</div>
    </section>
  );
}
