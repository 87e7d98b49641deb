import { useRef, useState } from 'preact/hooks';
import type { Waiting } from '../app/queue';
import type { Session } from '../app/session';
import type { Profile, Variant } from '../protocol/terms';
import { shownName } from '../text/names';
import { waitingText } from '../text/refusal';
import { isolated, t } from '../text/text';
import { ProfileField, VariantField } from './choices';
import { useFrames } from './hooks';
import { CopyLink, useAskFirst } from './parts';
import { gameText } from './words';

interface Props {
  session: Session;
  /** A match of one's own that goes on elsewhere. */
  running: string | null;
  waiting: Waiting | null;
  name: string;
  go: (path: string) => void;
}

/** A table with whoever else looks for one: alone, or with a partner who comes by a link. */
export function QuickPlay({ session, running, waiting, name, go }: Props) {
  const [variant, setVariant] = useState<Variant>('tandem');
  const [profile, setProfile] = useState<Profile>('online');
  const finding = useAskFirst(running, 'quick-play-leaving');
  const pairing = useAskFirst(running, 'quick-pair-leaving');
  if (waiting !== null) return <WaitingCard {...{ session, running, waiting, go }} />;
  const find = (): void => void session.queue.play({ variant, ...(variant === 'tandem' ? { profile } : {}) }, name);
  const pair = async (): Promise<void> => {
    const party = await session.queue.createParty(profile, name);
    if (party !== null) go(`/p/${party}`);
  };
  return (
    <section class="card" aria-labelledby="quick-play">
      <h2 id="quick-play">{t('quick_heading')}</h2>
      <p class="hint">{t('quick_hint')}</p>
      <VariantField value={variant} choose={setVariant} testId="quick-variant" />
      {variant === 'tandem' && <ProfileField value={profile} choose={setProfile} testId="quick-profile" />}
      {finding.question ?? <button ref={finding.button} class="primary" data-testid="quick-play" onClick={() => finding.first(find)}>{t('quick_find')}</button>}
      {variant === 'tandem' && (pairing.question ?? <button ref={pairing.button} data-testid="quick-pair" onClick={() => pairing.first(() => void pair())}>{t('quick_pair')}</button>)}
    </section>
  );
}

/** A pair that gathers, or the waiting itself. */
export function WaitingCard({ session, running, waiting, go }: Pick<Props, 'session' | 'running' | 'go'> & { waiting: Waiting }) {
  const looking = useAskFirst(running, 'pair-play-leaving');
  const filling = useAskFirst(running, 'take-bots-leaving');
  const { state, party, members, waiting: people, bots_offered, reason } = waiting;
  const leave = async (): Promise<void> => {
    await session.queue.leave();
    go('/');
  };
  const names = members.map(member => ({ ...member, name: shownName(member.name) })).map(({ name, online }) => (online ? isolated(name) : `${isolated(name)} (${t('offline')})`)).join(', ');
  return (
    <section class="card" aria-labelledby="waiting" data-testid="waiting" data-state={state} data-members={members.length}>
      <h2 id="waiting">{t(state === 'party' ? 'pair_heading' : 'waiting_heading')}</h2>
      <p class="hint">{gameText(waiting)}</p>
      <div role="status">
        {reason !== '' && <p>{waitingText(reason)}</p>}
        {party !== null && <p data-testid="members">{t('pair_members', { names })}</p>}
        {state === 'waiting' && <p data-testid="people">{t('waiting_people', { count: people })}</p>}
      </div>
      {state === 'waiting' && <p class="hint"><Waited waiting={waiting} /></p>}
      {state === 'party' && party !== null && members.length < 2 && (
        <>
          <p class="hint">{t('pair_alone')}</p>
          <CopyLink label={t('pair_link')} title={t('pair_link')} link={`${location.origin}/p/${party}`} testId="pair-link" />
        </>
      )}
      {state === 'party' && members.length === 2 && (
        looking.question ?? <button ref={looking.button} class="primary" data-testid="pair-play" onClick={() => looking.first(() => void session.queue.playTogether(waiting))}>{t('pair_play')}</button>
      )}
      {state === 'waiting' && (
        <div class={`bots-offer${bots_offered ? ' made' : ''}`} data-testid="bots-offer" data-offered={bots_offered}>
          {/* Both have their place from the first, so that nothing moves when the offer comes. */}
          <div class="turns" role="status">
            <p class={bots_offered ? 'away' : ''}>{t('waiting_bots_later')}</p>
            <p class={bots_offered ? '' : 'away'}>{t('waiting_bots_now')}</p>
          </div>
          {filling.question ?? <button ref={filling.button} class={bots_offered ? 'primary' : ''} disabled={!bots_offered} data-testid="take-bots" onClick={() => filling.first(() => void session.queue.takeBots())}>{t('waiting_bots')}</button>}
        </div>
      )}
      <button data-testid="leave-queue" onClick={() => void leave()}>{t('waiting_leave')}</button>
    </section>
  );
}

function Waited({ waiting }: { waiting: Waiting }) {
  const shown = useRef<HTMLSpanElement>(null);
  useFrames(true, () => {
    if (shown.current === null) return;
    const seconds = Math.floor((waiting.waited_ms + performance.now() - waiting.at_ms) / 1000);
    const text = t('waiting_since', { seconds });
    if (shown.current.textContent !== text) shown.current.textContent = text;
  });
  return <span ref={shown} />;
}
