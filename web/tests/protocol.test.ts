import { expect, test } from 'vitest';
import { examples, protocol, quickMessages } from './examples';

test('every kind of frame and command of the protocol page has an example', () => {
  const kinds = new Set(examples.map(frame => frame.t));
  for (const kind of ['ok', 'error', 'table', 'full', 'delta', 'talk', 'bye', 'move', 'join', 'play_now', 'say']) {
    expect(kinds).toContain(kind);
  }
});

test('the quick messages are those of the protocol page', () => {
  const say = protocol.slice(protocol.indexOf('### say'), protocol.indexOf('### rematch'));
  const written = [...say.matchAll(/`(\w+)`/g)].map(match => match[1]).filter(word => word !== 'quick' && word !== 'text');
  expect(written).toEqual(quickMessages);
});
