"""Tickets in the store: values, changed by compare-and-set, so that any replica may serve any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from libs.runtime.refusals import Refusal
from libs.store.answers import answered
from libs.store.connect import asked_together
from libs.store.scripts import Argument, ScriptRunner
from services.matchmaking import queue_scripts as scripts
from services.matchmaking.forms import read, written
from services.matchmaking.queue_keys import (
    due_key,
    guest_key,
    lease_key,
    lock_key,
    pairs_key,
    singles_key,
    ticket_key,
)
from services.matchmaking.store import ANSWER_WITHIN_S, TRIES
from services.matchmaking.ticket import POOLS, Heard, Pool, Ticket, TicketDecision

LIFETIME_MS = 3_600_000
"""How long a ticket that no gateway speaks of is kept."""
OVER_LIFETIME_MS = 60_000
MOST = 1_000
"""So many tickets of a pool are looked at in one go."""


@dataclass(frozen=True, slots=True)
class LoadedTicket:
    """A ticket as the store has it, when its members were last connected, the store's time, and how many
    people wait in its pool."""

    ticket: Ticket
    heard: Heard
    now_ms: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Look:
    """What the replica that holds a pool's lease has to look at; ``held`` False for any other."""

    held: bool
    now_ms: int
    waiting: tuple[str, ...]
    due: tuple[str, ...]


def pool_of(ticket_id: str) -> Pool:
    """The pool that the id names; raises Refusal("unknown_party") for no ticket's id."""
    pool = POOLS.get(ticket_id[:1])
    if pool is None or not ticket_id.isalnum() or not ticket_id.isascii():
        raise Refusal("unknown_party")
    return pool


class Tickets:
    """Tickets by id. Raises Refusal("unavailable") when the store does not answer.

    ``changed`` is called whenever one is saved.
    """

    def __init__(self, runner: ScriptRunner, changed: Callable[[], None] = lambda: None) -> None:
        self._runner = runner
        self._changed = changed
        self._client = runner.client
        self.looked_at_together = asked_together(runner.client, tuple(POOLS.values()))

    async def load_many(self, pool: Pool, ticket_ids: Iterable[str]) -> dict[str, LoadedTicket]:
        """Those of the tickets that there are; one of a newer form waits for a newer replica."""
        wanted = list(dict.fromkeys(ticket_ids))
        if not wanted:
            return {}
        keys = [singles_key(pool), pairs_key(pool), *(ticket_key(pool, name) for name in wanted)]
        now, waiting, found = await self._runner.run(scripts.LOAD, keys)
        tickets = {}
        for ticket_id, flat in zip(wanted, found, strict=True):
            fields = dict(zip(flat[::2], flat[1::2], strict=True))
            if b"body" in fields:
                try:
                    ticket = read(fields[b"body"], Ticket)
                except Refusal:
                    continue
                heard = {
                    name[6:].decode(): int(moment)
                    for name, moment in fields.items()
                    if name.startswith(b"heard:")
                }
                tickets[ticket_id] = LoadedTicket(ticket, heard, int(now), int(waiting))
        return tickets

    async def load(self, ticket_id: str) -> LoadedTicket | None:
        """The ticket, or None."""
        return (await self.load_many(pool_of(ticket_id), [ticket_id])).get(ticket_id)

    async def of_guest(self, pool: Pool, guest_id: str) -> str:
        """The id of the guest's latest ticket in the pool; "" for none."""
        found: Any = await answered(self._client.get(guest_key(pool, guest_id)), ANSWER_WITHIN_S)
        return found.decode() if found else ""

    async def of_guests(self, pool: Pool, guest_ids: Iterable[str]) -> dict[str, str]:
        """The ids of the latest tickets of those guests who have one in the pool."""
        wanted = list(dict.fromkeys(guest_ids))
        if not wanted:
            return {}
        keys = [guest_key(pool, guest_id) for guest_id in wanted]
        found: Any = await answered(self._client.mget(keys), ANSWER_WITHIN_S)
        return {guest_id: name.decode() for guest_id, name in zip(wanted, found, strict=True) if name}

    async def lock(self, guest_id: str, replica: str, for_ms: int) -> bool:
        """Let nobody but this replica seat the guest for a while; False when another one has done so."""
        key = lock_key(guest_id)
        if await answered(self._client.set(key, replica, nx=True, px=for_ms), ANSWER_WITHIN_S):
            return True
        holder: Any = await answered(self._client.get(key), ANSWER_WITHIN_S)
        return holder is not None and holder.decode() == replica

    async def create(self, ticket: Ticket, known: str) -> bool:
        """Keep the ticket of one guest whose latest one is ``known``; False when somebody was quicker."""
        guest_id = ticket.members[0].guest_id
        return await self._save(None, replace(ticket, version=1), guest_id, known)

    async def change(self, ticket_id: str, decide: TicketDecision, heard: str = "") -> LoadedTicket:
        """Decide and commit, again when somebody was quicker. ``heard`` is a guest who is connected now.

        Raises what ``decide`` raises, unknown_party when there is no such ticket, and busy.
        """
        for _ in range(TRIES):
            loaded = await self.load(ticket_id)
            if loaded is None:
                raise Refusal("unknown_party")
            changed = decide(loaded.ticket, loaded.heard, loaded.now_ms)
            if changed == loaded.ticket:
                return loaded
            changed = replace(changed, version=loaded.ticket.version + 1)
            if await self._save(loaded.ticket, changed, heard, ""):
                return replace(loaded, ticket=changed)
        raise Refusal("busy")

    async def attend(self, pool: Pool, here: Sequence[tuple[str, str, bool]]) -> None:
        """Note who is connected: ticket, guest, and whether that one has just gone."""
        keys = [ticket_key(pool, ticket_id) for ticket_id, _, _ in here]
        words = [word for _, guest_id, gone in here for word in (guest_id, str(int(gone)))]
        await self._runner.run(scripts.ATTEND, keys, (LIFETIME_MS, *words))

    async def look(self, pools: Sequence[Pool], replica: str, lease_ms: int) -> list[Look]:
        """Take or renew the pools' leases, and see what is to be done; in a cluster one pool at a time."""
        keys = [name(pool) for pool in pools for name in (lease_key, singles_key, pairs_key, due_key)]
        now, looks = await self._runner.run(scripts.LOOK, keys, (replica, lease_ms, MOST))
        return [
            Look(
                bool(held),
                int(now),
                tuple(name.decode() for name in waiting),
                tuple(name.decode() for name in due),
            )
            for held, waiting, due in looks
        ]

    async def claim(
        self, pool: Pool, replica: str, before: Sequence[Ticket], after: Sequence[Ticket]
    ) -> bool:
        """Commit a table's tickets, all or none; False when one has changed or the lease is another's."""
        keys = [lease_key(pool), singles_key(pool), pairs_key(pool), due_key(pool)]
        words: list[Argument] = []
        for old, new in zip(before, after, strict=True):
            keys.append(ticket_key(pool, old.ticket_id))
            body = written(replace(new, version=old.version + 1))
            words += [old.ticket_id, old.version, old.version + 1, body]
        return bool(await self._runner.run(scripts.CLAIM, keys, (replica, LIFETIME_MS, *words)))

    async def _save(self, before: Ticket | None, ticket: Ticket, heard: str, known: str) -> bool:
        pool = ticket.pool
        members = [member.guest_id for member in ticket.members] if ticket.state != "over" else []
        former = {member.guest_id for member in (before or ticket).members} - set(members)
        keys = [singles_key(pool), pairs_key(pool), due_key(pool), ticket_key(pool, ticket.ticket_id)]
        keys += [guest_key(pool, guest_id) for guest_id in (*members, *sorted(former))]
        arguments = (
            ticket.ticket_id,
            before.version if before else 0,
            ticket.version,
            written(ticket),
            ("singles", "pairs")[len(ticket.members) - 1] if ticket.state == "waiting" else "",
            ticket.since_ms,
            0 if ticket.state in ("party", "seating") else "",
            OVER_LIFETIME_MS if ticket.state == "over" else LIFETIME_MS,
            heard,
            known,
            len(members),
        )
        self._changed()
        return bool(await self._runner.run(scripts.SAVE, keys, arguments))
