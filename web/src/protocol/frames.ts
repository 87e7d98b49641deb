/** Frames from the server, exactly as docs/protocol.md writes them. */
import type {
  BoardName, Colour, Profile, QuickMessage, Reason, Seat, SeatNumber, Square, TimeControl, Variant,
} from './terms';

export interface TableSummary {
  table: string;
  state: 'open' | 'countdown' | 'starting' | 'started' | 'closed';
  variant: Variant;
  profile: Profile | null;
  time: TimeControl | null;
  public: boolean;
  seats: Seat[];
}

export interface OkFrame {
  t: 'ok';
  id: string;
  version?: number;
  duplicate?: boolean;
  table?: string;
  seat?: SeatNumber;
  token?: string;
  party?: string;
  /** All of the guest's seats, at a table with a curtain. */
  seats?: { seat: SeatNumber; token: string }[];
}

export interface ErrorFrame {
  t: 'error';
  id: string | null;
  reason: string;
  detail: string;
}

export interface Rematch {
  agreed: SeatNumber[];
  rotate: SeatNumber[];
  next_table: string;
  expires_in_ms: number;
}

export interface TableFrame extends TableSummary {
  t: 'table';
  version: number;
  starts_in_ms: number;
  closed_reason: string;
  rematch: Rematch;
  /** Two people on one device play here. */
  curtain: boolean;
}

export interface Board {
  /** 64 characters, a8 to h1: letters, `.` for an empty square, `?` for fog. */
  pieces: string;
  promoted: Square[];
  /** Letters in the order QRBNP, White's and Black's (in small letters); null in fog. */
  hands: [string, string] | null;
  fen: string | null;
  turn: Colour;
  /** Single moves made on this board. */
  ply: number;
  state: 'normal' | 'check' | 'waiting' | 'mate' | null;
  last: Square[];
}

/** A reading of all clocks at match time `at_ms`, `age_ms` old when it was sent. */
export interface Clocks {
  at_ms: number;
  remaining_ms: number[];
  running: boolean[];
  age_ms: number;
}

export interface Move {
  board: BoardName;
  ply: number;
  san: string | null;
  uci: string | null;
  /** Where the viewer's piece fell unseen, in fog. */
  mark: Square | null;
  at_ms: number;
  remaining_ms: number | null;
}

export interface Standing {
  draw_agreed: SeatNumber[];
  may_abort: boolean;
  may_offer_draw: boolean;
}

export interface Legal {
  ply: number;
  from: Record<Square, Square[]>;
  drops: { pieces: Square[]; pawns: Square[] };
}

export interface Result {
  winner: 1 | 2 | null;
  reason: Reason;
}

export interface Talk {
  number: number;
  seat: SeatNumber;
  quick: QuickMessage | null;
  text: string | null;
  at_ms: number;
}

/** Everything that this viewer may see. */
export interface MatchView {
  table: string;
  version: number;
  epoch: number;
  variant: Variant;
  profile: Profile | null;
  time: TimeControl | null;
  you: SeatNumber | null;
  seats: Seat[];
  boards: Partial<Record<BoardName, Board>>;
  clocks: Clocks | null;
  moves: Move[];
  standing: Standing;
  legal: Legal | null;
  result: Result | null;
  talk: Talk[];
  /** This seat does not hear its partner. */
  muted: boolean;
  outages: unknown[];
}

export type FullFrame = { t: 'full' } & MatchView;
export type DeltaFrame = { t: 'delta' } & Pick<MatchView, 'table' | 'version' | 'epoch'> & Partial<MatchView>;
export type TalkFrame = { t: 'talk'; table: string } & Talk;

/** A later connection holds the seat. */
export interface MovedFrame {
  t: 'moved';
  table: string;
}

/** What the operator tells everybody; an empty `what` takes it back. */
export interface AnnouncementFrame {
  t: 'announcement';
  what: 'restart' | '';
  in_ms: number;
}

export interface ByeFrame {
  t: 'bye';
  reason: string;
}

export interface QueueFrame {
  t: 'queue';
  state: 'party' | 'waiting' | 'over';
  variant: Variant;
  profile: Profile | null;
  party: string | null;
  members: { name: string; online: boolean }[];
  waited_ms: number;
  waiting: number;
  bots_offered: boolean;
  reason: string;
}

export interface SeatedFrame {
  t: 'seated';
  table: string;
  seat: SeatNumber;
  token: string;
}

export interface ListFrame {
  t: 'list';
  tables: TableSummary[];
}

/** Frames about the watched table. */
export type WatchedFrame = TableFrame | FullFrame | DeltaFrame | TalkFrame | MovedFrame | ByeFrame;
export type PushedFrame = WatchedFrame | QueueFrame | SeatedFrame | ListFrame | AnnouncementFrame;
export type ServerFrame = OkFrame | ErrorFrame | PushedFrame;
