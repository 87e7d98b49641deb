/** What the page knows of one table: pure functions from frames to state. */
import type { DeltaFrame, FullFrame, MatchView, WatchedFrame, TableFrame, Talk, TalkFrame } from '../protocol/frames';
import { withBoards, type Past } from './past';

export interface TableState {
  id: string;
  table: TableFrame | null;
  /** Local instant at which `table` came, for its countdown. */
  table_at_ms: number;
  match: MatchView | null;
  /** Local instant at which the clock reading in `match` came. */
  clocks_at_ms: number;
  talk: Talk[];
  /** The boards since the match was opened here, for looking back. */
  past: Past;
  /** A frame was missed: nothing but a full view is believed until one comes. */
  gap: boolean;
  /** Another device or tab has come to the seat: here one only watches. */
  moved: boolean;
}

export function emptyTable(id: string): TableState {
  return { id, table: null, table_at_ms: 0, match: null, clocks_at_ms: 0, talk: [], past: {}, gap: false, moved: false };
}

/** The state after a pushed frame that came at the local instant `now_ms`. Frames of other tables change nothing. */
export function receive(state: TableState, frame: WatchedFrame, now_ms: number): TableState {
  if (frame.t === 'bye' || frame.table !== state.id) return state;
  switch (frame.t) {
    case 'table':
      return olderTable(state, frame) ? state : { ...state, table: frame, table_at_ms: now_ms };
    case 'full':
      return receiveFull(state, frame, now_ms);
    case 'delta':
      return receiveDelta(state, frame, now_ms);
    case 'moved':
      return { ...state, moved: true };
    case 'talk':
      return { ...state, talk: addTalk(state.talk, frame) };
  }
}

function olderTable(state: TableState, frame: TableFrame): boolean {
  return state.table !== null && frame.version < state.table.version;
}

function receiveFull(state: TableState, { t: _t, ...view }: FullFrame, now_ms: number): TableState {
  // What another seat was shown is not looked back on.
  const past = withBoards(state.match?.you === view.you ? state.past : {}, view.boards);
  return { ...state, match: view, clocks_at_ms: now_ms, talk: view.talk, past, gap: false };
}

function receiveDelta(state: TableState, frame: DeltaFrame, now_ms: number): TableState {
  const match = state.match;
  if (match === null || state.gap) return { ...state, gap: true };
  if (frame.epoch === match.epoch && frame.version <= match.version) return state;
  if (frame.epoch !== match.epoch || frame.version !== match.version + 1) return { ...state, gap: true };
  const { t: _t, boards, moves, ...parts } = frame;
  return {
    ...state,
    match: {
      ...match,
      ...parts,
      boards: { ...match.boards, ...boards },
      moves: moves === undefined ? match.moves : [...match.moves, ...moves],
    },
    past: boards === undefined ? state.past : withBoards(state.past, boards),
    clocks_at_ms: frame.clocks === undefined ? state.clocks_at_ms : now_ms,
  };
}

function addTalk(lines: Talk[], { t: _t, table: _table, ...line }: TalkFrame): Talk[] {
  if (lines.some(known => known.number === line.number)) return lines;
  return [...lines, line].sort((a, b) => a.number - b.number);
}
