/** What is to be heard of a change: sounds and announcements follow from what this viewer was sent, and nothing else. */
import type { MatchView, Move } from '../protocol/frames';
import { placeOf } from './seating';

export type Sound = 'move' | 'capture' | 'drop' | 'check' | 'end';

export interface Heard {
  sound: Sound;
  /** The partner's board is quieter. */
  quiet: boolean;
}

/** The moves in `after` that `before` did not have; none when another match or a whole new view came. */
export function newMoves(before: MatchView | null, after: MatchView): Move[] {
  if (before === null || before.table !== after.table || before.epoch !== after.epoch) return [];
  return after.moves.slice(before.moves.length);
}

/** The sound of a move. Hidden moves all sound alike (F10), and fog has no sound of check. */
export function soundOf(move: Move): Sound {
  if (move.san === null) return 'move';
  if (/[+#]$/.test(move.san)) return 'check';
  if (move.san.includes('@')) return 'drop';
  return move.san.includes('x') ? 'capture' : 'move';
}

/** The sounds of a change, at most one for each board and the end of the match. */
export function soundsOf(before: MatchView | null, after: MatchView): Heard[] {
  const own = placeOf(after.you ?? 0).board;
  const last = new Map(newMoves(before, after).map(move => [move.board, move]));
  const heard = [...last.values()].map(move => ({ sound: soundOf(move), quiet: move.board !== own }));
  const ended = before !== null && before.table === after.table && before.result === null && after.result !== null;
  return ended ? [...heard, { sound: 'end', quiet: false }] : heard;
}
