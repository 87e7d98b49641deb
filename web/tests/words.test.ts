import { expect, test } from 'vitest';
import type { MatchView, Result } from '../src/protocol/frames';
import { routeOf } from '../src/app/route';
import { speak } from '../src/text/text';
import { drawOfferText, gameText, nameOf, resultWords, timeText } from '../src/view/words';
import { fogFull, tandemFull } from './examples';

const words = (view: MatchView, result: Result) => resultWords(view, result);

test('T11: each seat is told of its own team, a spectator the names', () => {
  const won = [0, 1, 2, 3].map(you => words({ ...tandemFull(), you }, { winner: 1, reason: 'mate' }).title);
  expect(won).toEqual(['Your team won', 'Your team lost', 'Your team lost', 'Your team won']);
  expect(words({ ...tandemFull(), you: null }, { winner: 1, reason: 'mate' }).title).toBe('Kari, Bot 3 won');
  expect(words({ ...fogFull(), you: 1 }, { winner: 1, reason: 'king_captured' })).toEqual({ title: 'You lost', detail: 'King captured.' });
});

test('the rule that ended the match is named, with the board or the player where the view tells', () => {
  const full = tandemFull();
  full.boards.B!.state = 'mate';
  expect(words(full, { winner: 1, reason: 'mate' }).detail).toBe('Checkmate on board B.');
  full.clocks!.remaining_ms[2] = 0;
  expect(words(full, { winner: 1, reason: 'time' }).detail).toBe('Bot 2 ran out of time.');
  expect(words(full, { winner: null, reason: 'move_limit' })).toEqual({ title: 'Draw', detail: 'The limit of 800 moves was reached.' });
  expect(words(full, { winner: null, reason: 'aborted' }).title).toBe('No result');
});

test('T-draw: who has agreed is told for whose word the draw waits, who has not whose offer it is', async () => {
  const full = tandemFull();
  full.seats = ['Kari', 'Ola', 'Per', 'Bot 3'].map(name => ({ kind: name === 'Bot 3' ? 'bot' : 'human', name, level: 0, online: true }));
  const said = (draw_agreed: number[]): string => drawOfferText({ ...full, standing: { ...full.standing, draw_agreed } }, 0);
  expect(said([1])).toBe('Ola offered a draw.');
  expect(said([1, 0])).toBe('You agreed to a draw; waiting for Per.');
  expect(said([0, 2])).toBe('You agreed to a draw; waiting for Ola.');
  await speak('de');
  expect([said([1]), said([1, 2])]).toEqual(['Remisangebot von Ola.', 'Remisangebot von Ola, Per.']);
  await speak('en');
});

test('names that the server made up are said in the language, with its digits; those that people chose stay', async () => {
  const seats = ['Guest 417', 'Bot 2', 'Guest', 'Guest 1000', 'Guest 007', 'Bot 2!', 'bot 2', ''].map(name => ({ kind: 'human' as const, name, level: 0, online: true }));
  const all = (): string[] => seats.map((_, seat) => nameOf(seats, seat));
  expect(all().slice(0, 3)).toEqual(['Guest 417', 'Bot 2', 'Guest']);
  await speak('de');
  expect(all().slice(0, 7)).toEqual(['Gast 417', 'Bot 2', 'Guest', 'Guest 1000', 'Guest 007', 'Bot 2!', 'bot 2']);
  await speak('fa');
  expect(all().slice(0, 3)).toEqual(['مهمان ۴۱۷', 'رایانهٔ ۲', 'Guest']);
  await speak('en');
});

test('a path that leads nowhere is no lobby, and the rules are chosen where none are named', () => {
  for (const path of ['/', '/index.html', '/t/07abc', '/t/07abc/3', '/r', '/r/07abc', '/p/0abc', '/privacy', '/rules', '/rules/fog']) expect(routeOf(path).unknown, path).toBe(false);
  for (const path of ['/t/', '/t/07abc/4', '/t/NO', '/rules/chess', '/p/', '/nothing', '/privacy/x']) expect(routeOf(path).unknown, path).toBe(true);
  expect(['/rules', '/rules/', '/rules/fog', '/'].map(path => routeOf(path).rules)).toEqual(['choice', 'choice', 'fog', null]);
});

test('time controls and games are said in words', () => {
  expect(timeText({ initial_ms: 180_000, increment_ms: 0 })).toBe('3 min');
  expect(timeText({ initial_ms: 15_000, increment_ms: 2_000 })).toBe('15 s + 2 s');
  expect(gameText({ variant: 'tandem', profile: 'club', time: { initial_ms: 420_000, increment_ms: 0 } })).toBe('Tandem chess · Club: press the clock · 7 min');
  expect(gameText({ variant: 'fog', profile: null, time: null })).toBe('Fog of war · No clock');
});
