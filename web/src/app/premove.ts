import type { Kept } from '../connection/keeping';
import type { MatchView } from '../protocol/frames';
import type { SeatNumber } from '../protocol/terms';
import type { Premove } from '../state/premove';
import { placeOf } from '../state/seating';

const KEY = 'tandemfog.premove';

interface KeptMove extends Premove {
  table: string;
  seat: SeatNumber;
  /** The number of moves on its board when its turn has come. */
  ply: number;
}

export interface MeantFor {
  premove: Premove;
  /** Whether its turn is the one that this view is at, or the next one; with a move still under way the one after that. */
  fits(match: MatchView, pending: boolean): boolean;
}

/** A tab's premove, kept so that a reload loses nothing, and bound to the turn that it was chosen for. */
export class KeptPremove {
  constructor(private readonly tab: Kept) {}

  keep({ board, uci }: Premove, { table, you, boards }: MatchView, pending: boolean): void {
    const now = boards[board];
    if (you === null || now === undefined) return;
    // With a move under way two moves come before it; on the own turn it is a drop that waits for its piece.
    const before = now.turn === placeOf(you).colour ? (pending ? 2 : 0) : 1;
    const kept: KeptMove = { table, seat: you, ply: now.ply + before, board, uci };
    this.tab.setItem(KEY, JSON.stringify(kept));
  }

  /** The premove of this seat at this table. */
  at({ table, you }: MatchView): MeantFor | null {
    const kept = this.read();
    if (kept === null || kept.table !== table || kept.seat !== you) return null;
    const { board, uci, ply } = kept;
    return {
      premove: { board, uci },
      fits: (match, pending) => {
        const before = ply - (match.boards[board]?.ply ?? -1);
        return before === 0 || before === 1 || (before === 2 && pending);
      },
    };
  }

  forget(): void {
    this.tab.removeItem(KEY);
  }

  private read(): KeptMove | null {
    try {
      return JSON.parse(this.tab.getItem(KEY) ?? 'null') as KeptMove | null;
    } catch {
      return null;
    }
  }
}
