import type { Session } from '../app/session';
import { t } from '../text/text';
import { CreateTable } from './CreateTable';
import { NameField } from './NameField';
import { TableList } from './TableList';

interface Props {
  session: Session;
  name: string;
  rename: (name: string) => void;
  level: number;
  setLevel: (level: number) => void;
  go: (path: string) => void;
}

export function Lobby({ session, name, rename, level, setLevel, go }: Props) {
  const shown = name.trim();
  const play = (variant: 'tandem' | 'fog'): void =>
    void session.playNow({ variant, level, seat: 0, ...(shown === '' ? {} : { name: shown }) });
  return (
    <main class="lobby">
      <h1>{t('tagline')}</h1>
      <div class="lobby-columns">
        <section class="card start">
          <h2>{t('play_heading')}</h2>
          <NameField name={name} rename={rename} />
          <label class="field">
            <span>{t('level')}</span>
            <select value={level} data-testid="level" onChange={event => setLevel(Number(event.currentTarget.value))}>
              {[1, 2, 3, 4, 5].map(value => <option key={value} value={value}>{t('level_value', { level: value })}</option>)}
            </select>
          </label>
          <button class="primary big" data-testid="play-now" onClick={() => play('tandem')}>{t('play_now')}</button>
          <p class="hint">{t('play_now_hint')}</p>
          <button class="big" data-testid="play-fog" onClick={() => play('fog')}>{t('play_fog')}</button>
          <p class="hint">{t('play_fog_hint')}</p>
        </section>
        <CreateTable session={session} name={shown} />
        <TableList session={session} name={shown} go={go} />
      </div>
    </main>
  );
}
