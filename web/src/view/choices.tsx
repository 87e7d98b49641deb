/** Choices that several forms of the lobby offer. */
import type { ComponentChildren } from 'preact';
import type { Profile, SeatNumber, TimeControl, Variant } from '../protocol/terms';
import { seatsOf } from '../state/seating';
import { t } from '../text/text';
import { seatLabel, timeText } from './words';

const minutes = (base: number, increment = 0): TimeControl => ({ initial_ms: base * 60_000, increment_ms: increment * 1000 });
const TIMES = [minutes(1), minutes(2), minutes(3), minutes(3, 2), minutes(5), minutes(5, 3), minutes(7), minutes(10), minutes(15, 10), minutes(60)];
export const LEVELS = [1, 2, 3, 4, 5];

/** The place of a time in the list of choices; null is the usual time of the game. */
export type TimeChoice = number | null;
export const timeOf = (choice: TimeChoice): TimeControl | undefined => (choice === null ? undefined : TIMES[choice]);

interface FieldProps {
  label: string;
  value: string | number;
  testId: string;
  choose: (value: string) => void;
  children: ComponentChildren;
}

/** A choice with its label above it. */
export function SelectField({ label, value, testId, choose, children }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} data-testid={testId} onChange={event => choose(event.currentTarget.value)}>{children}</select>
    </label>
  );
}

interface ChoiceProps<T> {
  value: T;
  choose: (value: T) => void;
  testId: string;
}

export function VariantField({ value, choose, testId }: ChoiceProps<Variant>) {
  return (
    <SelectField label={t('game')} choose={chosen => choose(chosen as Variant)} {...{ value, testId }}>
      <option value="tandem">{t('variant_tandem')}</option>
      <option value="fog">{t('variant_fog')}</option>
    </SelectField>
  );
}

export function ProfileField({ value, choose, testId }: ChoiceProps<Profile>) {
  return (
    <SelectField label={t('profile')} choose={chosen => choose(chosen as Profile)} {...{ value, testId }}>
      <option value="online">{t('profile_online')}</option>
      <option value="club">{t('profile_club')}</option>
    </SelectField>
  );
}

/** Tandem has 3 minutes when nothing else is chosen, in the club form 7; fog has no clock then. */
export function TimeField({ value, choose, testId, variant, profile }: ChoiceProps<TimeChoice> & { variant: Variant; profile: Profile }) {
  const usual = variant === 'fog' ? t('time_none') : `${t('time_default')} (${timeText(minutes(profile === 'club' ? 7 : 3))})`;
  return (
    <SelectField label={t('time')} value={value ?? ''} choose={chosen => choose(chosen === '' ? null : Number(chosen))} testId={testId}>
      <option value="">{usual}</option>
      {TIMES.map((option, index) => <option key={index} value={index}>{timeText(option)}</option>)}
    </SelectField>
  );
}

export function SeatField({ value, choose, testId, variant }: ChoiceProps<SeatNumber> & { variant: Variant }) {
  return (
    <SelectField label={t('your_seat')} choose={chosen => choose(Number(chosen))} {...{ value, testId }}>
      {seatsOf(variant).map(seat => <option key={seat} value={seat}>{seatLabel(variant, seat)}</option>)}
    </SelectField>
  );
}

export function LevelField({ value, choose, testId }: ChoiceProps<number>) {
  return (
    <SelectField label={t('level')} choose={chosen => choose(Number(chosen))} {...{ value, testId }}>
      {LEVELS.map(level => <option key={level} value={level}>{t('level_value', { level })}</option>)}
    </SelectField>
  );
}
