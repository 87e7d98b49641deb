import { isTextKey, t } from './text';

/** Something wrong in a text of a game, as `/api/games` tells it. */
export interface TextProblem {
  reason: string;
  detail: string;
  where: string;
  /** Nothing behind it was read. */
  stops: boolean;
}

/** A problem in the reader's language, with its place; one that the page does not know in the server's words. */
export function problemText({ reason, detail, where, stops }: TextProblem): string {
  const key = [`problem_${reason}`, `refusal_${reason}`].find(isTextKey);
  if (key === undefined) return detail;
  const place = placeText(where);
  const problem = place === '' ? t(key) : t('problem_at', { where: place, problem: t(key) });
  return stops ? t('problem_stops', { problem }) : problem;
}

/** "tag FEN, board A: rank 3" part by part; a move stays as it is written. */
function placeText(where: string): string {
  if (/^\d+([AaBb]|\.)/.test(where)) return where;
  return where.split(/, |: /).flatMap(part => {
    const [, word = '', value = ''] = /^(\w+) (.+)$/.exec(part) ?? [];
    const key = `place_${word}`;
    return isTextKey(key) ? [t(key, { value: /^\d+$/.test(value) ? Number(value) : value })] : [];
  }).join(', ');
}
