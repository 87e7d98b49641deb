import { afterEach, expect, test } from 'vitest';
import bpgn from '../../libs/rules/bpgn.py?raw';
import movetext from '../../libs/rules/movetext.py?raw';
import pgn from '../../libs/rules/pgn.py?raw';
import reading from '../../services/visibility/reading.py?raw';
import { en } from '../src/text/en';
import { problemText } from '../src/text/problem';
import { speak } from '../src/text/text';

afterEach(() => speak('en'));

test('every problem that reading a text may name has its words', () => {
  const source = [bpgn, movetext, pgn, reading].join('\n');
  const named = [...source.matchAll(/(?:Problem\(|_stop\(|BadText\()[^)]*?"([a-z]+(?:_[a-z]+)+)"/g)].map(match => match[1] ?? '');
  expect(named.length).toBeGreaterThan(12);
  const unknown = named.filter(reason => reason !== 'unwritable' && !(`problem_${reason}` in en) && !(`refusal_${reason}` in en));
  expect(unknown).toEqual([]);
});

test('a problem is told with its place, and what stopped the reading says so', () => {
  const stops = { reason: 'not_in_hand', detail: 'x', where: '19A P@e7+', stops: true };
  expect(problemText(stops)).toBe('19A P@e7+: That piece is not in hand. The game is shown up to there.');
  expect(problemText({ reason: 'leaves_king_in_check', detail: 'x', where: '2... Ke7', stops: false })).toBe('2... Ke7: The king would be in check.');
  expect(problemText({ reason: 'bad_fen', detail: 'x', where: 'tag FEN, board A: rank 3, column 5', stops: false }))
    .toBe('Tag FEN, board A, rank 3, file 5: The position that the game starts from cannot be read.');
  expect(problemText({ reason: 'new_one', detail: 'In its own words.', where: 'line 1', stops: true })).toBe('In its own words.');
});

test('the place is told in the reader’s language', async () => {
  await speak('de');
  expect(problemText({ reason: 'open_comment', detail: 'x', where: 'line 7', stops: false })).toBe('Zeile 7: Der Kommentar wird nie geschlossen.');
  await speak('fa');
  expect(problemText({ reason: 'open_comment', detail: 'x', where: 'line 7', stops: false })).toContain('سطر ۷');
});
