import { useState } from 'preact/hooks';
import type { Session, SessionState } from '../app/session';
import { t } from '../text/text';
import { useTitle } from './hooks';
import { NameField } from './NameField';
import { useAskFirst } from './parts';
import { WaitingCard } from './QuickPlay';

interface Props {
  session: Session;
  state: SessionState;
  party: string;
  name: string;
  rename: (name: string) => void;
  go: (path: string) => void;
}

/** The link of a pair: its partner says a name and joins; then both wait here together. */
export function PartyPage({ session, state, party, name, rename, go }: Props) {
  const [refused, setRefused] = useState(false);
  useTitle(t('pair_heading'));
  const joining = useAskFirst(state.running, 'join-pair-leaving');
  const join = async (): Promise<void> => setRefused(!(await session.queue.joinParty(party, name.trim())));
  return (
    <main class="waiting-room party">
      <h1>{t('pair_heading')}</h1>
      {state.waiting?.party === party
        ? <WaitingCard waiting={state.waiting} running={state.running} {...{ session, go }} />
        : (
          <section class="card invited">
            <NameField name={name} rename={rename} />
            {refused && <p role="alert" data-testid="pair-gone">{t('pair_gone')}</p>}
            {joining.question ?? <button ref={joining.button} class="primary big" data-testid="join-pair" onClick={() => joining.first(() => void join())}>{t('pair_join')}</button>}
          </section>
        )}
    </main>
  );
}
