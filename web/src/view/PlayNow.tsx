import { useState } from 'preact/hooks';
import type { Session } from '../app/session';
import type { Profile, SeatNumber, Variant } from '../protocol/terms';
import { t } from '../text/text';
import { useAskFirst } from './parts';
import { LevelField, ProfileField, SeatField, TimeField, timeOf, type TimeChoice } from './choices';

interface Props {
  session: Session;
  /** A match of one's own that goes on elsewhere. */
  running: string | null;
  name: string;
  level: number;
  setLevel: (level: number) => void;
}

/** A game against computers at once; who wants to chooses seat, form and time first. */
export function PlayNow({ session, running, name, level, setLevel }: Props) {
  const [seat, setSeat] = useState<SeatNumber>(0);
  const [profile, setProfile] = useState<Profile>('online');
  const [time, setTime] = useState<TimeChoice>(null);
  const tandem = useAskFirst(running, 'play-now-leaving');
  const fog = useAskFirst(running, 'play-fog-leaving');
  const play = (variant: Variant): void => {
    const chosen = timeOf(time);
    void session.playNow({
      variant,
      level,
      // In fog the colour of the chosen seat counts.
      seat: variant === 'fog' ? seat % 2 : seat,
      ...(variant === 'tandem' ? { profile } : {}),
      ...(chosen === undefined ? {} : { time: chosen }),
      ...(name === '' ? {} : { name }),
    });
  };
  return (
    <section class="card start" aria-labelledby="play-at-once">
      <h2 id="play-at-once">{t('play_heading')}</h2>
      <LevelField value={level} choose={setLevel} testId="level" />
      {tandem.question ?? <button ref={tandem.button} class="primary big" data-testid="play-now" onClick={() => tandem.first(() => play('tandem'))}>{t('play_now')}</button>}
      <p class="hint">{t('play_now_hint')}</p>
      {fog.question ?? <button ref={fog.button} class="big" data-testid="play-fog" onClick={() => fog.first(() => play('fog'))}>{t('play_fog')}</button>}
      <p class="hint">{t('play_fog_hint')}</p>
      <details>
        <summary data-testid="options">{t('options')}</summary>
        <SeatField value={seat} choose={setSeat} testId="play-seat" variant="tandem" />
        <ProfileField value={profile} choose={setProfile} testId="play-profile" />
        <TimeField value={time} choose={setTime} testId="play-time" variant="tandem" profile={profile} />
      </details>
    </section>
  );
}
