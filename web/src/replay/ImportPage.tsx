import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { problemText } from '../text/problem';
import { refusalText } from '../text/refusal';
import { t } from '../text/text';
import { useTitle } from '../view/hooks';
import { Link } from '../view/parts';
import { gameText } from '../view/words';
import { MOST_BYTES, matchOf, readGame, type Failure, type Game } from './game';
import { ReplayView } from './ReplayView';

type State = { now: 'choosing' | 'reading' } | { now: 'failed'; failure: Failure } | { now: 'shown'; game: Game };

/** A game out of a file, or put in as text, to be looked at like any match that was played here. */
export function ImportPage({ go }: { go: (path: string) => void }) {
  const [state, setState] = useState<State>({ now: 'choosing' });
  const asked = useRef(0);
  const again = (): void => {
    asked.current += 1;
    history.replaceState(null, '', '/r');
    setState({ now: 'choosing' });
  };
  const show = async (text: Blob): Promise<void> => {
    const number = ++asked.current;
    setState({ now: 'reading' });
    const answer = text.size > MOST_BYTES ? { reason: 'text_too_large', detail: '' } : await readGame(text);
    // Meanwhile another one may have been chosen.
    if (number !== asked.current) return;
    if (!('moves' in answer)) {
      setState({ now: 'failed', failure: answer });
      return;
    }
    // A game of somebody's own is looked at from its beginning.
    history.replaceState(null, '', '#0');
    setState({ now: 'shown', game: answer });
  };
  if (state.now === 'shown') return <Shown game={state.game} {...{ again, go }} />;
  return <Choice show={text => void show(text)} {...{ state, go }} />;
}

interface ChoiceProps {
  state: Exclude<State, { now: 'shown' }>;
  show: (text: Blob) => void;
  go: (path: string) => void;
}

/** A file by a button or dropped on the page, or a text. */
function Choice({ state, show, go }: ChoiceProps) {
  const [text, setText] = useState('');
  const [over, setOver] = useState(false);
  useTitle(`${t('import_heading')} – ${t('site')}`);
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    const words = event.dataTransfer?.getData('text') ?? '';
    if (file !== undefined) show(file);
    else if (words !== '') show(new Blob([words]));
  };
  return (
    <main
      class="import"
      data-testid="import"
      onDragOver={event => { event.preventDefault(); setOver(true); }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <h1>{t('import_heading')}</h1>
      <p class="hint">{t('import_hint')}</p>
      <div class={`card drop${over ? ' over' : ''}`}>
        <label class="button primary big">
          <input
            type="file"
            accept=".bpgn,.pgn,.txt,text/plain"
            data-testid="import-file"
            onChange={({ currentTarget: field }) => {
              const file = field.files?.[0];
              if (file !== undefined) show(file);
              field.value = '';
            }}
          />
          {t('import_file')}
        </label>
        <p class="hint">{t('import_drop')}</p>
      </div>
      <form class="card" onSubmit={event => { event.preventDefault(); show(new Blob([text])); }}>
        <label class="field">
          <span>{t('import_text')}</span>
          <textarea rows={8} dir="ltr" spellcheck={false} value={text} data-testid="import-text" onInput={event => setText(event.currentTarget.value)} />
        </label>
        <button class="primary" disabled={text.trim() === ''} data-testid="import-show">{t('import_show')}</button>
      </form>
      <p role="alert" class="failure" data-testid="import-failure">{state.now === 'failed' && failureText(state.failure)}</p>
      <p role="status">{state.now === 'reading' && t('import_reading')}</p>
      <p><Link to="/" go={go}>{t('back_to_lobby')}</Link></p>
    </main>
  );
}

function failureText({ reason, detail, problem }: Failure): string {
  if (reason === 'connection_lost') return t('connection_lost');
  return problem === undefined ? refusalText({ reason, message: detail }) : problemText({ ...problem, stops: false });
}

interface ShownProps {
  game: Game;
  again: () => void;
  go: (path: string) => void;
}

function Shown({ game, again, go }: ShownProps) {
  const match = matchOf(game);
  const heading = t('replay_heading', { game: gameText({ ...match, time: game.time ?? undefined }) });
  useTitle(`${heading} – ${t('site')}`);
  const ways = (): ComponentChildren => (
    <>
      <button data-testid="import-another" onClick={again}>{t('import_another')}</button>
      <Link to="/" go={go} class="button">{t('back_to_lobby')}</Link>
    </>
  );
  return <ReplayView replay={game} notes={<Notes game={game} />} {...{ match, heading, ways }} />;
}

/** What is wrong with the text, and what it says of the game. */
function Notes({ game }: { game: Game }) {
  return (
    <div class="notes" data-testid="import-notes">
      {game.problems.length > 0 && (
        <div class="problems" role="alert" data-testid="import-problems">
          <h2>{t('import_problems')}</h2>
          <ul>{game.problems.map((problem, index) => <li key={index}>{problemText(problem)}</li>)}</ul>
        </div>
      )}
      <details>
        <summary>{t('import_tags')}</summary>
        <dl>
          {game.tags.map(([name, value], index) => <div key={index}><dt dir="ltr">{name}</dt><dd dir="auto">{value}</dd></div>)}
        </dl>
        {game.ending !== '' && <p>{t('import_ending', { ending: game.ending })}</p>}
      </details>
    </div>
  );
}
