import { isTextKey, t } from './text';

/** A refusal in the player's language; one that the page does not know in the server's words. */
export function refusalText({ reason, message }: { reason: string; message: string }): string {
  const key = `refusal_${reason}`;
  return isTextKey(key) ? t(key) : message;
}

/** Why one waits again, or no more. */
export function waitingText(reason: string): string {
  const key = `waiting_${reason}`;
  return isTextKey(key) ? t(key) : '';
}
