import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MatchView, Move } from '../protocol/frames';
import { clockText } from '../state/clocks';
import { moveRow } from '../state/moves';
import { boardsOf } from '../state/seating';
import { digits, language, t } from '../text/text';

const AT_END_PX = 40;

interface Props {
  match: Pick<MatchView, 'variant' | 'moves'>;
  /** The number of moves made at the moment shown, when it is not the latest, and the way to another. */
  current?: number | undefined;
  /** That moment goes on by itself: a reader who has scrolled it out of sight is not pulled back to it. */
  playing?: boolean;
  go?: (count: number) => void;
  /** Which moves can be gone to; all of them where it is not said. */
  open?: (move: Move) => boolean;
  /** Buttons beside the heading. */
  steps?: ComponentChildren;
}

/** All moves in time order, each under its board. Stays where the reader has scrolled to (U03). */
export function MoveList({ match, current, playing = false, go, open, steps }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const followed = useRef(true);
  const [seen, setSeen] = useState(0);
  const count = match.moves.length;
  const toEnd = (): void => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  };
  const lookedBack = useRef(false);
  useEffect(() => {
    if (current !== undefined) {
      lookedBack.current = true;
      return;
    }
    if (lookedBack.current) followed.current = true;
    lookedBack.current = false;
    if (followed.current) {
      toEnd();
      setSeen(count);
    }
  }, [count, current]);
  const shown = useRef<Element | null>(null);
  useEffect(() => {
    if (current === undefined || list.current === null) return;
    const row = list.current.querySelector('[aria-current]');
    if (!playing || outOfSight(list.current, shown.current) === 0) list.current.scrollTop += outOfSight(list.current, row);
    shown.current = row;
  }, [current]);
  const boards = boardsOf(match.variant);
  const behind = current === undefined && !followed.current && count > seen ? count - seen : 0;
  return (
    <section class="moves card">
      <div class="row heading"><h2>{t('moves_heading')}</h2>{steps}</div>
      {boards.length === 2 && <div class="columns" aria-hidden="true">{boards.map(board => <span key={board}>{board}</span>)}</div>}
      <ol
        ref={list}
        tabIndex={0}
        data-testid="move-list"
        aria-label={t('moves_heading')}
        onScroll={({ currentTarget: box }) => {
          followed.current = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX;
          if (followed.current) setSeen(count);
        }}
      >
        {count === 0 && <li class="none">{t('moves_empty')}</li>}
        {match.moves.map((move, index) => <Row key={index} count={index + 1} now={current === index + 1} spoken={language()} go={open?.(move) === false ? undefined : go} {...{ move }} />)}
      </ol>
      {behind > 0 && (
        <button class="new-moves" data-testid="new-moves" onClick={() => { followed.current = true; toEnd(); setSeen(count); }}>
          {t('new_moves', { count: behind })} ↓
        </button>
      )}
    </section>
  );
}

/** By how much the list must be scrolled, and only the list, for a row to be seen whole; before the first row it is at its top. */
function outOfSight(list: HTMLElement, row: Element | null): number {
  if (row === null) return -list.scrollTop;
  const box = list.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  return Math.min(0, top - box.top) + Math.max(0, bottom - box.bottom);
}

interface RowProps {
  move: Move;
  count: number;
  now: boolean;
  /** The language it is written in. */
  spoken: string;
  go: Props['go'] | undefined;
}

/** A row that has been drawn stays, so that a move costs no more late in a match than early. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { move, now, spoken } = this.props;
    return move !== next.move || now !== next.now || spoken !== next.spoken;
  }

  override render({ move, count, now, go }: RowProps) {
    const { board, colour, number, san, remaining_ms } = moveRow(move);
    const written = san === null ? <em>{t('hidden_move')}</em> : <b dir="ltr">{san}</b>;
    return (
      <li class={`on-${board.toLowerCase()} ${colour}`} data-board={board} aria-current={now ? 'step' : undefined}>
        <span class="unseen">{board} </span>
        <span class="number">{digits(number)}</span> {go === undefined ? written : <button class="plain" onClick={() => go(count)}>{written}</button>}
        {remaining_ms !== null && <span class="left" dir="ltr">{digits(clockText(remaining_ms))}</span>}
      </li>
    );
  }
}
