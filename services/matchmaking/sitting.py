"""Who gets a seat anywhere waits no more: in no kind of game, whatever tab or gateway it waited in."""

from __future__ import annotations

from collections.abc import Collection

from libs.runtime.refusals import Refusal
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.store import Store
from services.matchmaking.table import Limits, Table, leave_seat, seats_of
from services.matchmaking.ticket import POOLS, Pool, Ticket, sit_elsewhere
from services.matchmaking.tickets import LoadedTicket, Tickets

LOCK_MS = 1_000
"""A guest whom a replica is about to seat is seated by no other one for so long."""
_UNSTARTED = ("open", "countdown")


class Sitting:
    """The places in the queue of people who are about to get a seat.

    A seat and a place in the queue are different keys in different slots, so that no one step changes both.
    What keeps anybody from two matches is the order: first the place is given up, which a place that is just
    being paired refuses, then the seat is taken.
    """

    def __init__(self, tickets: Tickets, store: Store, metrics: MatchmakingMetrics, limits: Limits) -> None:
        self._tickets = tickets
        self._store = store
        self._metrics = metrics
        self._limits = limits

    async def stand_up(self, guest_ids: Collection[str], table_id: str) -> None:
        """Before these guests sit down at a table: they wait no more.

        Whoever the queue has brought to another table, where the countdown runs, leaves it, and the others
        there have their old places again. Raises Refusal("busy") in an instant in which neither can be.
        """
        for pool in POOLS.values():
            for guest_id, loaded in await self._known(pool, guest_ids):
                if loaded.ticket.state != "seated":
                    await self._end(loaded.ticket, guest_id)
                elif loaded.ticket.table_id != table_id:
                    await self._leave_table(loaded.ticket.table_id, guest_id)

    async def may_be_paired(self, pool: Pool, guest_ids: Collection[str], replica: str) -> bool:
        """Whether nobody seats any of these guests of the pool in another kind of game right now."""
        if await self.end_if_seated(pool, guest_ids):
            return False
        wait_twice = set()
        for other in _others(pool):
            for guest_id, loaded in await self._known(other, guest_ids):
                if loaded.ticket.waits:
                    wait_twice.add(guest_id)
        # In one order everywhere, so that no two replicas wait for each other.
        for guest_id in sorted(wait_twice):
            if not await self._tickets.lock(guest_id, replica, LOCK_MS):
                return False
        return True

    async def end_if_seated(self, pool: Pool, guest_ids: Collection[str]) -> bool:
        """Those of these guests whom another kind of game has a seat for, about to start, wait no more.

        Whether there were any. Who asks for a place asks this after the place is there, as who pairs gives up
        the other places after the pairing is there: whichever came first, one of the two sees the other.
        """
        placed = [
            guest_id
            for other in _others(pool)
            for guest_id, loaded in await self._known(other, guest_ids)
            if loaded.ticket.state == "seating" or await self._is_about_to_play(loaded.ticket, guest_id)
        ]
        for guest_id, loaded in await self._known(pool, placed):
            if loaded.ticket.state in ("party", "waiting"):
                await self._end(loaded.ticket, guest_id)
        return bool(placed)

    async def _is_about_to_play(self, ticket: Ticket, guest_id: str) -> bool:
        if ticket.state != "seated":
            return False
        loaded = await self._store.load(ticket.table_id)
        if loaded is None or loaded.table.state not in (*_UNSTARTED, "starting"):
            return False
        return bool(seats_of(loaded.table, guest_id))

    async def end_elsewhere(self, pool: Pool, guest_ids: Collection[str]) -> None:
        """These guests have been paired in the pool, and wait for no other kind of game; may be repeated."""
        for other in _others(pool):
            for guest_id, loaded in await self._known(other, guest_ids):
                if loaded.ticket.state in ("party", "waiting"):
                    await self._end(loaded.ticket, guest_id)

    async def _known(self, pool: Pool, guest_ids: Collection[str]) -> list[tuple[str, LoadedTicket]]:
        """The guests with a ticket in the pool."""
        names = await self._tickets.of_guests(pool, guest_ids)
        found = await self._tickets.load_many(pool, names.values())
        return [(guest_id, found[name]) for guest_id, name in names.items() if name in found]

    async def _end(self, ticket: Ticket, guest_id: str) -> None:
        if not ticket.waits:
            return
        try:
            await self._tickets.change(
                ticket.ticket_id, lambda ticket, _, __: sit_elsewhere(ticket, guest_id)
            )
        except Refusal as refusal:
            if refusal.reason != "unknown_party":  # it has been forgotten
                raise
        self._metrics.tickets.labels("left").inc()

    async def _leave_table(self, table_id: str, guest_id: str) -> None:
        loaded = await self._store.load(table_id)
        if loaded is None or not seats_of(loaded.table, guest_id):
            return
        # In the last moment before the start it may still fail, and its people would wait again.
        if loaded.table.state == "starting" or (loaded.table.state == "closed" and not loaded.table.returned):
            raise Refusal("busy")
        if loaded.table.state not in _UNSTARTED:
            return

        def leave(table: Table, now_ms: int) -> Table:
            for seat in seats_of(table, guest_id):
                table = leave_seat(table, seat, now_ms, self._limits)
            return table

        try:
            await self._store.change(table_id, leave)
        except Refusal as refusal:
            if refusal.reason in ("already_started", "table_closed"):
                raise Refusal("busy") from refusal
            raise


def _others(pool: Pool) -> list[Pool]:
    return [other for other in POOLS.values() if other != pool]
