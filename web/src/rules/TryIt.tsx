import { useEffect, useRef, useState } from 'preact/hooks';
import type { Square } from '../protocol/terms';
import { ROLES } from '../state/position';
import { t } from '../text/text';
import type { ExerciseName, RulesText } from './content';
import { BEGINNING, EXERCISES, movesOf, originOf, targetOf, viewOf, type Stage } from './exercises';
import { MiniBoard } from './MiniBoard';

const REPLY_AFTER_MS = 900;

/** One rule to try: a position, a task, and what comes of the move. */
export function TryIt({ name, text }: { name: ExerciseName; text: RulesText }) {
  const exercise = EXERCISES[name];
  const [stage, setStage] = useState<Stage>(BEGINNING);
  const [chosen, setChosen] = useState<string | null>(null);
  const [promoting, setPromoting] = useState<string[]>([]);
  const [lifted, setLifted] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const view = viewOf(exercise, stage);
  const moves = movesOf(exercise, stage);
  const answer = stage.made === null ? undefined : exercise.answers[stage.made];
  const targets = new Set(moves.filter(uci => originOf(uci) === chosen).map(targetOf));
  const words = text.exercises[name];

  const make = (uci: string): void => {
    setStage({ ...stage, made: uci });
    setChosen(null);
    setPromoting([]);
    if (exercise.answers[uci]?.reply !== undefined) {
      timer.current = setTimeout(() => setStage(now => ({ ...now, replied: true })), REPLY_AFTER_MS);
    }
  };
  const choose = (square: Square): void => {
    const made = moves.filter(uci => originOf(uci) === chosen && targetOf(uci) === square);
    if (made.length > 1) setPromoting(made);
    else if (made[0] !== undefined) make(made[0]);
    else setChosen(chosen !== square && moves.some(uci => originOf(uci) === square) ? square : null);
  };
  const again = (): void => {
    clearTimeout(timer.current);
    setStage(BEGINNING);
    setChosen(null);
    setPromoting([]);
  };
  return (
    <section class="try card" aria-label={`${text.try_it}: ${words.title}`} data-testid={`try-${name}`} data-made={stage.made ?? ''}>
      <h3>{text.try_it}: {words.title}</h3>
      <p>{words.task}</p>
      <MiniBoard
        label={words.title}
        pieces={lifted ? view.truth ?? view.pieces : view.pieces}
        last={view.last}
        promoted={view.promoted ?? []}
        mark={view.mark ?? null}
        open={new Set(moves.map(originOf))}
        {...{ targets, chosen, choose }}
      />
      <div class="row">
        {view.hand !== undefined && (
          <HandRow
            title={text.your_hand}
            empty={text.empty_hand}
            hand={view.hand}
            chosen={chosen}
            pick={moves.length === 0 ? null : origin => setChosen(chosen === origin ? null : origin)}
          />
        )}
        {exercise.arrives !== undefined && !stage.arrived && (
          <button class="primary" data-testid={`arrive-${name}`} onClick={() => setStage({ ...stage, arrived: true })}>
            {filled(text.arrives, exercise.arrives.piece)}
          </button>
        )}
        {promoting.map(uci => (
          <button key={uci} data-testid={`promote-${uci.charAt(4)}`} onClick={() => make(uci)}>{t('promote_to', { piece: pieceName(uci.charAt(4)) })}</button>
        ))}
        {view.truth !== undefined && (
          <button aria-pressed={lifted} data-testid={`lift-${name}`} onClick={() => setLifted(!lifted)}>{lifted ? text.lower : text.lift}</button>
        )}
        {(stage.made !== null || stage.arrived) && <button data-testid={`again-${name}`} onClick={again}>{text.again}</button>}
      </div>
      <p class="outcome" role="status" data-testid={`outcome-${name}`}>{outcome()}</p>
    </section>
  );

  function outcome(): string {
    if (answer === undefined) return view.state === 'waiting' ? t('status_wait_you') : '';
    const said: string[] = [];
    if (answer.sent !== '') said.push(filled(text.sent_to_partner, answer.sent));
    if (stage.replied && answer.reply !== undefined && answer.reply.sent !== '' && exercise.variant === 'tandem') {
      said.push(filled(text.sent_to_theirs, answer.reply.sent));
    }
    if (answer.reply !== undefined && !stage.replied) return said.join(' ');
    said.push(exercise.goals.includes(stage.made ?? '') ? words.done : text.other_move);
    return said.join(' ');
  }
}

const pieceName = (letter: string): string => t(ROLES[letter.toUpperCase()] ?? 'pawn');
const filled = (text: string, letter: string): string => text.replace('{piece}', pieceName(letter));

interface HandProps {
  title: string;
  empty: string;
  hand: string;
  chosen: string | null;
  pick: ((origin: string) => void) | null;
}

function HandRow({ title, empty, hand, chosen, pick }: HandProps) {
  const kinds = [...new Set(hand)];
  return (
    <div class="hand-row" role="group" aria-label={title}>
      <span>{title}: {kinds.length === 0 && empty}</span>
      {kinds.map(letter => (
        <button
          key={letter}
          class="slot cg-wrap"
          disabled={pick === null}
          aria-pressed={chosen === `${letter}@`}
          aria-label={t('drop_piece', { piece: pieceName(letter), count: hand.split(letter).length - 1 })}
          data-testid={`drop-${letter.toLowerCase()}`}
          onClick={() => pick?.(`${letter}@`)}
        >
          <piece class={`${ROLES[letter] ?? 'pawn'} white`} />
        </button>
      ))}
    </div>
  );
}
