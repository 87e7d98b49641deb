import { useEffect, useRef } from 'preact/hooks';
import type { MatchView } from '../protocol/frames';
import { clockText } from '../state/clocks';
import { moveRows, type MoveRow } from '../state/moves';
import { boardsOf } from '../state/seating';
import { t } from '../text/text';

const AT_END_PX = 40;

/** All moves in time order, each under its board. Stays where the reader has scrolled to. */
export function MoveList({ match }: { match: MatchView }) {
  const list = useRef<HTMLOListElement>(null);
  const followed = useRef(true);
  const count = match.moves.length;
  useEffect(() => {
    if (list.current !== null && followed.current) list.current.scrollTop = list.current.scrollHeight;
  }, [count]);
  const boards = boardsOf(match.variant);
  return (
    <section class="moves card">
      <h2>{t('moves_heading')}</h2>
      {boards.length === 2 && <div class="columns" aria-hidden="true">{boards.map(board => <span key={board}>{board}</span>)}</div>}
      <ol
        ref={list}
        tabIndex={0}
        data-testid="move-list"
        aria-label={t('moves_heading')}
        onScroll={({ currentTarget: box }) => { followed.current = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX; }}
      >
        {count === 0 && <li class="none">{t('moves_empty')}</li>}
        {moveRows(match.moves).map((row, index) => <Row key={index} row={row} />)}
      </ol>
    </section>
  );
}

function Row({ row: { board, colour, number, san, remaining_ms } }: { row: MoveRow }) {
  return (
    <li class={`on-${board.toLowerCase()} ${colour}`} data-board={board}>
      <span class="unseen">{board} </span>
      <span class="number">{number}</span> {san === null ? <em>{t('hidden_move')}</em> : <b>{san}</b>}
      {remaining_ms !== null && <span class="left">{clockText(remaining_ms)}</span>}
    </li>
  );
}
