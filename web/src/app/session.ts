import type { SeatCommand, CreateTable, PlayNow } from '../protocol/commands';
import type { MatchView, OkFrame, PushedFrame, SeatedFrame, TableSummary } from '../protocol/frames';
import type { SeatNumber, TimeControl } from '../protocol/terms';
import { Connection, Refused, type Socket } from '../connection/connection';
import { HeldSeats } from '../connection/held';
import type { Kept } from '../connection/keeping';
import { OwnMove, type Moving } from './own_move';
import { Queue, type Waiting } from './queue';
import { emptyTable, receive, type TableState } from '../state/table';
import { refusalText, waitingText } from '../text/refusal';
import { t } from '../text/text';

export interface SessionState extends Moving {
  connection: 'first' | 'open' | 'lost';
  /** Local instant at which the connection was known to be lost; null while it stands. */
  lost_ms: number | null;
  table: TableState | null;
  /** The seat held at the table; null for a spectator. */
  seat: SeatNumber | null;
  /** Both seats are this device's, with a curtain between them; `seat` is the one that has lifted it. */
  both: boolean;
  /** A table, not the one that is shown, where a match of one's own goes on. */
  running: string | null;
  /** Waiting for a table, alone or as a pair. */
  waiting: Waiting | null;
  /** The public tables, while they are watched. */
  tables: TableSummary[];
  /** Why the table cannot be shown. */
  failure: Refused | null;
  /** The date of a restart that the operator has announced. */
  restart_ms?: number | null;
  /** What was refused last, in words. */
  notice: string | null;
}

export interface Surroundings {
  socket(): Socket;
  storage: Kept;
  /** What this tab alone remembers. */
  tab: Kept;
  /** A clock that only goes forward, for readings. */
  now_ms(): number;
  /** The date, for what is stored. */
  date_ms(): number;
  /** Unique for this page, in letters and digits. */
  id: string;
  navigate(path: string): void;
  /** Tells this browser's other tabs that the curtain at a table is lifted in this one. */
  tellLifted(table: string): void;
}

const RESYNC_AGAIN_MS = 1_000;
/** So long is looked at what came of a move before the curtain is drawn (F-curtain). */
const RESULT_SHOWN_MS = 1_200;

/** The page's one object with effects: it holds the state, the connection and the seats' tokens. */
export class Session {
  state: SessionState = {
    connection: 'first', lost_ms: null, table: null, seat: null, both: false, pending: null, premove: null, running: null, waiting: null, tables: [], failure: null, notice: null,
  };
  readonly queue: Queue;
  readonly own: OwnMove;
  private readonly held: HeldSeats;
  private readonly listeners = new Set<() => void>();
  private readonly connection: Connection;
  private watchesTables = false;
  /** The command about the joined table that was refused last, and in which words. */
  private refused: { t: SeatCommand['t']; notice: string | null } | null = null;
  private falling: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly around: Surroundings) {
    this.held = new HeldSeats(around.storage, () => around.date_ms());
    this.own = new OwnMove({
      state: () => ({ ...this.state, match: this.state.table?.match ?? null }),
      change: part => this.change(part),
      act: command => this.act(command),
      notify: notice => this.notify(notice),
      tab: around.tab,
    });
    this.state.running = this.held.running(null);
    this.connection = new Connection(() => around.socket(), around.id, {
      opened: () => this.opened(),
      // What was announced before may be taken back by now; a connection that stands is told at once.
      lost: () => this.change({
        connection: this.state.connection === 'first' ? 'first' : 'lost',
        lost_ms: this.state.lost_ms ?? around.now_ms(),
        restart_ms: null,
      }),
      pushed: frame => this.pushed(frame),
      unasked: error => this.unasked(error),
    });
    this.queue = new Queue({
      ask: command => this.answer(() => this.connection.command(command)),
      change: waiting => this.change({ waiting }),
      notice: reason => this.change({ notice: waitingText(reason) }),
      tab: around.tab,
      now_ms: () => around.now_ms(),
    });
    this.connection.start();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Opens a table, or none (the lobby). */
  visit(id: string | null): void {
    if (id === (this.state.table?.id ?? null)) return;
    const { table, seat } = this.state;
    const left = table !== null && seat === null;
    const rematch = table?.table?.rematch;
    // Who goes away from a finished match ends the offer of a rematch there (B-rematch), unless it is the way to it.
    const ends = seat !== null && table?.match?.result != null && rematch?.next_table === '' && rematch.agreed.length > 0;
    if (ends && this.state.connection === 'open') this.connection.command({ t: 'leave' }).catch(() => undefined);
    this.stopFalling();
    this.change({ table: id === null ? null : emptyTable(id), seat: null, both: false, pending: null, premove: null, failure: null });
    this.lookForRunning();
    if (this.state.connection !== 'open') return;
    if (id !== null) void this.join();
    else if (left) this.connection.command({ t: 'leave' }).catch(() => undefined);
  }

  async playNow(command: Omit<PlayNow, 't'>): Promise<void> {
    const ok = await this.send(() => this.connection.command({ t: 'play_now', ...command }));
    if (ok !== null) this.seated(ok, ok.table);
  }

  /** Makes a table, takes a seat of it and puts computers of the given levels on others. */
  async createTable(command: Omit<CreateTable, 't'>, name: string, seat: SeatNumber, levels: Record<SeatNumber, number>): Promise<void> {
    const made = await this.send(() => this.connection.command({ t: 'create_table', ...command }));
    if (made?.table === undefined || !(await this.takeSeat(made.table, seat, name))) return;
    for (const [bot, level] of Object.entries(levels)) await this.act({ t: 'set_bot', seat: Number(bot), level });
  }

  /** Makes a table for two people on this device. */
  async createForTwo(names: [string, string], time: TimeControl | undefined): Promise<void> {
    const made = await this.send(() => this.connection.command({
      t: 'create_table', variant: 'fog', public: false, curtain: true, names, ...(time === undefined ? {} : { time }),
    }));
    if (made?.table === undefined) return;
    this.held.keep(made.table, made);
    this.around.navigate(`/t/${made.table}`);
  }

  /** The side to move lifts the curtain: its clock starts, its view comes. */
  async lift(seat: SeatNumber, ply: number): Promise<void> {
    const table = this.state.table;
    if (table === null) return;
    // Before anything of this side comes, another tab has nothing of either side.
    this.around.tellLifted(table.id);
    const token = this.held.at(table.id)?.both?.[seat];
    const ok = await this.send(() => this.connection.command({ t: 'lift', seat, ply, ...(token === undefined ? {} : { token }) }));
    if (ok !== null && this.state.table?.id === table.id) this.change({ seat });
  }

  /** The curtain is lifted in another tab: one view at a time is all that a device has. */
  liftedElsewhere(table: string): void {
    if (this.state.both && this.state.table?.id === table && this.state.table.match?.result == null) this.drawCurtain();
  }

  /** Other tabs may have begun or ended a match meanwhile. */
  lookForRunning(): void {
    const running = this.held.running(this.state.table?.id ?? null);
    if (running !== this.state.running) this.change({ running });
  }

  /** A match of one's own turned out to be over. */
  noteOver(table: string): void {
    this.held.note(table, false);
    this.lookForRunning();
  }

  async takeSeat(table: string, seat: SeatNumber | null, name: string): Promise<boolean> {
    const ok = await this.send(() => this.connection.command({
      t: 'take_seat', table, ...(seat === null ? {} : { seat }), ...(name === '' ? {} : { name }),
    }));
    if (ok !== null) this.seated(ok, table);
    return ok !== null;
  }

  /** From now on, or no more, `state.tables` is told by the server as it changes. */
  watchTables(on: boolean): void {
    this.watchesTables = on;
    if (!on) this.change({ tables: [] });
    if (this.state.connection === 'open') this.sayWatching();
  }

  /** Gives the seat back; in a running match that loses. */
  async leave(): Promise<void> {
    const table = this.state.table;
    // Who leaves a match that has begun loses it, and may still want a rematch: the seat stays theirs.
    const begun = table?.match != null;
    if (await this.act({ t: 'leave' }) && table !== null && !this.state.both && !begun) {
      this.held.forget(table.id);
      this.change({ seat: null });
    }
  }

  /** A command about the joined table. A refusal is shown in words. */
  async act(command: SeatCommand): Promise<boolean> {
    const done = (await this.send(() => this.connection.command(command))) !== null;
    if (!done) {
      this.refused = { t: command.t, notice: this.state.notice };
    } else if (this.refused?.t === command.t) {
      // What was wrong with one is no matter any more once another of its kind has been taken.
      if (this.state.notice === this.refused.notice) this.dismiss();
      this.refused = null;
    }
    return done;
  }

  /** Whether this seat hears its partner; each full view tells its other windows. */
  async mute(table: string, on: boolean): Promise<void> {
    if (!(await this.act({ t: 'mute', on }))) return;
    const now = this.state.table;
    if (now?.id === table && now.match !== null) this.change({ table: { ...now, match: { ...now.match, muted: on } } });
  }

  notify(notice: string): void {
    this.change({ notice });
  }

  dismiss(): void {
    this.change({ notice: null });
  }

  private async opened(): Promise<void> {
    let joined: string | undefined;
    while (this.state.table !== null && this.state.table.id !== joined) {
      joined = this.state.table.id;
      await this.join();
    }
    this.change({ connection: 'open', lost_ms: null });
    // Not awaited: its command waits for what is being opened here.
    void this.queue.again();
    if (this.watchesTables) this.sayWatching();
  }

  private sayWatching(): void {
    this.connection.command({ t: 'watch_list', on: this.watchesTables }).catch((error: unknown) => {
      // A new connection says it anew by itself.
      if (!(error instanceof Refused) || error.reason === 'connection_lost') return;
      setTimeout(() => { if (this.state.connection === 'open') this.sayWatching(); }, RESYNC_AGAIN_MS);
    });
  }

  /** A table has come for who waited: it is gone to, unless a match of one's own has begun here in the same moment. */
  private found(frame: SeatedFrame): void {
    const { table } = this.state;
    const own = table?.match != null && table.match.you !== null && table.match.result === null && !table.moved;
    if (!own || table.id === frame.table) {
      this.seated(frame, frame.table);
      return;
    }
    this.notify(t('waiting_own_match'));
    const back = (): void => void this.join();
    this.connection.command({ t: 'leave' }).then(back, back);
  }

  private seated(ok: Pick<OkFrame, 'seat' | 'token'>, table: string | undefined): void {
    if (table === undefined) return;
    this.held.keep(table, ok);
    if (this.state.table?.id === table) this.change({ seat: ok.seat ?? null });
    else this.around.navigate(`/t/${table}`);
  }

  /** Takes the seat back from a later connection. */
  async playHere(): Promise<void> {
    await this.join(true);
  }

  /**
   * Joins the visited table, with the token and, unless the seat is to be taken back, the version last seen. Where there
   * is a curtain, as the side that has lifted it, else as one who sees nothing.
   */
  private async join(taking = false): Promise<void> {
    const { table, seat: lifted } = this.state;
    if (table === null) return;
    const held = this.held.at(table.id);
    const both = held?.both !== undefined || this.state.both;
    const token = both ? held?.both?.[lifted ?? -1] : held?.token;
    try {
      const ok = await this.connection.command({
        t: 'join',
        table: table.id,
        ...(token === undefined ? {} : { token }),
        ...(both ? { seat: lifted } : {}),
        ...(table.moved && !taking ? { reader: true } : {}),
        ...(table.match === null || taking ? {} : { version: table.match.version, epoch: table.match.epoch }),
      }, true);
      this.held.keep(table.id, ok);
      // A token that proves no seat any more is no error: one just watches.
      if (token !== undefined && ok.seat === undefined && !both) this.held.forget(table.id);
      const now = this.state.table;
      if (now?.id === table.id) {
        this.change({ seat: ok.seat ?? null, both: both || ok.seats !== undefined, failure: null, table: taking ? { ...now, moved: false } : now });
        this.follow();
      }
    } catch (error) {
      if (!(error instanceof Refused) || this.state.table?.id !== table.id) return;
      this.joinRefused(table, error);
    }
  }

  private joinRefused(table: TableState, error: Refused): void {
    if (error.reason === 'connection_lost') return;
    if (['busy', 'unavailable', 'draining', 'too_fast'].includes(error.reason)) {
      this.change({ notice: refusalText(error) });
      setTimeout(() => {
        if (this.state.connection === 'open' && this.state.table?.id === table.id) void this.join();
      }, RESYNC_AGAIN_MS);
    } else {
      this.noteOver(table.id);
      this.change({ failure: error });
    }
  }

  /** The watched match cannot be shown any more, or the seat is no longer proved. */
  private unasked(error: Refused): void {
    const table = this.state.table;
    if (table === null) return;
    if (error.reason === 'curtain_down') {
      // What is seen of a side stays for a moment; where nothing is, there is nothing to wait for.
      this.falling ??= setTimeout(() => this.drawCurtain(), table.match?.you == null ? 0 : RESULT_SHOWN_MS);
      return;
    }
    if (error.reason === 'unknown_match') this.change({ failure: error });
    else this.change({ notice: refusalText(error) });
    if (error.reason === 'bad_token') {
      this.held.forget(table.id);
      void this.join();
    }
  }

  /** Drops all that the page holds of the side that has moved. */
  private drawCurtain(): void {
    this.stopFalling();
    const table = this.state.table;
    if (table === null) return;
    const bare = { ...emptyTable(table.id), table: table.table, table_at_ms: table.table_at_ms };
    this.change({ table: bare, seat: null, ...this.own.none(), notice: null });
    if (this.state.connection === 'open') void this.join();
  }

  private stopFalling(): void {
    clearTimeout(this.falling);
    this.falling = undefined;
  }

  private pushed(frame: PushedFrame): void {
    if (frame.t === 'announcement') {
      this.change({ restart_ms: frame.what === 'restart' ? this.around.date_ms() + frame.in_ms : null });
      return;
    }
    if (frame.t === 'list') {
      if (this.watchesTables) this.change({ tables: frame.tables });
      return;
    }
    if (frame.t === 'queue') {
      this.queue.receive(frame);
      return;
    }
    if (frame.t === 'seated') {
      this.queue.end();
      this.found(frame);
      return;
    }
    if (frame.t === 'full' || frame.t === 'delta') this.noteRunning(frame);
    const before = this.state.table;
    if (before === null) return;
    const table = receive(before, frame, this.around.now_ms());
    this.change({ table, ...this.own.after(table.match) });
    if (frame.t === 'full' && table !== before) this.takeUp(frame);
    if (table.moved && !before.moved) this.movedAway(table);
    this.own.resolve();
    if (table.gap && !before.gap) void this.join();
    if (this.state.both && this.state.seat === null && table.match?.result != null) {
      // The curtain is up for good, and a seat is needed to ask for a rematch.
      this.change({ seat: 0 });
      void this.join();
    }
    this.follow(before.table?.rematch.next_table === '');
  }

  /** To the rematch: when it has just been made, or while this page was loaded; not again for who came back from there. */
  private follow(justMade = false): void {
    const { table, seat } = this.state;
    const next = table?.table?.rematch.next_table ?? '';
    if (table === null || seat === null || next === '' || !(justMade || this.held.at(next) === undefined)) return;
    this.held.swap(table.id, next);
    this.around.navigate(`/t/${next}`);
  }

  /** A match of one's own is begun or come back to: another table must not come in the middle of it. */
  private takeUp(match: MatchView): void {
    this.own.takeUp(match);
    if (match.you === null || match.result !== null || this.state.waiting === null) return;
    void this.queue.leave();
    this.notify(t('waiting_own_match'));
  }

  /** Another connection has the seat now, and what was chosen for its next turn goes by what is chosen there. */
  private movedAway({ match }: TableState): void {
    this.own.drop();
    // The side has lifted its curtain there: nothing of it stays here.
    if (this.state.both && match?.you != null && match.result === null) this.drawCurtain();
  }

  private noteRunning({ table, result }: Pick<MatchView, 'table'> & Partial<MatchView>): void {
    if (result === undefined) return;
    this.held.note(table, result === null);
    this.lookForRunning();
  }

  private async send(command: () => Promise<OkFrame>): Promise<OkFrame | null> {
    const answer = await this.answer(command);
    return answer.t === 'ok' ? answer : null;
  }

  private async answer(command: () => Promise<OkFrame>): Promise<OkFrame | { t: 'refused'; reason: string }> {
    try {
      return await command();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.change({ notice: error.reason === 'connection_lost' ? t('connection_lost') : refusalText(error) });
      return { t: 'refused', reason: error.reason };
    }
  }

  private change(part: Partial<SessionState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}
