import { useState } from 'preact/hooks';
import type { Session } from '../app/session';
import type { Profile, TimeControl, Variant } from '../protocol/terms';
import { t } from '../text/text';
import { timeText } from './words';

const minutes = (base: number, increment = 0): TimeControl => ({ initial_ms: base * 60_000, increment_ms: increment * 1000 });
const TIMES = [minutes(1), minutes(2), minutes(3), minutes(3, 2), minutes(5), minutes(5, 3), minutes(7), minutes(10), minutes(15, 10), minutes(60)];
/** The table's usual time: 3 minutes, in the club form 7, in fog no clock. */
const USUAL = -1;

/** Chooses a game and makes a table for friends; its maker gets the first seat. */
export function CreateTable({ session, name }: { session: Session; name: string }) {
  const [variant, setVariant] = useState<Variant>('tandem');
  const [profile, setProfile] = useState<Profile>('online');
  const [chosen, setChosen] = useState(USUAL);
  const [listed, setListed] = useState(false);
  const time = TIMES[chosen];
  const create = (): void => void session.createTable({
    variant, public: listed, ...(variant === 'tandem' ? { profile } : {}), ...(time === undefined ? {} : { time }),
  }, name);
  return (
    <section class="card">
      <h2>{t('invite_heading')}</h2>
      <p class="hint">{t('invite_hint')}</p>
      <form onSubmit={event => { event.preventDefault(); create(); }}>
        <label class="field">
          <span>{t('game')}</span>
          <select value={variant} data-testid="create-variant" onChange={event => setVariant(event.currentTarget.value as Variant)}>
            <option value="tandem">{t('variant_tandem')}</option>
            <option value="fog">{t('variant_fog')}</option>
          </select>
        </label>
        {variant === 'tandem' && (
          <label class="field">
            <span>{t('profile')}</span>
            <select value={profile} data-testid="create-profile" onChange={event => setProfile(event.currentTarget.value as Profile)}>
              <option value="online">{t('profile_online')}</option>
              <option value="club">{t('profile_club')}</option>
            </select>
          </label>
        )}
        <label class="field">
          <span>{t('time')}</span>
          <select value={chosen} data-testid="create-time" onChange={event => setChosen(Number(event.currentTarget.value))}>
            <option value={USUAL}>{variant === 'fog' ? t('time_none') : `${t('time_default')} (${timeText(minutes(profile === 'club' ? 7 : 3))})`}</option>
            {TIMES.map((option, index) => <option key={index} value={index}>{timeText(option)}</option>)}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" checked={listed} data-testid="create-public" onChange={event => setListed(event.currentTarget.checked)} /> {t('listed')}
        </label>
        <button class="primary" data-testid="create-table">{t('create_table')}</button>
      </form>
    </section>
  );
}
