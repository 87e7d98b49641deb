import { expect, test } from 'vitest';
import type { ExerciseName, GameText, RulesText } from '../src/rules/content';
import { BEGINNING, EXERCISES, movesOf, targetOf, viewOf } from '../src/rules/exercises';
import { de } from '../src/rules/text/de';
import { en } from '../src/rules/text/en';
import { fa } from '../src/rules/text/fa';
import { nb } from '../src/rules/text/nb';

const texts: Record<string, RulesText> = { en, nb, de, fa };
const names = Object.keys(EXERCISES) as ExerciseName[];
const shape = ({ sections, differences, clubs }: GameText) => ({
  sections: sections.map(({ text, exercises }) => [text.length, exercises]),
  rows: differences.rows.length,
  clubs: clubs.text.length,
});

test('every language has the same parts, paragraphs, rows and exercises', () => {
  for (const text of Object.values(texts)) {
    expect(shape(text.tandem)).toEqual(shape(en.tandem));
    expect(shape(text.fog)).toEqual(shape(en.fog));
    for (const key of ['sent_to_partner', 'sent_to_theirs', 'arrives'] as const) expect(text[key]).toContain('{piece}');
  }
});

test('every exercise stands on a page, and its goals are moves that are allowed', () => {
  const shown = [en.tandem, en.fog].flatMap(({ sections }) => sections.flatMap(({ exercises }) => exercises ?? []));
  expect([...shown].sort()).toEqual([...names].sort());
  for (const name of names) {
    expect(EXERCISES[name].goals.length).toBeGreaterThan(0);
    expect(Object.keys(EXERCISES[name].answers)).toEqual(expect.arrayContaining(EXERCISES[name].goals));
  }
});

test('T-wait: nothing can be done before the partner sends the knight, then only the drop that blocks', () => {
  const { block } = EXERCISES;
  expect(movesOf(block, BEGINNING)).toEqual([]);
  expect(viewOf(block, BEGINNING).state).toBe('waiting');
  expect(movesOf(block, { ...BEGINNING, arrived: true }).map(targetOf)).toEqual(['f1']);
});

test('F-see: the passed pawn is seen for one turn only', () => {
  const { en_passant } = EXERCISES;
  const at = (pieces: string, index: number): string => pieces.charAt(index);
  const d5 = 3 * 8 + 3;
  expect(at(viewOf(en_passant, BEGINNING).pieces, d5)).toBe('p');
  expect(at(viewOf(en_passant, { ...BEGINNING, made: 'g1f1' }).pieces, d5)).toBe('?');
});
