"""The queue at work: one replica pairs in each pool, makes the tables, and takes back whose table came to
nothing. All of it may be repeated, by any replica, from wherever another one stopped."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.matchmaking.issuer import Issuer
from services.matchmaking.life import given_back
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.pairing import Waiting, pair, seat_group
from services.matchmaking.rhythm import Rhythm
from services.matchmaking.sitting import Sitting
from services.matchmaking.store import Store
from services.matchmaking.table import (
    MIDDLE_LEVEL,
    Limits,
    Seat,
    Table,
    fill_with_bots,
    new_table,
    settle,
)
from services.matchmaking.terms import agree_terms
from services.matchmaking.ticket import (
    Pool,
    QueueLimits,
    Ticket,
    claim,
    drop_absent,
    give_back,
    is_ready,
    seated,
)
from services.matchmaking.tickets import LoadedTicket, Look, Tickets

log = get_logger()
ResultT = TypeVar("ResultT")
LEASE_MS = 2_000
AT_ONCE = 8
"""Tables that are made at a time."""


class Queue:
    """Everybody who waits. ``replica`` names this process among its like."""

    def __init__(
        self,
        tickets: Tickets,
        store: Store,
        sitting: Sitting,
        issuer: Issuer,
        replica: str,
        metrics: MatchmakingMetrics,
        limits: Limits,
        queue_limits: QueueLimits,
        rhythm: Rhythm,
    ) -> None:
        self._tickets = tickets
        self._store = store
        self._sitting = sitting
        self._issuer = issuer
        self._replica = replica
        self._metrics = metrics
        self._limits = limits
        self._queue_limits = queue_limits
        self._rhythm = rhythm
        self._room = asyncio.Semaphore(AT_ONCE)
        self._looks_since_ms: dict[str, int] = {}
        self._looked_at_ms: dict[str, int] = {}

    async def run(self) -> None:
        """Look at all pools until cancelled."""
        while True:
            for pools in self._tickets.looked_at_together:
                busy = await self._warned(pools, self._look_at(pools))
                if busy is None:
                    self._show_nothing_known(pools)
                for pool, look in busy or ():
                    await self._warned([pool], self._work_on(pool, look))
            await self._rhythm.wait()

    async def _warned(self, pools: Sequence[Pool], work: Awaitable[ResultT]) -> ResultT | None:
        """What the work on some pools gives; None when it failed, which harms no other pool."""
        letters = "".join(pool.letter for pool in pools)
        try:
            return await work
        except Refusal as refusal:
            log.warning("queue_failed", pool=letters, reason=refusal.reason)
        except Exception:
            log.exception("queue_failed", pool=letters)
        return None

    async def give_back(self, table: Table) -> None:
        """Everybody who still sat at a table that came to nothing waits again; may be repeated."""
        for ticket_id in table.tickets:
            try:
                loaded = await self._tickets.change(
                    ticket_id, lambda ticket, _, now_ms: give_back(ticket, table, now_ms, self._queue_limits)
                )
            except Refusal as refusal:
                if refusal.reason != "unknown_party":
                    raise
            else:
                self._metrics.tickets.labels(f"back_{loaded.ticket.state}").inc()
        await self._store.change(table.table_id, lambda table, _: given_back(table))

    async def _look_at(self, pools: Sequence[Pool]) -> list[tuple[Pool, Look]]:
        """The pools where there is something to be done by this replica."""
        looks = await self._tickets.look(pools, self._replica, LEASE_MS)
        busy = []
        for pool, look in zip(pools, looks, strict=True):
            self._note_look(pool, look)
            if look.waiting or look.due:
                self._rhythm.stir()
                busy.append((pool, look))
            else:
                self._metrics.queue_waiting.labels(pool_name(pool)).set(0)
        return busy

    def _show_nothing_known(self, pools: Sequence[Pool]) -> None:
        for pool in pools:
            self._metrics.queue_waiting.labels(pool_name(pool)).set(math.nan)

    async def _work_on(self, pool: Pool, look: Look) -> None:
        found = await self._tickets.load_many(pool, (*look.waiting, *look.due))
        # Another pool may have taken its time since the look.
        now_ms = max((loaded.now_ms for loaded in found.values()), default=look.now_ms)
        people = sum(
            len(loaded.ticket.members) for loaded in found.values() if loaded.ticket.state == "waiting"
        )
        self._metrics.queue_waiting.labels(pool_name(pool)).set(people)
        await self._drop_absent(pool, found.values(), now_ms)
        claimed = await self._pair(pool, found.values(), now_ms)
        # Those that were being seated before this look: whoever paired them has not got further.
        before = {loaded.ticket.group for loaded in found.values() if loaded.ticket.state == "seating"}
        seating = (self._seat(pool, group) for group in (*before, *claimed))
        for outcome in await asyncio.gather(*seating, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome

    def _note_look(self, pool: Pool, look: Look) -> None:
        """Since when this replica has watched the pool without a gap: only that long can it know of silence,
        since after an outage nobody could have been heard of."""
        before = self._looked_at_ms.get(pool.letter, 0)
        if not look.held or look.now_ms - before > LEASE_MS:
            self._looks_since_ms[pool.letter] = look.now_ms
        self._looked_at_ms[pool.letter] = look.now_ms if look.held else 0

    async def _drop_absent(self, pool: Pool, found: Iterable[LoadedTicket], now_ms: int) -> None:
        if now_ms - self._looks_since_ms[pool.letter] <= self._queue_limits.absent_ms:
            return
        for loaded in found:
            if drop_absent(loaded.ticket, loaded.heard, now_ms, self._queue_limits) != loaded.ticket:
                await self._tickets.change(
                    loaded.ticket.ticket_id,
                    lambda ticket, heard, now: drop_absent(ticket, heard, now, self._queue_limits),
                )
                self._metrics.tickets.labels("absent").inc()

    async def _pair(self, pool: Pool, found: Iterable[LoadedTicket], now_ms: int) -> list[tuple[str, ...]]:
        """Claim the tickets of every table that can be made; the groups that were claimed."""
        claimed: list[tuple[str, ...]] = []
        ready = [
            loaded.ticket
            for loaded in found
            if is_ready(loaded.ticket, loaded.heard, now_ms, self._queue_limits)
        ]
        ready.sort(key=lambda ticket: (ticket.since_ms, ticket.ticket_id))
        tickets = {ticket.ticket_id: ticket for ticket in ready}
        queue = [Waiting(ticket.ticket_id, len(ticket.members), ticket.bots) for ticket in ready]
        seats = agree_terms(pool.variant, pool.profile, None, public=True).seats
        for group in pair(queue, seats):
            before = [tickets[waiting.ticket_id] for waiting in group]
            if not await self._sitting.may_be_paired(pool, _guests(before), self._replica):
                continue
            names = tuple(ticket.ticket_id for ticket in before)
            # The versions are in it: the same people may meet again after a table that came to nothing.
            table_id = self._issuer.quick_table_id((ticket.ticket_id, ticket.version) for ticket in before)
            places = seat_group(group, seats, Random(table_id))  # noqa: S311 - who sits where
            after = [claim(ticket, table_id, names, places[ticket.ticket_id]) for ticket in before]
            if not await self._tickets.claim(pool, self._replica, before, after):
                continue
            for ticket in before:
                self._metrics.tickets.labels("bots" if ticket.bots else "paired").inc()
                for _ in ticket.members:
                    waited_s = (now_ms - ticket.since_ms) / 1000
                    self._metrics.queue_wait_seconds.labels(pool_name(pool)).observe(waited_s)
            claimed.append(names)
        return claimed

    async def _seat(self, pool: Pool, group: tuple[str, ...]) -> None:
        """Make the table of a claimed group and tell the tickets of it; may be repeated."""
        async with self._room:
            await self._make_table(pool, group)

    async def _make_table(self, pool: Pool, group: tuple[str, ...]) -> None:
        found = await self._tickets.load_many(pool, group)
        tickets = [found[name].ticket for name in group if name in found]
        table_id = next((ticket.table_id for ticket in tickets if ticket.state == "seating"), "")
        if not table_id:
            return
        await self._sitting.end_elsewhere(pool, _guests(tickets))
        if await self._store.load(table_id) is None:
            now_ms = await self._store.now_ms()
            await self._store.create(quick_table(pool, table_id, tickets, now_ms, self._limits), now_ms)
            self._metrics.tables.labels("quick").inc()
        for ticket in tickets:
            await self._tickets.change(ticket.ticket_id, lambda ticket, _, __: seated(ticket, table_id))


def _guests(tickets: Iterable[Ticket]) -> list[str]:
    return [member.guest_id for ticket in tickets for member in ticket.members]


def quick_table(pool: Pool, table_id: str, tickets: Iterable[Ticket], now_ms: int, limits: Limits) -> Table:
    """The table of a group: everybody seated, bots on the seats that are left, the countdown running."""
    terms = agree_terms(pool.variant, pool.profile, None, public=True)
    table = new_table(table_id, "", terms, now_ms, limits)
    seats = list(table.seats)
    names = []
    for ticket in tickets:
        names.append(ticket.ticket_id)
        for member, number in zip(ticket.members, ticket.seats, strict=True):
            seats[number] = Seat(
                "human", member.name, guest_id=member.guest_id, online=True, heard_at_ms=now_ms, lease=1
            )
    table = fill_with_bots(replace(table, seats=tuple(seats)), MIDDLE_LEVEL, now_ms, limits)
    return replace(settle(table, now_ms, limits), tickets=tuple(names))


def pool_name(pool: Pool) -> str:
    """The pool's name in metrics."""
    return f"{pool.variant}_{pool.profile}" if pool.profile else pool.variant
