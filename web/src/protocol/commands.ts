/** Commands to the server, exactly as docs/protocol.md writes them; the connection adds the request id. */
import type { BoardName, Profile, QuickMessage, SeatNumber, TimeControl, Variant } from './terms';

export interface CreateTable {
  t: 'create_table';
  variant: Variant;
  profile?: Profile;
  time?: TimeControl;
  public: boolean;
  /** Fog between two people on this device, who have these names. */
  curtain?: boolean;
  names?: [string, string];
}

export interface PlayNow {
  t: 'play_now';
  variant: Variant;
  name?: string;
  profile?: Profile;
  time?: TimeControl;
  seat?: SeatNumber;
  level?: number;
}

export interface QuickPlay {
  t: 'quick_play';
  variant: Variant;
  profile?: Profile;
  name?: string;
  party?: string;
}

export type PartyCommand =
  | { t: 'create_party'; profile?: Profile; name?: string }
  | { t: 'join_party'; party: string; name?: string };

export interface Join {
  t: 'join';
  table: string;
  token?: string;
  version?: number;
  epoch?: number;
  /** Another connection holds the seat: only to read. */
  reader?: boolean;
  /** Which of the guest's seats; null for a spectator's view. */
  seat?: SeatNumber | null;
}

/** Two people on one device: the side to move comes to its seat. */
export interface Lift {
  t: 'lift';
  seat: SeatNumber;
  ply: number;
  token?: string;
}

export interface TakeSeat {
  t: 'take_seat';
  table: string;
  seat?: SeatNumber;
  name?: string;
}

export interface MoveCommand {
  t: 'move';
  board: BoardName;
  ply: number;
  uci: string;
}

export type Say = { t: 'say'; quick: QuickMessage } | { t: 'say'; text: string };

/** Commands about the match or seat that the connection has joined. */
export type SeatCommand =
  | MoveCommand
  | Say
  | { t: 'set_bot'; seat: SeatNumber; level: number }
  | { t: 'resign' | 'offer_draw' | 'accept_draw' | 'decline_draw' | 'abort' | 'leave' }
  | { t: 'mute'; on: boolean }
  | { t: 'report'; number: number }
  | { t: 'rematch'; agree: boolean; rotate: boolean };

export type Command = CreateTable | PlayNow | QuickPlay | PartyCommand | { t: 'quick_play_bots' | 'leave_queue' } | { t: 'watch_list'; on: boolean } | Join | Lift | TakeSeat | SeatCommand | { t: 'ping' };
