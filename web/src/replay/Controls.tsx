import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { MatchView } from '../protocol/frames';
import { boardsOf } from '../state/seating';
import { t } from '../text/text';
import { resultWords } from '../view/words';
import type { Player, Speed } from './player';
import type { Eyes } from './replay';

const SPEEDS = [1, 2, 5, 10] as const;
const EYES: Eyes[] = ['full', 'white', 'black'];

interface Props {
  match: MatchView;
  /** The match at the moment shown. */
  shown: MatchView;
  /** That moment in words. */
  moment: string;
  player: Player;
  count: number;
  eyes: Eyes;
  setEyes: (eyes: Eyes) => void;
  speed: Speed;
  setSpeed: (speed: Speed) => void;
  flip: () => void;
  /** What is said about the match before anything else. */
  notes: ComponentChildren;
  /** Ways to take it elsewhere. */
  ways: ComponentChildren;
}

/** Steps, speed, whose eyes, and ways to take the match elsewhere. */
export function Controls({ match, shown, moment, player, count, eyes, setEyes, speed, setSpeed, flip, notes, ways }: Props) {
  const step = (sign: string, label: string, to: number, testId: string) => (
    <button title={label} aria-label={label} data-testid={testId} disabled={to < 0 || to > count || (to === player.count && to !== 0)} onClick={() => player.go(to)}>{sign}</button>
  );
  const play = t(player.playing ? 'replay_pause' : 'replay_play');
  const words = shown.result === null ? null : resultWords(match, shown.result);
  return (
    <section class="controls card" aria-label={t('replay_controls')} dir="auto">
      {notes}
      <p class="status" role="status" data-testid="replay-moment">{moment}</p>
      {words !== null && <p data-testid="replay-result"><b>{words.title}.</b> {words.detail}</p>}
      <input
        type="range"
        min={0}
        max={count}
        value={player.count}
        dir="ltr"
        aria-label={t('replay')}
        aria-valuetext={moment}
        data-testid="replay-scrubber"
        onInput={event => player.go(Number(event.currentTarget.value))}
      />
      <div class="row steps" dir="ltr">
        {step('|◀', t('replay_first'), 0, 'replay-first')}
        {step('◀', t('replay_back'), player.count - 1, 'replay-back')}
        <button class="primary" aria-keyshortcuts="Space" data-testid="replay-play" onClick={player.toggle}>{play}</button>
        {step('▶', t('replay_next'), player.count + 1, 'replay-next')}
        {step('▶|', t('replay_last'), count, 'replay-last')}
      </div>
      <div class="row">
        <label class="field">
          <span>{t('replay_speed')}</span>
          <select
            value={String(speed)}
            data-testid="replay-speed"
            onChange={({ currentTarget: { value } }) => setSpeed(value === 'steady' ? 'steady' : Number(value))}
          >
            {SPEEDS.map(times => <option key={times} value={times}>{times === 1 ? t('replay_speed_real') : t('replay_speed_times', { times })}</option>)}
            <option value="steady">{t('replay_speed_steady')}</option>
          </select>
        </label>
        {match.variant === 'fog' && (
          <label class="field">
            <span>{t('replay_view')}</span>
            <select value={eyes} data-testid="replay-eyes" onChange={event => setEyes(event.currentTarget.value as Eyes)}>
              {EYES.map(each => <option key={each} value={each}>{t(`replay_view_${each}`)}</option>)}
            </select>
          </label>
        )}
        <button title={t('flip_long')} aria-keyshortcuts="F" data-testid="flip" onClick={flip}>⇅ {t('flip')}</button>
      </div>
      <div class="row">
        {boardsOf(match.variant).map(board => {
          const fen = shown.boards[board]?.fen;
          if (fen == null) return null;
          const label = match.variant === 'fog' ? t('replay_fen_fog') : t('replay_fen', { board });
          return <CopyText key={board} text={fen} testId={`fen-${board.toLowerCase()}`} {...{ label }} />;
        })}
        {ways}
      </div>
    </section>
  );
}

/** Copies on a click; where there is no clipboard the text is shown to be copied by hand. */
function CopyText({ label, text, testId }: { label: string; text: string; testId: string }) {
  const [state, setState] = useState<{ text: string; how: 'copied' | 'shown' } | null>(null);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(() => setState({ text, how: 'copied' }), () => setState({ text, how: 'shown' }));
  };
  const how = state?.text === text ? state.how : null;
  return (
    <>
      <button data-testid={testId} title={text} onClick={copy}>{label}{how === 'copied' && ' ✓'}</button>
      {how === 'shown' && <input readOnly dir="ltr" value={text} aria-label={label} />}
    </>
  );
}
