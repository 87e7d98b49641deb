"""A place in the queue as a value, and every decision about it. Pure: the store's time is an argument.

As with tables, a decision takes the ticket as it stands and returns the one after it, or the very same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from libs.runtime.refusals import Refusal
from services.matchmaking.table import Table
from services.matchmaking.terms import Profile, Variant

State = Literal["party", "waiting", "seating", "seated", "over"]
PARTNERS = 2


@dataclass(frozen=True, slots=True)
class Pool:
    """Those who wait for the same game; ``letter`` begins the ids of their tickets."""

    letter: str
    variant: Variant
    profile: Profile | None


POOLS = {
    pool.letter: pool
    for pool in (Pool("o", "tandem", "online"), Pool("c", "tandem", "club"), Pool("f", "fog", None))
}


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """Milliseconds: after how long bots are offered, when a silent member counts as offline and when as gone,
    and how long those whose match could not be started rest."""

    bots_after_ms: int
    present_ms: int
    absent_ms: int
    rest_ms: int


@dataclass(frozen=True, slots=True)
class Member:
    """One person. ``guest_id`` never leaves this service."""

    guest_id: str
    name: str
    came_at_ms: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """One or two people who wait together.

    ``since_ms``: their place in the queue, which they keep when a table comes to nothing. Once ``seating``,
    ``table_id``, ``group`` (all tickets of that table) and ``seats`` (of the members) say where they go;
    ``rests_until_ms`` is when they may be paired again.
    """

    ticket_id: str
    members: tuple[Member, ...]
    is_party: bool = False
    state: State = "waiting"
    since_ms: int = 0
    bots: bool = False
    rests_until_ms: int = 0
    table_id: str = ""
    group: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    reason: str = ""
    version: int = 0
    schema: int = 1

    @property
    def pool(self) -> Pool:
        return POOLS[self.ticket_id[0]]

    @property
    def waits(self) -> bool:
        """Whether it has a place in the queue, or is about to have one."""
        return self.state in ("party", "waiting", "seating")


Heard = Mapping[str, int]
"""When each guest was last known to be connected, in milliseconds of the store's time."""
TicketDecision = Callable[[Ticket, Heard, int], Ticket]


def member_of(ticket: Ticket, guest_id: str) -> int:
    """The guest's place among the members; raises Refusal("not_waiting")."""
    for number, member in enumerate(ticket.members):
        if member.guest_id == guest_id:
            return number
    raise Refusal("not_waiting")


def join_party(ticket: Ticket, member: Member) -> Ticket:
    """Come into a pair; again: nothing. Raises Refusal: unknown_party, party_full."""
    if not ticket.is_party or not ticket.waits:
        raise Refusal("unknown_party")
    if any(other.guest_id == member.guest_id for other in ticket.members):
        return ticket
    if ticket.state != "party" or len(ticket.members) >= PARTNERS:
        raise Refusal("party_full")
    return replace(ticket, members=(*ticket.members, member), reason="")


def start_waiting(ticket: Ticket, guest_id: str, now_ms: int) -> Ticket:
    """A pair begins to wait. Raises Refusal: unknown_party, not_waiting, party_incomplete."""
    if not ticket.is_party or not ticket.waits:
        raise Refusal("unknown_party")
    member_of(ticket, guest_id)
    if ticket.state != "party":
        return ticket
    if len(ticket.members) < PARTNERS:
        raise Refusal("party_incomplete")
    return replace(ticket, state="waiting", since_ms=now_ms, reason="", bots=False, rests_until_ms=0)


def bots_offered(ticket: Ticket, now_ms: int, limits: QueueLimits) -> bool:
    """Whether they have waited so long that bots are offered."""
    return ticket.state == "waiting" and now_ms - ticket.since_ms >= limits.bots_after_ms


def accept_bots(ticket: Ticket, guest_id: str, now_ms: int, limits: QueueLimits) -> Ticket:
    """Take the offer. Raises Refusal: not_waiting, bots_not_offered."""
    member_of(ticket, guest_id)
    if ticket.state == "seating":
        return ticket
    if ticket.state != "waiting":
        raise Refusal("not_waiting")
    if not bots_offered(ticket, now_ms, limits):
        raise Refusal("bots_not_offered")
    return replace(ticket, bots=True)


def leave(ticket: Ticket, guest_id: str) -> Ticket:
    """Wait no more. Raises Refusal("busy") in the instant between pairing and the table."""
    if ticket.state == "seating":
        raise Refusal("busy")
    if not ticket.waits:
        return ticket
    number = member_of(ticket, guest_id)
    return _without(ticket, {ticket.members[number].guest_id}, "left")


def sit_elsewhere(ticket: Ticket, guest_id: str) -> Ticket:
    """The guest gets a seat somewhere else, and waits no more. Raises Refusal("busy") as ``leave``."""
    if not any(member.guest_id == guest_id for member in ticket.members):
        return ticket
    if ticket.state == "seating":
        raise Refusal("busy")
    return _without(ticket, {guest_id}, "seated_elsewhere") if ticket.waits else ticket


def is_online(member: Member, heard: Heard, now_ms: int, limits: QueueLimits) -> bool:
    """Whether a gateway has said of late that the member is connected."""
    return now_ms - heard.get(member.guest_id, 0) <= limits.present_ms


def is_ready(ticket: Ticket, heard: Heard, now_ms: int, limits: QueueLimits) -> bool:
    """Whether it may be paired now: everybody is there, and the rest after a failed start is over."""
    if ticket.state != "waiting" or now_ms < ticket.rests_until_ms:
        return False
    return all(is_online(member, heard, now_ms, limits) for member in ticket.members)


def drop_absent(ticket: Ticket, heard: Heard, now_ms: int, limits: QueueLimits) -> Ticket:
    """Without those who have had no connection for too long."""
    if ticket.state not in ("party", "waiting"):
        return ticket
    gone = {
        member.guest_id
        for member in ticket.members
        if now_ms - max(heard.get(member.guest_id, 0), member.came_at_ms) > limits.absent_ms
    }
    return _without(ticket, gone, "no_connection") if gone else ticket


def claim(ticket: Ticket, table_id: str, group: tuple[str, ...], seats: tuple[int, ...]) -> Ticket:
    """Paired: a table is being made for them."""
    return replace(ticket, state="seating", table_id=table_id, group=group, seats=seats, reason="")


def seated(ticket: Ticket, table_id: str) -> Ticket:
    """The table is there."""
    if ticket.state != "seating" or ticket.table_id != table_id:
        return ticket
    return replace(ticket, state="seated")


def give_back(ticket: Ticket, table: Table, now_ms: int, limits: QueueLimits) -> Ticket:
    """The table came to nothing: whoever still sat there has the old place in the queue again (R09)."""
    if ticket.state not in ("seating", "seated") or ticket.table_id != table.table_id:
        return ticket
    rests_until_ms = now_ms + limits.rest_ms if table.reason == "start_failed" else 0
    back = replace(
        ticket,
        state="waiting",
        reason=table.reason,
        rests_until_ms=rests_until_ms,
        table_id="",
        group=(),
        seats=(),
        # To be found gone takes as long as for somebody who has just come.
        members=tuple(replace(member, came_at_ms=now_ms) for member in ticket.members),
    )
    still = {seat.guest_id for seat in table.seats if seat.kind == "human"}
    gone = {member.guest_id for member in ticket.members} - still
    return _without(back, gone, "left") if gone else back


def _without(ticket: Ticket, gone: set[str], reason: str) -> Ticket:
    left = tuple(member for member in ticket.members if member.guest_id not in gone)
    if not left:
        # The members stay, so that they can be told.
        return replace(ticket, state="over", reason=reason)
    return replace(ticket, members=left, state="party", since_ms=0, bots=False, reason="partner_left")
