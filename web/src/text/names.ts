import { t } from './text';

/** Names that the server makes up, in the player's language and digits: "Guest 417" for who typed none, "Bot 2" for a computer. */
export function shownName(name: string): string {
  const [, word, number] = /^(Guest|Bot) ([1-9]\d{0,2})$/.exec(name) ?? [];
  if (word === undefined) return name;
  return t(word === 'Guest' ? 'name_guest' : 'name_bot', { number: Number(number) });
}
