"""What one connection is about: its guest, the table it watches, its seat there, and its eye on the match."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from msgspec.structs import replace

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from libs.runtime.refusals import REASONS, Refusal
from services.gateway.frames import encode
from services.gateway.lists import Lists
from services.gateway.metrics import GatewayMetrics
from services.gateway.notices import Notices, seat_path
from services.gateway.outbox import Kind, Outbox
from services.gateway.presence import Presence
from services.gateway.pushed import Error, Moved, Seated
from services.gateway.queue import Queues
from services.gateway.tables import Tables
from services.gateway.views import Viewer, Views


@dataclass(frozen=True, slots=True)
class Hub:
    """What all connections of the gateway share."""

    tables: Tables
    views: Views
    presence: Presence
    queues: Queues
    lists: Lists
    notices: Notices
    metrics: GatewayMetrics


@dataclass(frozen=True, slots=True)
class Place:
    """Where a connection is: at a table, on a seat that `token` proves, or (None, "") as a spectator."""

    table_id: str
    seat: int | None = None
    token: str = ""


class Session:
    """The state behind one websocket; what it is shown goes to the outbox."""

    def __init__(self, guest_id: str, address: str, outbox: Outbox, hub: Hub) -> None:
        self.guest_id = guest_id
        self.address = address
        self.place: Place | None = None
        self.table = matchmaking.Table()
        self.lag_ms = 0  # of the line, as our own last ping has measured it
        self.received_at_us = 0  # when the command that is being answered was read, in Unix time
        self._outbox = outbox
        self._hub = hub
        self._viewer: Viewer | None = None
        self._shown_version = -1
        self._taken_at_us = 0
        self._moved = False
        self.ticket_id = ""  # of the place in the queue
        hub.notices.watch(self)

    @property
    def seat_path(self) -> str:
        """The seat as an operator may block it; "" without one, and for who only watches it any more."""
        if self.place is None or self.place.seat is None or self._moved:
            return ""
        return seat_path(self.place.table_id, self.place.seat)

    def joined(self) -> Place:
        """The place. Raises Refusal not_joined."""
        if self.place is None:
            raise Refusal("not_joined")
        return self.place

    def seated(self) -> Place:
        """The place, which has a seat that no later connection holds. Raises Refusal: not_joined,
        not_your_seat, moved."""
        place = self.joined()
        if place.seat is None:
            raise Refusal("not_your_seat")
        if self._moved:
            raise Refusal("moved")
        return place

    def enter(self, place: Place, table: matchmaking.Table, again: bool = False, reads: bool = False) -> None:
        """Takes a place at a table as matchmaking has just answered it; the former place is left.

        The table is shown, and the match in full as soon as it runs. `again`: it only asks for what it
        missed, so that at the same seat it takes nothing from a later connection. `reads`: another one
        holds the seat.
        """
        former = self.place
        if again and former is None:
            self._hub.metrics.reconnects.inc()
        same_seat = former is not None and (former.table_id, former.seat) == (place.table_id, place.seat)
        if place.seat is not None:
            self._hub.presence.arrive(place.table_id, place.seat)
        self._leave_place(keep_following=former is not None and former.table_id == place.table_id)
        self.place = place
        if reads and place.seat is not None:
            self._taken_at_us, self._moved = 0, True
        elif not (again and same_seat):
            self._taken_at_us = time.time_ns() // 1000 if place.seat is not None else 0
            self._moved = False
        self._shown_version = -1
        self._hub.tables.follow(table, self)

    def leave(self) -> None:
        """Watches nothing any more."""
        self._leave_place(keep_following=False)
        self.place = None

    def close(self) -> None:
        """The connection has ended."""
        self.leave()
        self.watch_list(False)
        self._hub.notices.unwatch(self)
        if self.ticket_id:
            self._hub.queues.let_go(self.ticket_id, self)

    def wait(self, ticket: matchmaking.Ticket) -> None:
        """Waits on a ticket as matchmaking has just answered it; the former one is let go."""
        if self.ticket_id and self.ticket_id != ticket.ticket_id:
            self._hub.queues.let_go(self.ticket_id, self)
        self.ticket_id = "" if ticket.state == matchmaking.TICKET_STATE_OVER else ticket.ticket_id
        self._hub.queues.hold(ticket, self)

    @contextmanager
    def sitting_down(self) -> Iterator[Callable[[], None]]:
        """While a seat is asked for; what is yielded is to be called when there is one: it ends the waiting.

        Matchmaking ends the guest's waiting everywhere, and says so to the other tabs.
        """
        ticket_id = self.ticket_id
        told = self._hub.queues.pause(ticket_id, self) if ticket_id else None

        def has_sat_down() -> None:
            if not ticket_id:
                return
            self.ticket_id = ""
            self._hub.queues.let_go(ticket_id, self)
            if told is not None:
                self.show_queue(encode(replace(told, state="over", reason="left")), "")

        try:
            yield has_sat_down
        finally:
            if ticket_id and self.ticket_id == ticket_id:
                self._hub.queues.resume(ticket_id, self)

    def show_queue(self, frame: bytes, table_id: str) -> None:
        if self.place is not None and self.place.table_id == table_id:
            # Its table has come to nothing.
            self.leave()
        self._outbox.put_latest(Kind.QUEUE, frame)
        self._hub.metrics.frames.labels("queue").inc()

    def be_seated(self, table: matchmaking.Table, grant: matchmaking.SeatGrant) -> None:
        place = Place(table.table_id, grant.seat, grant.token)
        self._outbox.put_answer(encode(Seated(place.table_id, grant.seat, grant.token)))
        self._hub.metrics.frames.labels("seated").inc()
        self.enter(place, table)

    def watch_list(self, on: bool) -> None:
        """Begins or ends to watch the list of tables."""
        if on:
            self._hub.lists.watch(self)
        else:
            self._hub.lists.unwatch(self)

    def show_list(self, frame: bytes) -> None:
        self._outbox.put_latest(Kind.LIST, frame)
        self._hub.metrics.frames.labels("list").inc()

    def show_announcement(self, frame: bytes) -> None:
        self._outbox.put_latest(Kind.NOTICE, frame)
        self._hub.metrics.frames.labels("announcement").inc()

    def _leave_place(self, keep_following: bool) -> None:
        if self._viewer is not None:
            self._hub.views.leave(self._viewer)
            self._viewer = None
        self._outbox.forget_match()
        if self.place is None:
            return
        if not keep_following:
            self._hub.tables.unfollow(self.place.table_id, self)
        if self.place.seat is not None:
            self._hub.presence.depart(self.place.table_id, self.place.seat)

    def refresh(self) -> None:
        """Asks for the full view that is owed."""
        if self._viewer is not None:
            self._hub.views.refresh(self._viewer)

    def show_table(self, table: matchmaking.Table, frame: bytes) -> None:
        if self.place is None or table.version <= self._shown_version:
            return
        self._shown_version = table.version
        self.table = table
        self._outbox.put_latest(Kind.TABLE, frame)
        self._hub.metrics.frames.labels("table").inc()
        if table.state == matchmaking.TABLE_STATE_STARTED:
            self._hub.presence.note_started(table.table_id)
            if self._viewer is None:
                self._viewer = self._hub.views.join(table.table_id, self.place.token, self._taken_at_us, self)

    def show(self, frame: bytes, full: bool, committed_at_us: int) -> None:
        self._hub.metrics.frames.labels("full" if full else "delta").inc()
        if full:
            self._outbox.put_full(frame)
        else:
            self._put_change(frame, committed_at_us)

    def tell(self, frame: bytes) -> None:
        self._hub.metrics.frames.labels("talk").inc()
        self._put_change(frame)

    def _put_change(self, frame: bytes, committed_at_us: int = 0) -> None:
        if not self._outbox.put_change(frame, committed_at_us):
            self._hub.metrics.overflows.inc()

    def move_away(self) -> None:
        """A later connection holds the seat: this one goes on watching what the seat sees (R08)."""
        if self.place is not None and not self._moved:
            self._moved = True
            self._hub.metrics.moved.inc()
            self._outbox.put_answer(encode(Moved(self.place.table_id)))

    def view_refused(self, reason: str) -> None:
        """There is no view of the match: said without a request id, since nobody asked just now."""
        self._viewer = None
        self._outbox.put_answer(encode(Error(None, reason, REASONS[reason][1])))
