import type { Kept } from '../connection/keeping';
import type { SeatCommand } from '../protocol/commands';
import type { MatchView } from '../protocol/frames';
import type { BoardName } from '../protocol/terms';
import { stillPending, type PendingMove } from '../state/pending';
import { isDrop, letterAt } from '../state/position';
import { resolvePremove, type Premove } from '../state/premove';
import { t } from '../text/text';
import { KeptPremove } from './premove';

export interface Moving {
  /** The move that is on the board and that the server has not told yet. */
  pending: PendingMove | null;
  /** A move for the next turn; nothing of it leaves the page before. */
  premove: Premove | null;
}

interface Surroundings {
  state(): Moving & { match: MatchView | null; both: boolean };
  change(part: Partial<Moving>): void;
  /** Sends a command, and tells the player what is refused; whether it was done. */
  act(command: SeatCommand): Promise<boolean>;
  notify(notice: string): void;
  /** Kept for this tab only. */
  tab: Kept;
}

/** The own move: on the board, on its way to the server, or chosen for the next turn. */
export class OwnMove {
  private readonly kept: KeptPremove;

  constructor(private readonly around: Surroundings) {
    this.kept = new KeptPremove(around.tab);
  }

  /** Shows a move on the board and, unless the club's clock must be pressed first, sends it. */
  make(board: BoardName, ply: number, uci: string): void {
    this.around.change({ pending: { board, ply, uci, sent: false }, ...this.planned(null) });
    if (this.around.state().match?.profile !== 'club') void this.pressClock();
  }

  async pressClock(): Promise<void> {
    const { pending } = this.around.state();
    if (pending === null || pending.sent) return;
    const { board, ply, uci } = pending;
    const sent = { ...pending, sent: true };
    this.around.change({ pending: sent });
    if (await this.around.act({ t: 'move', board, ply, uci })) return;
    if (this.around.state().pending === sent) this.around.change(this.none());
  }

  takeBack(): void {
    if (this.around.state().pending?.sent === false) this.around.change({ pending: null });
  }

  /** Keeps a move for the next turn in the place of any former one; null cancels it. */
  plan(premove: Premove | null): void {
    const { both, premove: former } = this.around.state();
    // Behind the curtain nothing of a side stays, a move for its next turn neither.
    if (both && premove !== null) return;
    if (premove !== former) this.around.change(this.planned(premove));
  }

  /** No move at all, now and after a reload. */
  none(): Moving {
    return { pending: null, ...this.planned(null) };
  }

  /** No move for the next turn, now and after a reload. */
  drop(): void {
    this.around.change(this.planned(null));
  }

  /** What becomes of the move on the board once the match stands so. */
  after(match: MatchView | null): Pick<Moving, 'pending'> {
    return { pending: stillPending(this.around.state().pending, match) };
  }

  /** The beginning of a match, or what was missed of it: a premove goes on only at the turn that it was meant for. */
  takeUp(match: MatchView): void {
    const kept = this.kept.at(match);
    const premove = kept !== null && kept.fits(match, this.around.state().pending !== null) ? kept.premove : null;
    if (premove === null) this.kept.forget();
    this.around.change({ premove });
    const own = match.you !== null && match.result === null;
    if (own && kept !== null && premove === null) this.around.notify(t('premove_dropped', { move: kept.premove.uci }));
  }

  /** Plays the premove when its turn has come, and drops one that has become impossible. */
  resolve(): void {
    const { match, pending, premove } = this.around.state();
    if (premove === null || match === null || pending !== null) return;
    const decision = resolvePremove(premove, match);
    const ply = match.boards[premove.board]?.ply;
    if (decision === 'play' && ply !== undefined) this.make(premove.board, ply, premove.uci);
    else if (decision === 'clear') this.clear(premove, match);
  }

  /** A drop may have waited long: whoever counts on it is told why it does not come. */
  private clear({ board, uci }: Premove, match: MatchView): void {
    this.drop();
    if (!isDrop(uci) || match.you === null || match.result !== null) return;
    const taken = letterAt(match.boards[board]?.pieces ?? '', uci.slice(2, 4)) !== '.';
    const why = t(taken ? 'refusal_square_occupied' : 'refusal_leaves_king_in_check');
    this.around.notify(`${t('drop_taken_off', { move: uci })} ${why}`);
  }

  /** The premove from now on; this tab has it after a reload, too. */
  private planned(premove: Premove | null): Pick<Moving, 'premove'> {
    const { match, pending } = this.around.state();
    if (premove === null || match === null) this.kept.forget();
    else this.kept.keep(premove, match, pending !== null);
    return { premove };
  }
}
