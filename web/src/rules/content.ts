/** What a language has to say on the rules pages. A test sees to it that all languages say as much. */
import type { Language } from '../text/languages';
import { language } from '../text/text';

export type ExerciseName = 'capture' | 'block' | 'promoted' | 'mate' | 'pawn_sight' | 'en_passant' | 'fallen' | 'king';

export interface ExerciseText {
  title: string;
  task: string;
  /** Said when the task is done. */
  done: string;
}

export interface Section {
  heading: string;
  text: string[];
  exercises?: ExerciseName[];
}

export interface GameText {
  title: string;
  lead: string;
  sections: Section[];
  differences: { heading: string; aspect: string; chess: string; here: string; rows: [string, string, string][] };
  clubs: { heading: string; text: string[] };
  history: { heading: string; text: string };
}

export interface RulesText {
  /** Names the list of a page's parts. */
  parts: string;
  try_it: string;
  again: string;
  other_move: string;
  lift: string;
  lower: string;
  your_hand: string;
  empty_hand: string;
  /** `{piece}` comes into the partner's hand. */
  sent_to_partner: string;
  /** `{piece}`, captured by Black, comes to the partner of Black. */
  sent_to_theirs: string;
  /** `{piece}` comes from the partner. */
  arrives: string;
  tandem: GameText;
  fog: GameText;
  exercises: Record<ExerciseName, ExerciseText>;
}

const LANGUAGES: Record<Language, () => Promise<RulesText>> = {
  en: async () => (await import('./text/en')).en,
  nb: async () => (await import('./text/nb')).nb,
  de: async () => (await import('./text/de')).de,
  fa: async () => (await import('./text/fa')).fa,
};

export const loadRules = (): Promise<RulesText> => LANGUAGES[language()]();
