import { useRef, useState } from 'preact/hooks';
import type { Session, SessionState } from '../app/session';
import type { MatchView } from '../protocol/frames';
import { shownPieces } from '../state/pending';
import { premoveProblem, resolvePremove } from '../state/premove';
import { handOf } from '../state/position';
import { placeOf } from '../state/seating';
import { legalMoves, typedMove, typedPremove } from '../state/typed';
import { t } from '../text/text';
import { useKeys } from './keys';
import { premoveProblemText } from './words';

interface Props {
  session: Session;
  state: SessionState;
  match: MatchView;
  keys: boolean;
  live: boolean;
}

/** A move as it is written; matched against the server's list on the turn, kept as a premove before it. */
export function TypedMove({ session, state, match, keys, live }: Props) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useKeys(keys, { m: () => field.current?.focus() });
  const { board: name, colour } = placeOf(match.you ?? 0);
  const board = match.boards[name];
  if (board === undefined) return null;

  const play = (): void => {
    if (text.trim() === '') return;
    if (!live) {
      setProblem(t('typed_back'));
      return;
    }
    const onTurn = state.pending === null && board.turn === colour && match.legal?.ply === board.ply;
    const early = typedPremove(text);
    if (onTurn && match.legal !== null) {
      const found = typedMove(text, legalMoves(match.legal, board.pieces, handOf(board, colour)), board.pieces);
      if ('problem' in found && early !== null && resolvePremove({ board: name, uci: early }, match) === 'stay') {
        session.own.plan({ board: name, uci: early });
      } else if ('problem' in found) {
        setProblem(t(`typed_${found.problem}`, { text }));
        return;
      } else {
        session.own.make(name, board.ply, found.uci);
      }
    } else if (state.pending?.sent === false) {
      setProblem(t('status_press_clock'));
      return;
    } else if (early === null) {
      setProblem(t('typed_early'));
      return;
    } else {
      const refused = premoveProblem(early, shownPieces(board.pieces, state.pending, colour), colour, board.hands !== null);
      if (refused !== null) {
        setProblem(premoveProblemText(refused, early));
        return;
      }
      session.own.plan({ board: name, uci: early });
    }
    setText('');
    setProblem(null);
  };
  return (
    <form class="typed" onSubmit={event => { event.preventDefault(); play(); }}>
      <input
        ref={field}
        value={text}
        dir="ltr"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={10}
        aria-label={t('typed_label')}
        aria-keyshortcuts="M"
        aria-describedby="typed-problem"
        placeholder={t('typed_hint')}
        data-testid="typed-move"
        onInput={event => { setText(event.currentTarget.value); setProblem(null); }}
      />
      <button data-testid="typed-play">{t('typed_play')}</button>
      <p id="typed-problem" role="alert" data-testid="typed-problem">{problem}</p>
    </form>
  );
}
