import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { keepPreferences, readPreferences, type Preferences } from '../app/preferences';
import type { Session, SessionState } from '../app/session';
import type { MatchView } from '../protocol/frames';
import type { TableState } from '../state/table';
import { opposite, perspective, placeOf } from '../state/seating';
import { t } from '../text/text';
import { Actions } from './Actions';
import { Announcements } from './announcements';
import { Announcer } from './Announcer';
import { BoardArea } from './BoardArea';
import { useKeys } from './keys';
import { MoveList } from './MoveList';
import { CopyLink } from './parts';
import { ResultBanner } from './ResultBanner';
import { Switches } from './Switches';
import { Talk } from './Talk';
import { gameText } from './words';

interface Props {
  session: Session;
  state: SessionState;
  table: TableState;
  match: MatchView;
  go: (path: string) => void;
}

/** A match that runs or has ended. */
export function Play({ session, state, table, match, go }: Props) {
  const tandem = match.variant === 'tandem';
  const [flipped, setFlipped] = useState(false);
  const [preferences, setPreferences] = useState(() => readPreferences(localStorage));
  const [announcements] = useState(() => new Announcements());
  const say = useCallback((text: string) => announcements.say(text), [announcements]);
  const set = (to: Preferences): void => {
    setPreferences(to);
    keepPreferences(localStorage, to);
  };
  const flip = (): void => setFlipped(!flipped);
  useKeys(preferences.keys, { f: flip });
  useTurnTitle(match);
  const whole = useRef<HTMLElement>(null);
  // The button that has lifted the curtain is gone: the keyboard goes on here.
  useEffect(() => { if (state.both) whole.current?.focus(); }, []);
  return (
    <main class={`play ${match.variant}`} data-testid="play" tabIndex={-1} ref={whole}>
      <h1 class="unseen">{t('table_heading', { game: gameText(match) })}</h1>
      {perspective(match.variant, match.you).map(({ board, bottom }, index) => (
        <BoardArea
          key={board}
          name={board}
          place={index === 0 ? 'own' : 'partner'}
          received_ms={table.clocks_at_ms}
          bottom={flipped ? opposite(bottom) : bottom}
          {...{ session, state, match, say }}
        />
      ))}
      <div class="side">
        {match.result === null
          ? <Actions keys={preferences.keys} {...{ session, state, match }} />
          : <ResultBanner result={match.result} table={table.table} both={state.both} {...{ session, match, go }} />}
      </div>
      <div class="panel">
        <Switches {...{ preferences, set, flip, tandem }} />
        {match.you === null && <p class="card watching">{t('watching')}</p>}
        {table.moved && (
          <p class="card watching" role="alert" data-testid="moved">
            {t('moved')} <button class="primary" data-testid="play-here" onClick={() => void session.playHere()}>{t('play_here')}</button>
          </p>
        )}
        {tandem && <Talk lines={table.talk} keys={preferences.keys} {...{ session, match }} />}
        <MoveList match={match} />
        {match.result === null && <CopyLink label={t('watch_link')} title={t('watch_link')} link={`${location.origin}/t/${match.table}`} testId="watch-link" />}
      </div>
      <Announcer talk={table.talk} lifted={state.both} {...{ match, preferences, announcements }} />
    </main>
  );
}

/** The tab says whose move it is to the player on move, never to those who watch (C03). */
function useTurnTitle({ you, boards, result }: MatchView): void {
  const own = placeOf(you ?? 0);
  const mine = you !== null && result === null && boards[own.board]?.turn === own.colour;
  useEffect(() => {
    document.title = mine ? `● ${t('title_your_turn')} – ${t('site')}` : t('site');
    return () => { document.title = t('site'); };
  }, [mine]);
}
