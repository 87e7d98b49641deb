/** The little positions of positions.json, which scripts/rules_positions.py makes from the rules. */
import type { Square, Variant } from '../protocol/terms';
import type { ExerciseName } from './content';
import file from './positions.json';

export interface View {
  /** 64 characters, a8 to h1, as in the frames of the protocol. */
  pieces: string;
  last: Square[];
  promoted?: Square[];
  /** White's hand. */
  hand?: string;
  state?: string;
  /** The board without fog. */
  truth?: string;
  mark?: Square | null;
}

export interface Answer {
  view: View;
  /** The piece that goes to the mover's partner, or nothing. */
  sent: string;
  reply?: { view: View; sent: string };
}

export interface Exercise {
  variant: Variant;
  start: View;
  /** A piece that the partner sends first. */
  arrives?: { piece: string; view: View };
  goals: string[];
  answers: Record<string, Answer>;
}

export const EXERCISES: Record<ExerciseName, Exercise> = file as unknown as Record<ExerciseName, Exercise>;

/** What an exercise has come to. */
export interface Stage {
  arrived: boolean;
  /** White's move, once it is made. */
  made: string | null;
  /** Black has answered it. */
  replied: boolean;
}

export const BEGINNING: Stage = { arrived: false, made: null, replied: false };

export function viewOf(exercise: Exercise, { arrived, made, replied }: Stage): View {
  const answer = made === null ? undefined : exercise.answers[made];
  if (answer !== undefined) return replied ? answer.reply?.view ?? answer.view : answer.view;
  return arrived ? exercise.arrives?.view ?? exercise.start : exercise.start;
}

/** The moves that may be made now. */
export function movesOf(exercise: Exercise, { arrived, made }: Stage): string[] {
  if (made !== null || (exercise.arrives !== undefined && !arrived)) return [];
  return Object.keys(exercise.answers);
}

/** Where a move begins: its square, or its piece in the hand as `N@`. */
export const originOf = (uci: string): string => uci.slice(0, 2);
export const targetOf = (uci: string): Square => uci.slice(2, 4);
