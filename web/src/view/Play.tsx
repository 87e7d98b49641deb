import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { keepPreferences, readPreferences, type Preferences } from '../app/preferences';
import type { Session, SessionState } from '../app/session';
import { kept } from '../connection/keeping';
import type { MatchView } from '../protocol/frames';
import type { Past } from '../state/past';
import type { TableState } from '../state/table';
import { isUnseen, withMovesMade } from '../state/moves';
import { opposite, perspective, placeOf } from '../state/seating';
import { t } from '../text/text';
import { Actions } from './Actions';
import { Announcements } from './announcements';
import { Announcer } from './Announcer';
import { BoardArea } from './BoardArea';
import { useLookingBack } from './back';
import { focusIsLost } from './focus';
import { useKeys } from './keys';
import { MoveList } from './MoveList';
import { CopyLink, SwapButton } from './parts';
import { ResultBanner } from './ResultBanner';
import { useSwap } from './swap';
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

const NOTHING: Past = {};

/** A match that runs or has ended. */
export function Play({ session, state, table, match: sent, go }: Props) {
  const match = useMemo(() => withMovesMade(sent), [sent]);
  const tandem = match.variant === 'tandem';
  const [flipped, setFlipped] = useState(false);
  const [preferences, setPreferences] = useState(() => readPreferences(kept));
  const [announcements] = useState(() => new Announcements());
  const say = useCallback((text: string) => announcements.say(text), [announcements]);
  const set = (to: Preferences): void => {
    setPreferences(to);
    keepPreferences(kept, to);
  };
  const flip = (): void => setFlipped(!flipped);
  const looking = useLookingBack(match, isUnseen(match) ? NOTHING : table.past, placeOf(match.you ?? 0).board);
  const { phone, swapped, swap, area } = useSwap(tandem);
  useKeys(preferences.keys, { f: flip });
  const steps = (
    <span class="row" dir="ltr">
      <StepButton label={t('replay_back')} sign="◀" testId="step-back" act={looking.step.back} />
      <StepButton label={t('replay_next')} sign="▶" testId="step-on" act={looking.step.on} />
    </span>
  );
  useTurnTitle(match);
  const over = match.result !== null;
  // The button that led here or that ended the match is gone: the keyboard goes on here.
  useEffect(() => { if (focusIsLost()) area.current?.focus({ preventScroll: true }); }, [over]);
  return (
    <main ref={area} class={`play ${match.variant}`} data-testid="play" tabIndex={-1} aria-labelledby="table-heading">
      <h1 id="table-heading" class="unseen">{t('table_heading', { game: gameText(match) })}</h1>
      {perspective(match.variant, match.you).map(({ board, bottom }, index) => (
        <BoardArea
          key={board}
          name={board}
          place={(index === 0) === swapped ? 'partner' : 'own'}
          back={index === 0 ? looking.back : null}
          received_ms={table.clocks_at_ms}
          bottom={flipped ? opposite(bottom) : bottom}
          {...{ session, state, match, say }}
        />
      ))}
      <div class="side">
        {phone && <div class="row tools">{tandem && <SwapButton swap={swap} />}{steps}</div>}
        {looking.back !== null && (
          <div class="card back" role="status" data-testid="looking-back">
            <span>{t('look_back', { number: looking.back.moves.length })}</span>
            <span class="since">{looking.back.more > 0 && <span data-testid="moves-since">{t('new_moves', { count: looking.back.more })}</span>}</span>
            <button class="primary" aria-keyshortcuts="End" data-testid="back-to-now" onClick={looking.back.toNow}>{t('look_now')}</button>
          </div>
        )}
        <div class="stack now">
          <Actions keys={preferences.keys} live={looking.back === null} moved={table.moved} {...{ session, state, match }} />
          {match.result !== null && (
            <div class="verdict">
              <ResultBanner result={match.result} table={table.table} both={state.both} moved={table.moved} {...{ session, match, go }} />
            </div>
          )}
        </div>
      </div>
      <div class="panel">
        <Switches {...{ preferences, set, flip, tandem }} />
        {match.you === null && <p class="card watching">{t('watching')}</p>}
        {tandem && <Talk lines={table.talk} keys={preferences.keys} {...{ session, match }} />}
        <MoveList
          match={match}
          current={looking.current}
          go={looking.go}
          open={looking.open}
          steps={!phone && steps}
        />
        {match.result === null && <CopyLink label={t('watch_link')} title={t('watch_link')} link={`${location.origin}/t/${match.table}`} testId="watch-link" />}
      </div>
      <Announcer talk={table.talk} lifted={state.both} {...{ match, preferences, announcements }} />
    </main>
  );
}

/** One step through the moves; arrows read from left to right, as moves do. */
function StepButton({ label, sign, testId, act }: { label: string; sign: string; testId: string; act: (() => void) | null }) {
  return <button class="step" title={label} aria-label={label} data-testid={testId} disabled={act === null} onClick={() => act?.()}>{sign}</button>;
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
