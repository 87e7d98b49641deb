import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MatchView } from '../protocol/frames';
import type { BoardName, Colour, Square } from '../protocol/terms';
import { checkedColour, fallenSquare } from '../state/position';
import { opposite, perspective } from '../state/seating';
import { t } from '../text/text';
import { Board } from '../view/Board';
import { useKeys } from '../view/keys';
import { MoveList } from '../view/MoveList';
import { EdgeNotes, PlayerStrip } from '../view/PlayerStrip';
import { SwapButton } from '../view/parts';
import { heardMove } from '../view/spoken';
import { useSwap } from '../view/swap';
import { Controls } from './Controls';
import { usePlayer, type Speed } from './player';
import { clocksAt, endOf, linkedCount, movesSeen, startsOf, type Eyes, type Replay } from './replay';

interface Props {
  match: MatchView;
  replay: Replay;
  heading: string;
  notes?: ComponentChildren;
  /** Ways to take the match elsewhere, at a number of moves. */
  ways: (count: number) => ComponentChildren;
}

/** Both boards and all clocks at one moment of a finished match. */
export function ReplayView({ match, replay, heading, notes, ways }: Props) {
  const [eyes, setEyes] = useState<Eyes>('full');
  const [speed, setSpeed] = useState<Speed>(1);
  const [flipped, setFlipped] = useState(false);
  const [said, say] = useState('');
  const { phone, swapped, swap, area } = useSwap(match.variant === 'tandem');
  const { moves } = replay;
  const player = usePlayer(moves, endOf(moves, match.clocks), linkedCount(location.hash, moves), speed);
  const seen = useMemo(() => movesSeen(moves, eyes), [moves, eyes]);
  const { count, playing } = player;

  useEffect(() => {
    const follow = (): void => player.go(linkedCount(location.hash, moves));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [moves]);
  // The address names the moment shown, so that it can be sent to somebody.
  useEffect(() => {
    if (!playing) history.replaceState(null, '', `#${count}`);
  }, [count, playing]);
  useKeys(true, {
    arrowleft: () => player.go(count - 1),
    arrowright: () => player.go(count + 1),
    home: () => player.go(0),
    end: () => player.go(moves.length),
    space: player.toggle,
    f: () => setFlipped(!flipped),
  });

  const starts = startsOf(replay, match.time);
  const shown: MatchView = {
    ...match,
    seats: match.seats.map(seat => ({ ...seat, online: true })),
    boards: replay[eyes][count] ?? {},
    moves: seen.slice(0, count),
    clocks: match.clocks === null || starts === null ? null : clocksAt(replay, starts, match.clocks, count, player.at_ms),
    result: count === moves.length ? match.result : null,
  };
  const last = shown.moves.at(-1);
  const moment = last === undefined ? t('replay_start') : `${t('replay_moment', { number: count, count: moves.length })}: ${heardMove(shown, last)}`;
  return (
    <main ref={area} class={`play replay ${match.variant}`} data-testid="replay" data-count={count}>
      <h1 class="unseen">{heading}</h1>
      {perspective(match.variant, match.you).map(({ board, bottom }, index) => (
        <ReplayBoard key={board} name={board} bottom={flipped ? opposite(bottom) : bottom} place={(index === 0) === swapped ? 'partner' : 'own'} match={shown} fallen={eyes === 'full' ? null : fallenSquare(shown.moves)} say={say} />
      ))}
      <div class="side">
        {match.variant === 'tandem' && phone && <SwapButton swap={swap} />}
        <Controls {...{ match, shown, moment, player, eyes, setEyes, speed, setSpeed, notes }} ways={ways(count)} flip={() => setFlipped(!flipped)} count={moves.length} />
      </div>
      <div class="panel"><MoveList match={{ variant: match.variant, moves: seen }} current={count} playing={playing} go={player.go} /></div>
      <p class="unseen" role="status">{said}</p>
    </main>
  );
}

interface BoardProps {
  match: MatchView;
  name: BoardName;
  bottom: Colour;
  place: 'own' | 'partner';
  fallen: Square | null;
  say: (text: string) => void;
}

function ReplayBoard({ match, name, bottom, place, fallen, say }: BoardProps) {
  const board = match.boards[name];
  if (board === undefined) return null;
  const strip = (colour: Colour) => <PlayerStrip board={name} received_ms={0} chosen={null} grab={null} press={null} {...{ match, colour }} />;
  return (
    <section class={`area ${place}`} aria-label={name}>
      {strip(opposite(bottom))}
      <div class="frame">
        <EdgeNotes colour={opposite(bottom)} match={match} board={name} />
        <Board checked={checkedColour(board, name, match.moves)} play={null} {...{ name, board, bottom, fallen, say }} />
        <EdgeNotes colour={bottom} match={match} board={name} />
      </div>
      {strip(bottom)}
    </section>
  );
}
