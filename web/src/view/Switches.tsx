import type { Preferences } from '../app/preferences';
import { t } from '../text/text';
import { CAN_SPEAK } from './spoken';

interface Props {
  preferences: Preferences;
  set: (preferences: Preferences) => void;
  flip: () => void;
  tandem: boolean;
}

/** How the table looks, sounds and listens. */
export function Switches({ preferences, set, flip, tandem }: Props) {
  const toggle = (which: keyof Preferences, label: string, title: string) => (
    <button
      aria-pressed={preferences[which]}
      title={title}
      data-testid={`switch-${which}`}
      onClick={() => set({ ...preferences, [which]: !preferences[which] })}
    >
      <span aria-hidden="true">{preferences[which] ? '✓' : '✕'}</span> {label}
    </button>
  );
  return (
    <div class="row switches">
      <button title={t('flip_long')} aria-keyshortcuts="F" data-testid="flip" onClick={flip}>⇅ {t('flip')}</button>
      {toggle('sound', t('sound'), t('sound'))}
      {tandem && CAN_SPEAK && toggle('voice', t('voice'), t('voice_long'))}
      {toggle('keys', t('shortcuts'), t('shortcuts_long'))}
    </div>
  );
}
