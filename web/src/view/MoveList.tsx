import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MatchView, Move } from '../protocol/frames';
import { clockText } from '../state/clocks';
import { moveRows, type MoveRow } from '../state/moves';
import { boardsOf } from '../state/seating';
import { language, t } from '../text/text';

const AT_END_PX = 40;

interface Props {
  match: Pick<MatchView, 'variant' | 'moves'>;
  /** Replay: the number of moves made at the moment shown, and the way to another. */
  current?: number;
  go?: (count: number) => void;
}

/** All moves in time order, each under its board. Stays where the reader has scrolled to (U03). */
export function MoveList({ match, current, go }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const followed = useRef(true);
  const [seen, setSeen] = useState(0);
  const count = match.moves.length;
  const toEnd = (): void => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  };
  useEffect(() => {
    if (current !== undefined) return;
    if (followed.current) {
      toEnd();
      setSeen(count);
    }
  }, [count, current]);
  useEffect(() => {
    if (current !== undefined) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const boards = boardsOf(match.variant);
  const behind = current === undefined && !followed.current && count > seen ? count - seen : 0;
  return (
    <section class="moves card">
      <h2>{t('moves_heading')}</h2>
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
        {useRows(match.moves, current, go)}
      </ol>
      {behind > 0 && (
        <button class="new-moves" data-testid="new-moves" onClick={() => { followed.current = true; toEnd(); setSeen(count); }}>
          {t('new_moves', { count: behind })} ↓
        </button>
      )}
    </section>
  );
}

/** The rows; one that has been made is made once, so that a long match costs no more at each move than a short one. */
function useRows(moves: Move[], current: number | undefined, go: Props['go']): VNode[] {
  const made = useRef<{ move: Move; current: boolean; spoken: string; row: VNode }[]>([]);
  const rows = made.current;
  rows.length = Math.min(rows.length, moves.length);
  moves.forEach((move, index) => {
    const now = current === index + 1;
    const known = rows[index];
    if (known?.move === move && known.current === now && known.spoken === language()) return;
    const [row] = moveRows([move]);
    if (row !== undefined) rows[index] = { move, current: now, spoken: language(), row: <Row key={index} {...{ row, now, go }} number={index + 1} /> };
  });
  return rows.map(({ row }) => row);
}

interface RowProps {
  row: MoveRow;
  number: number;
  now: boolean;
  go: Props['go'];
}

function Row({ row: { board, colour, number, san, remaining_ms }, number: count, now, go }: RowProps) {
  const move = san === null ? <em>{t('hidden_move')}</em> : <b dir="ltr">{san}</b>;
  return (
    <li class={`on-${board.toLowerCase()} ${colour}`} data-board={board} aria-current={now ? 'step' : undefined}>
      <span class="unseen">{board} </span>
      <span class="number">{number}</span> {go === undefined ? move : <button class="plain" onClick={() => go(count)}>{move}</button>}
      {remaining_ms !== null && <span class="left" dir="ltr">{clockText(remaining_ms)}</span>}
    </li>
  );
}
