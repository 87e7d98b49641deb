import { useState } from 'preact/hooks';
import { LONGEST_NAME } from '../app/name';
import type { Session } from '../app/session';
import { t } from '../text/text';
import { useAskFirst } from './parts';
import { TimeField, timeOf, type TimeChoice } from './choices';

/** Fog of war for two people on this device: their names, and time or none. */
export function OneDevice({ session, running, name }: { session: Session; running: string | null; name: string }) {
  const starting = useAskFirst(running, 'device-start-leaving');
  const [names, setNames] = useState<[string | null, string]>([null, '']);
  const [time, setTime] = useState<TimeChoice>(null);
  const [white, black] = [names[0] ?? name, names[1]];
  const start = (): void => void session.createForTwo([white.trim(), black.trim()], timeOf(time));
  const field = (label: string, value: string, testId: string, rename: (to: string) => void) => (
    <label class="field">
      <span>{label}</span>
      <input dir="auto" value={value} maxLength={LONGEST_NAME} autocomplete="off" title={t('name_hint')} data-testid={testId} onInput={event => rename(event.currentTarget.value)} />
    </label>
  );
  return (
    <section class="card" aria-labelledby="one-device">
      <h2 id="one-device">{t('device_heading')}</h2>
      <p class="hint">{t('device_hint')}</p>
      <form onSubmit={event => { event.preventDefault(); starting.first(start); }}>
        {field(t('device_white'), white, 'device-white', to => setNames([to, black]))}
        {field(t('device_black'), black, 'device-black', to => setNames([names[0], to]))}
        <TimeField value={time} choose={setTime} testId="device-time" variant="fog" profile="online" />
        {starting.question ?? <button ref={starting.button} class="primary" data-testid="device-start">{t('device_start')}</button>}
      </form>
    </section>
  );
}
