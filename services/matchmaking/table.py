"""A table as a value, and every decision about its seats. Pure: the store's time is an argument.

A decision takes the table as it stands and returns the table after it, or the very same one when nothing
changes; it raises Refusal when it may not be done. The store counts versions and commits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from libs.runtime.refusals import Refusal
from services.matchmaking.terms import Terms

State = Literal["open", "countdown", "starting", "started", "closed"]
SeatKind = Literal["free", "human", "bot"]

LEVELS = range(1, 6)
MIDDLE_LEVEL = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """The times of a table's life, in milliseconds."""

    countdown_ms: int
    absent_ms: int
    unfilled_ms: int
    rematch_ms: int


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat. ``guest_id`` is its owner's secret and never leaves this service.

    ``heard_at_ms`` is when its owner was last known to be connected. ``lease`` numbers the people who have
    held it: whoever gave it back has a token with a lower one.
    """

    kind: SeatKind = "free"
    name: str = ""
    level: int = 0
    guest_id: str = ""
    online: bool = False
    heard_at_ms: int = 0
    lease: int = 0

    def freed(self) -> Seat:
        """The seat with nobody on it."""
        return Seat(lease=self.lease)


@dataclass(frozen=True, slots=True)
class Rematch:
    """A rematch being agreed (B-rematch): seats that agreed, those of them that asked to rotate.

    ``next_table_id`` is set by the last agreement; ``made`` once that table is there.
    """

    agreed: tuple[int, ...] = ()
    rotate: tuple[int, ...] = ()
    ends_at_ms: int = 0
    next_table_id: str = ""
    made: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``maker`` is a guest id, or empty for a rematch's table.

    ``starts_at_ms``: end of a countdown, or the next attempt while starting; in an open table, when a
    start that failed is tried anew (0: not). ``attempts`` counts the attempts at the start in hand.

    A table out of the queue names its ``tickets``: when it comes to nothing its people wait again, and
    ``returned`` says that they do. A rematch's table names the ``previous`` one, and for each seat where its
    holder sat there and the lease that proves it (``origins``).
    """

    table_id: str
    maker: str
    terms: Terms
    seats: tuple[Seat, ...]
    close_at_ms: int
    created_at_ms: int
    version: int = 0
    state: State = "open"
    starts_at_ms: int = 0
    attempts: int = 0
    reason: str = ""
    over: bool = False
    rematch: Rematch = field(default_factory=Rematch)
    tickets: tuple[str, ...] = ()
    returned: bool = False
    previous: str = ""
    origins: tuple[tuple[int, int], ...] = ()
    schema: int = 1

    @property
    def full(self) -> bool:
        return all(seat.kind != "free" for seat in self.seats)


Decision = Callable[[Table, int], Table]
"""From the table and the store's time in milliseconds to the table after it."""


def new_table(table_id: str, maker: str, terms: Terms, now_ms: int, limits: Limits) -> Table:
    """Return an empty table."""
    seats = (Seat(),) * terms.seats
    return Table(table_id, maker, terms, seats, now_ms + limits.unfilled_ms, now_ms)


def seats_of(table: Table, guest_id: str) -> tuple[int, ...]:
    """The seats that the guest holds."""
    return tuple(
        number
        for number, seat in enumerate(table.seats)
        if seat.kind == "human" and seat.guest_id == guest_id
    )


def take_seat(
    table: Table, wanted: int | None, guest_id: str, name: str, now_ms: int, limits: Limits
) -> Table:
    """Seat the guest; ``wanted`` None is any free seat. A guest who sits elsewhere at the table moves.

    The guest's own seat again changes nothing, also after the start. Raises Refusal: unknown_seat,
    seat_taken, no_free_seat, already_started, table_closed.
    """
    own = seats_of(table, guest_id)
    if wanted is not None and wanted >= len(table.seats):
        raise Refusal("unknown_seat")
    if own and wanted in (None, *own):
        return table
    require_unstarted(table)
    if wanted is None:
        wanted = next((number for number, seat in enumerate(table.seats) if seat.kind == "free"), None)
        if wanted is None:
            raise Refusal("no_free_seat")
    if table.seats[wanted].kind != "free":
        raise Refusal("seat_taken")
    for number in own:
        table = _with_seat(table, number, table.seats[number].freed())
    lease = table.seats[wanted].lease + 1
    seat = Seat("human", name, guest_id=guest_id, online=True, heard_at_ms=now_ms, lease=lease)
    return settle(_with_seat(table, wanted, seat), now_ms, limits)


def leave_seat(table: Table, number: int, now_ms: int, limits: Limits) -> Table:
    """Free a person's seat before the start and stop a countdown (T-abort)."""
    require_unstarted(table)
    if table.seats[number].kind != "human":
        raise Refusal("not_your_seat")
    return settle(_with_seat(table, number, table.seats[number].freed()), now_ms, limits)


def set_bot(table: Table, number: int, level: int, now_ms: int, limits: Limits) -> Table:
    """Put a bot on a free seat, change its level, or (``level`` 0) take it away (B-fill).

    Raises Refusal: unknown_seat, bad_level, seat_taken, already_started, table_closed.
    """
    require_unstarted(table)
    if number >= len(table.seats):
        raise Refusal("unknown_seat")
    if level and level not in LEVELS:
        raise Refusal("bad_level")
    seat = table.seats[number]
    if seat.kind == "human":
        raise Refusal("seat_taken")
    if level == seat.level:
        return table
    if not level:
        changed = seat.freed()
    elif seat.kind == "bot":
        changed = replace(seat, level=level)
    else:
        changed = Seat("bot", _bot_name(table), level, online=True, lease=seat.lease)
    return settle(_with_seat(table, number, changed), now_ms, limits)


def fill_with_bots(table: Table, level: int, now_ms: int, limits: Limits) -> Table:
    """Put a bot on every free seat; ``level`` 0 is the middle one."""
    for number, seat in enumerate(table.seats):
        if seat.kind == "free":
            table = set_bot(table, number, level or MIDDLE_LEVEL, now_ms, limits)
    return table


def hear(table: Table, number: int, connected: bool, now_ms: int) -> Table:
    """Note whether a person's seat is connected; the same table when that is no news.

    When a connection was last heard of is kept by the store, beside the table (see ``Store.heard``).
    """
    if number >= len(table.seats) or table.state not in ("open", "countdown"):
        return table
    seat = table.seats[number]
    if seat.kind != "human" or seat.online == connected:
        return table
    return _with_seat(table, number, replace(seat, online=connected, heard_at_ms=now_ms))


def settle(table: Table, now_ms: int, limits: Limits) -> Table:
    """Start or stop the countdown, as the seats demand; out of the queue or with a curtain a table closes."""
    if table.full:
        if table.state == "countdown":
            return table
        return replace(
            table, state="countdown", starts_at_ms=now_ms + limits.countdown_ms, attempts=0, reason=""
        )
    if table.tickets or table.terms.curtain:
        return replace(table, state="closed", starts_at_ms=0, reason="player_left")
    close_at_ms = table.close_at_ms if table.state == "open" else now_ms + limits.unfilled_ms
    return replace(table, state="open", starts_at_ms=0, attempts=0, reason="", close_at_ms=close_at_ms)


def is_awaiting(table: Table) -> bool:
    """Whether somebody has not come to a rematch: who agreed and is gone must not play it without knowing."""
    return bool(table.previous) and not all(seat.online for seat in table.seats) and not table.terms.curtain


def free_absent(table: Table, heard: dict[int, int], now_ms: int, limits: Limits) -> Table:
    """Free the seats whose owner has had no connection for too long (B-link)."""
    changed = table
    for number in range(len(table.seats)):
        free_at_ms = absent_at(table, number, heard, limits)
        if free_at_ms is not None and now_ms >= free_at_ms:
            changed = _with_seat(changed, number, table.seats[number].freed())
    return changed if changed is table else settle(changed, now_ms, limits)


def absent_at(table: Table, number: int, heard: dict[int, int], limits: Limits) -> int | None:
    """When the seat is freed unless its owner is heard of again; None for one that nobody can lose."""
    seat = table.seats[number]
    if seat.kind != "human":
        return None
    return max(seat.heard_at_ms, heard.get(number, 0)) + limits.absent_ms


def require_unstarted(table: Table) -> None:
    """Raise Refusal already_started or table_closed unless the seats may still change."""
    if table.state == "closed":
        raise Refusal("table_closed")
    if table.state not in ("open", "countdown"):
        raise Refusal("already_started")


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _bot_name(table: Table) -> str:
    taken = {seat.name for seat in table.seats}
    return next(name for number in range(1, 6) if (name := f"Bot {number}") not in taken)
