import { useState } from 'preact/hooks';
import type { Session } from '../app/session';
import type { Profile, SeatNumber, Variant } from '../protocol/terms';
import { seatsOf } from '../state/seating';
import { t } from '../text/text';
import { useAskFirst } from './parts';
import { LEVELS, ProfileField, SeatField, SelectField, TimeField, VariantField, timeOf, type TimeChoice } from './choices';
import { seatLabel } from './words';

/** Chooses a game and who sits where, and makes a table for friends. */
export function CreateTable({ session, running, name }: { session: Session; running: string | null; name: string }) {
  const making = useAskFirst(running, 'create-table-leaving');
  const [variant, setVariant] = useState<Variant>('tandem');
  const [profile, setProfile] = useState<Profile>('online');
  const [time, setTime] = useState<TimeChoice>(null);
  const [listed, setListed] = useState(false);
  const [seat, setSeat] = useState<SeatNumber>(0);
  const [levels, setLevels] = useState<Record<SeatNumber, number>>({});
  const chooseVariant = (to: Variant): void => {
    setVariant(to);
    setSeat(0);
    setLevels({});
  };
  const create = (): void => {
    const chosen = timeOf(time);
    const bots = Object.fromEntries(Object.entries(levels).filter(([other, level]) => Number(other) !== seat && level > 0));
    void session.createTable({
      variant, public: listed, ...(variant === 'tandem' ? { profile } : {}), ...(chosen === undefined ? {} : { time: chosen }),
    }, name, seat, bots);
  };
  return (
    <section class="card" aria-labelledby="make-a-table">
      <h2 id="make-a-table">{t('invite_heading')}</h2>
      <p class="hint">{t('invite_hint')}</p>
      <form onSubmit={event => { event.preventDefault(); making.first(create); }}>
        <VariantField value={variant} choose={chooseVariant} testId="create-variant" />
        {variant === 'tandem' && <ProfileField value={profile} choose={setProfile} testId="create-profile" />}
        <TimeField value={time} choose={setTime} testId="create-time" {...{ variant, profile }} />
        <SeatField value={seat} choose={setSeat} testId="create-seat" variant={variant} />
        <fieldset>
          <legend>{t('who_sits')}</legend>
          {seatsOf(variant).filter(other => other !== seat).map(other => (
            <SelectField
              key={other}
              label={seatLabel(variant, other)}
              value={levels[other] ?? 0}
              choose={level => setLevels({ ...levels, [other]: Number(level) })}
              testId={`create-level-${other}`}
            >
              <option value={0}>{t('seat_by_link')}</option>
              {LEVELS.map(level => <option key={level} value={level}>{t('seat_computer', { level })}</option>)}
            </SelectField>
          ))}
        </fieldset>
        <label class="check">
          <input type="checkbox" checked={listed} data-testid="create-public" onChange={event => setListed(event.currentTarget.checked)} /> {t('listed')}
        </label>
        {making.question ?? <button ref={making.button} class="primary" data-testid="create-table">{t('create_table')}</button>}
      </form>
    </section>
  );
}
