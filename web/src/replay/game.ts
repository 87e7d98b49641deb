/** A game in a text of somebody's own, read by the server: there is no chess in the browser. */
import type { Clocks, MatchView } from '../protocol/frames';
import type { Profile, TimeControl } from '../protocol/terms';
import type { TextProblem } from '../text/problem';
import { t } from '../text/text';
import type { Replay } from './replay';

/** The server reads no more. */
export const MOST_BYTES = 262_144;

export interface Game extends Replay {
  profile: Profile | null;
  /** What the text says of the time. */
  time: TimeControl | null;
  start_ms: number[] | null;
  /** The last reading of all clocks. */
  clocks: Clocks | null;
  /** By seat, empty where the text says nothing. */
  names: string[];
  tags: [name: string, value: string][];
  /** The closing remark as it stands. */
  ending: string;
  problems: TextProblem[];
}

export interface Failure {
  reason: string;
  detail: string;
  /** Why nothing can be shown. */
  problem?: TextProblem;
}

export async function readGame(text: Blob): Promise<Game | Failure> {
  try {
    const answer = await fetch('/api/games', { method: 'POST', body: text });
    return await answer.json() as Game | Failure;
  } catch {
    return { reason: 'connection_lost', detail: '' };
  }
}

/** The game as a match that is over, looked at by a spectator. */
export const matchOf = (game: Game): MatchView => ({
  table: '',
  version: 0,
  epoch: 0,
  variant: game.variant,
  profile: game.profile,
  time: game.time,
  you: null,
  seats: game.names.map((name, seat) => ({ kind: 'human', name: name === '' ? t('import_player', { number: seat + 1 }) : name, level: 0, online: true })),
  boards: game.full.at(-1) ?? {},
  clocks: game.clocks,
  moves: game.moves,
  standing: { draw_agreed: [], may_abort: false, may_offer_draw: false },
  legal: null,
  result: game.result,
  talk: [],
  muted: false,
  outages: [],
});
