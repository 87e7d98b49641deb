"""People here who wait for a table: matchmaking is told that they are here, and they how they stand."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from gen.tandemfog.matchmaking.v1.matchmaking_pb2_grpc import QueueServiceStub
from libs.runtime.logs import get_logger
from libs.runtime.peers import Peers
from libs.runtime.refusals import Refusal
from services.gateway.backends import ask
from services.gateway.frames import encode
from services.gateway.metrics import GatewayMetrics
from services.gateway.presence import Presence
from services.gateway.pushed import Member, Queue
from services.gateway.translate import VARIANT_NAMES, profile_name

EVERY_S = 0.25
RETRY_S = 0.5
TIMEOUT_S = 2.0
AT_ONCE = 1_000
"""So many are spoken for in one call; matchmaking takes no more."""
_STATES: dict[int, Any] = {
    matchmaking.TICKET_STATE_PARTY: "party",
    matchmaking.TICKET_STATE_WAITING: "waiting",
    matchmaking.TICKET_STATE_OVER: "over",
}
log = get_logger()


class QueueSink(Protocol):
    """Who waits."""

    guest_id: str

    def show_queue(self, frame: bytes, table_id: str) -> None:
        """How the waiting goes; ``table_id`` is the table that came to nothing, or ""."""

    def be_seated(self, table: matchmaking.Table, grant: matchmaking.SeatGrant) -> None:
        """The waiting has ended with a seat."""


class Waiter:
    """A guest with a ticket, and the connections here that wait on it."""

    def __init__(self) -> None:
        self.sinks: set[QueueSink] = set()
        self.told: Queue | None = None
        self.table_id = ""

    def show(self, ticket: matchmaking.Ticket) -> bool:
        """Tells what is new; False when there will be nothing more to tell."""
        if ticket.state == matchmaking.TICKET_STATE_SEATED:
            if ticket.HasField("table") and ticket.table.table_id != self.table_id:
                self.table_id, self.told = ticket.table.table_id, None
                for sink in tuple(self.sinks):
                    sink.be_seated(ticket.table, ticket.grant)
            # Until the match has started they may have to wait again.
            return ticket.table.state != matchmaking.TABLE_STATE_STARTED
        frame = queue_frame(ticket)
        if self.told is None or _but_for_time(frame) != _but_for_time(self.told):
            self.told = frame
            text = encode(frame)
            for sink in tuple(self.sinks):
                sink.show_queue(text, self.table_id)
        self.table_id = ""
        return ticket.state != matchmaking.TICKET_STATE_OVER


Name = tuple[str, str]
"""A ticket and a guest of it."""


class Queues:
    """Everybody who waits through this gateway."""

    def __init__(self, peers: Peers[QueueServiceStub], presence: Presence, metrics: GatewayMetrics) -> None:
        self._peers = peers
        self._presence = presence
        self._gauge = metrics.waiting
        self._failures = metrics.presence_failures.labels("queue")
        self._waiters: dict[Name, Waiter] = {}
        self._gone: set[Name] = set()
        self._news = asyncio.Event()

    def hold(self, ticket: matchmaking.Ticket, sink: QueueSink) -> None:
        """Shows `ticket`, as just answered by matchmaking, to `sink`, and from now on what becomes of it."""
        name = (ticket.ticket_id, sink.guest_id)
        self._gone.discard(name)
        waiter = self._waiters.setdefault(name, Waiter())
        waiter.sinks.add(sink)
        waiter.told, waiter.table_id = None, ""
        self._show(name, waiter, ticket)
        self._news.set()

    def let_go(self, ticket_id: str, sink: QueueSink) -> None:
        """Tells nothing more to `sink`; of the guest's last connection here matchmaking hears, too."""
        name = (ticket_id, sink.guest_id)
        waiter = self._waiters.get(name)
        if waiter is None:
            return
        waiter.sinks.discard(sink)
        if not waiter.sinks:
            del self._waiters[name]
            self._gauge.set(len(self._waiters))
            # Whose gateway stops comes back through another one, and is not gone.
            if not self._presence.frozen:
                self._gone.add(name)
                self._news.set()

    def pause(self, ticket_id: str, sink: QueueSink) -> Queue | None:
        """Tells nothing to `sink`, which is about to sit down, until `resume` or `let_go`; its last frame."""
        waiter = self._waiters.get((ticket_id, sink.guest_id))
        if waiter is None:
            return None
        waiter.sinks.discard(sink)
        return waiter.told

    def resume(self, ticket_id: str, sink: QueueSink) -> None:
        """It has not sat down: how the waiting goes is told again."""
        waiter = self._waiters.setdefault((ticket_id, sink.guest_id), Waiter())
        waiter.sinks.add(sink)
        waiter.told, waiter.table_id = None, ""
        self._news.set()

    async def run(self) -> None:
        """Speaks for all of them until cancelled."""
        while True:
            try:
                async with asyncio.timeout(EVERY_S if self._waiters else None):
                    await self._news.wait()
            except TimeoutError:
                pass
            self._news.clear()
            try:
                await self._attend()
            except Refusal as refusal:
                self._failures.inc()
                log.warning("queue_not_heard", reason=refusal.reason)
                await asyncio.sleep(RETRY_S)
            except Exception:
                log.exception("queue_failed")
                await asyncio.sleep(RETRY_S)

    async def _attend(self) -> None:
        gone, self._gone = self._gone, set()
        here = [(name, False) for name in self._waiters]
        here += [(name, True) for name in gone if name not in self._waiters]
        for start in range(0, len(here), AT_ONCE):
            part = here[start : start + AT_ONCE]
            request = matchmaking.AttendRequest(
                here=[
                    matchmaking.Attendance(ticket_id=ticket_id, guest_id=guest_id, gone=is_gone)
                    for (ticket_id, guest_id), is_gone in part
                ]
            )
            answer = await ask(
                self._peers, "", lambda stub: stub.Attend, request, timeout_s=TIMEOUT_S, patience_ms=0
            )
            for (name, _), ticket in zip(part, answer.tickets, strict=True):
                waiter = self._waiters.get(name)
                if waiter is not None:
                    self._show(name, waiter, ticket)

    def _show(self, name: Name, waiter: Waiter, ticket: matchmaking.Ticket) -> None:
        if not waiter.show(ticket):
            self._waiters.pop(name, None)
        self._gauge.set(len(self._waiters))


def queue_frame(ticket: matchmaking.Ticket) -> Queue:
    """How the waiting goes, as a frame."""
    return Queue(
        _STATES[ticket.state],
        VARIANT_NAMES.get(ticket.variant, ""),
        profile_name(ticket.profile),
        ticket.ticket_id if ticket.is_party else None,
        [Member(member.name, member.online) for member in ticket.members],
        ticket.waited_ms,
        ticket.waiting,
        ticket.bots_offered,
        ticket.reason,
    )


def _but_for_time(frame: Queue) -> tuple[object, ...]:
    return tuple(getattr(frame, name) for name in frame.__struct_fields__ if name != "waited_ms")
