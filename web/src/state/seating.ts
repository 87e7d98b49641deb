/** Which seat sits where. Nothing here changes during a match. */
import type { BoardName, Colour, SeatNumber, Variant } from '../protocol/terms';

export interface Place {
  board: BoardName;
  colour: Colour;
}

export const opposite = (colour: Colour): Colour => (colour === 'white' ? 'black' : 'white');

export const boardsOf = (variant: Variant): BoardName[] => (variant === 'tandem' ? ['A', 'B'] : ['A']);

export const seatsOf = (variant: Variant): SeatNumber[] => (variant === 'tandem' ? [0, 1, 2, 3] : [0, 1]);

export const placeOf = (seat: SeatNumber): Place => ({
  board: seat < 2 ? 'A' : 'B',
  colour: seat % 2 === 0 ? 'white' : 'black',
});

export const seatAt = (board: BoardName, colour: Colour): SeatNumber =>
  (board === 'A' ? 0 : 2) + (colour === 'white' ? 0 : 1);

/** Tandem: team 1 is seats 0 and 3. Fog: 1 is White, 2 is Black. */
export const teamOf = (variant: Variant, seat: SeatNumber): 1 | 2 => {
  if (variant === 'fog') return seat === 0 ? 1 : 2;
  return seat === 0 || seat === 3 ? 1 : 2;
};

export const teamSeats = (variant: Variant, team: 1 | 2): SeatNumber[] =>
  seatsOf(variant).filter(seat => teamOf(variant, seat) === team);

export const partnerOf = (seat: SeatNumber): SeatNumber => 3 - seat;

/** The boards in the order shown, own first, each with the colour at the bottom: the viewer's team, or team 1 for spectators. */
export function perspective(variant: Variant, you: SeatNumber | null): { board: BoardName; bottom: Colour }[] {
  const own = placeOf(you ?? 0);
  const first = { board: own.board, bottom: own.colour };
  if (variant === 'fog') return [first];
  return [first, { board: own.board === 'A' ? 'B' : 'A', bottom: opposite(own.colour) }];
}
