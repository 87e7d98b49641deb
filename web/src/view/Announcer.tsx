import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Preferences } from '../app/preferences';
import { Sounds } from '../app/sounds';
import type { MatchView, Talk } from '../protocol/frames';
import { newMoves, soundsOf } from '../state/heard';
import { language } from '../text/text';
import type { Announcements } from './announcements';
import { CAN_SPEAK, heardMove } from './spoken';
import { quickText } from './words';

interface Props {
  match: MatchView;
  talk: Talk[];
  /** A curtain has been lifted before this view: what happened behind it is said first. */
  lifted: boolean;
  preferences: Preferences;
  announcements: Announcements;
}

/** Says and sounds what has changed. Nothing of it is seen. */
export function Announcer({ match, talk, lifted, preferences, announcements }: Props) {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const before = useRef<MatchView | null>(null);
  const heardTalk = useRef(talk.length);
  const sounds = useRef(new Sounds());
  useEffect(() => announcements.subscribe(() => drawAgain(undefined)), [announcements]);

  useEffect(() => {
    const last = match.moves.at(-1);
    if (lifted && match.result === null && last !== undefined) announcements.say(heardMove(match, last));
  }, []);

  useEffect(() => {
    if (preferences.sound) for (const heard of soundsOf(before.current, match)) sounds.current.play(heard);
    for (const move of newMoves(before.current, match)) announcements.say(heardMove(match, move));
    before.current = match;
  }, [match]);

  useEffect(() => {
    const lines = talk.slice(heardTalk.current).filter(line => line.seat !== match.you);
    heardTalk.current = talk.length;
    if (lines.length === 0) return;
    if (preferences.sound) sounds.current.play({ sound: 'talk', quiet: true });
    if (preferences.voice && CAN_SPEAK) for (const { quick } of lines) if (quick !== null) speak(quickText(quick));
  }, [talk]);

  return (
    <div class="unseen" role="log" aria-live="polite" data-testid="announcements">
      {announcements.lines.map(({ number, text }) => <p key={number}>{text}</p>)}
    </div>
  );
}

function speak(text: string): void {
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language();
  speechSynthesis.speak(words);
}
