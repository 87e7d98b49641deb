/** Terms of docs/protocol.md that commands and frames share. Times are whole milliseconds. */

export type Variant = 'tandem' | 'fog';
export type Profile = 'online' | 'club';
export type BoardName = 'A' | 'B';
export type Colour = 'white' | 'black';
/** A square's name, `a1` to `h8`. */
export type Square = string;
/** Tandem: 0 White on A, 1 Black on A, 2 White on B, 3 Black on B. Fog: 0 White, 1 Black. */
export type SeatNumber = number;

export interface TimeControl {
  initial_ms: number;
  increment_ms: number;
}

export interface Seat {
  kind: 'free' | 'human' | 'bot';
  name: string;
  level: number;
  online: boolean;
}

export const QUICK_MESSAGES = [
  'need_pawn', 'need_knight', 'need_bishop', 'need_rook', 'need_queen',
  'no_pawn', 'no_knight', 'no_bishop', 'no_rook', 'no_queen',
  'trades_good', 'trades_bad', 'sit', 'go', 'i_mate', 'they_mate',
  'yes', 'no', 'thanks', 'sorry',
] as const;
export type QuickMessage = (typeof QUICK_MESSAGES)[number];

export type Reason =
  | 'mate' | 'time' | 'resignation' | 'leaving' | 'agreement' | 'nobody_can_move' | 'move_limit'
  | 'king_captured' | 'no_moves' | 'threefold' | 'fifty_moves'
  | 'aborted' | 'nobody_played' | 'idle' | 'closed'
  // Of a game in somebody's own text, where neither its moves nor its words tell.
  | 'unknown' | 'draw';
