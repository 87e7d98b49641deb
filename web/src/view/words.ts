/** Sentences about seats, games and results, from the texts of the language. */
import type { MatchView, Result, TableSummary } from '../protocol/frames';
import type { BoardName, Colour, QuickMessage, Seat, SeatNumber, TimeControl, Variant } from '../protocol/terms';
import type { PremoveProblem } from '../state/premove';
import { boardsOf, placeOf, teamOf, teamSeats } from '../state/seating';
import { shownName } from '../text/names';
import { refusalText } from '../text/refusal';
import { isolated, language, t } from '../text/text';

export function seatLabel(variant: Variant, seat: SeatNumber): string {
  const { board, colour } = placeOf(seat);
  return variant === 'fog' ? t(`seat_${colour}_fog`) : t(`seat_${colour}`, { board });
}

export const nameOf = (seats: Seat[], seat: SeatNumber): string => {
  const name = seats[seat]?.name ?? '';
  return name === '' ? t('seat_free') : shownName(name);
};

export const namesOf = (seats: Seat[], which: SeatNumber[]): string => which.map(seat => isolated(nameOf(seats, seat))).join(', ');

export const colourName = (colour: Colour): string => t(colour);

export function timeText(time: TimeControl | null): string {
  if (time === null) return t('time_none');
  const seconds = time.initial_ms / 1000;
  const base = seconds % 60 === 0 ? t('time_minutes', { minutes: seconds / 60 }) : t('time_seconds', { seconds });
  return time.increment_ms === 0 ? base : t('time_increment', { base, increment: time.increment_ms / 1000 });
}

/** A game in words; without its time where that is not known yet. */
export function gameText({ variant, profile, time }: Pick<TableSummary, 'variant' | 'profile'> & { time?: TimeControl | null | undefined }): string {
  const parts = [t(`variant_${variant}`)];
  if (profile === 'club') parts.push(t('profile_club'));
  if (time !== undefined) parts.push(timeText(time));
  return parts.join(' · ');
}

export function quickText(quick: QuickMessage): string {
  if (quick === 'yes') return t('say_yes');
  return quick === 'no' ? t('say_no') : t(quick);
}

export interface ResultWords {
  title: string;
  detail: string;
}

export function resultWords(match: MatchView, result: Result): ResultWords {
  return { title: resultTitle(match, result), detail: resultDetail(match, result) };
}

function resultTitle({ variant, seats, you }: MatchView, { winner, reason }: Result): string {
  if (winner === null) {
    return ['aborted', 'nobody_played', 'idle', 'closed', 'unknown'].includes(reason) ? t('result_none') : t('result_draw');
  }
  if (you === null) return t('result_winner', { names: namesOf(seats, teamSeats(variant, winner)) });
  const word = teamOf(variant, you) === winner ? 'won' : 'lost';
  return variant === 'fog' ? t(`result_${word}`) : t(`result_${word}_team`);
}

function resultDetail({ variant, boards, clocks, seats }: MatchView, { reason }: Result): string {
  const mated = boardsOf(variant).filter((name: BoardName) => boards[name]?.state === 'mate');
  if (reason === 'mate' && mated.length === 1) return t('reason_mate_board', { board: mated[0] ?? '' });
  const fallen = (clocks?.remaining_ms ?? []).flatMap((left, seat) => (left <= 0 ? [seat] : []));
  if (reason === 'time' && fallen.length === 1) return t('reason_time_of', { name: namesOf(seats, fallen) });
  return t(`reason_${reason}`);
}

/** Whose draw offer stands; to who has agreed, whose word is still wanted. In tandem no computer's is (T-draw). */
export function drawOfferText({ variant, seats, standing: { draw_agreed } }: MatchView, you: SeatNumber): string {
  if (!draw_agreed.includes(you)) return t('draw_offer_from', { names: namesOf(seats, draw_agreed) });
  const asked = seats.flatMap(({ kind }, seat) => (kind === 'human' || variant === 'fog' ? [seat] : []));
  return t('draw_waits', { names: namesOf(seats, asked.filter(seat => !draw_agreed.includes(seat))) });
}

/** Why a move is not taken for the next turn. */
export const premoveProblemText = (problem: PremoveProblem, uci: string): string =>
  (problem === 'promotion' ? t('typed_promotion', { move: `${uci}q` }) : t(`refusal_${problem}`));

/** A time of day as it is written in the language. */
export const clockTime = (date_ms: number): string =>
  new Date(date_ms).toLocaleTimeString(language(), { hour: '2-digit', minute: '2-digit' });

/** Why a table cannot be shown. */
export function failureText(reason: string, detail: string): string {
  if (reason === 'unknown_table' || reason === 'not_filled' || reason === 'start_failed' || reason === 'closed_by_operator') return t(reason);
  return refusalText({ reason, message: detail });
}
