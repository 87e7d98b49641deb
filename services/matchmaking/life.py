"""What time does to a table: due countdowns, failed starts, closing, the end. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from libs.runtime.refusals import Refusal
from services.matchmaking.table import Limits, Rematch, Table, absent_at, free_absent, is_awaiting

START_AGAIN_MS = 10_000
"""How long a full table whose start failed waits before it counts down anew."""
TAKEN_OVER_MS = 6_000
"""How long a due table that one replica works on is left alone by the others; longer than game may take."""
_FIRST_RETRY_MS = 250


def tick(table: Table, heard: dict[int, int], now_ms: int, limits: Limits) -> Table:
    """Do what is due; the same table when nothing is. ``heard`` is when each seat was last connected."""
    if table.state in ("open", "countdown"):
        table = free_absent(table, heard, now_ms, limits)
    if table.state == "open" and now_ms >= table.close_at_ms:
        return replace(table, state="closed", reason="not_filled", starts_at_ms=0)
    if table.state == "open" and table.starts_at_ms and now_ms >= table.starts_at_ms:
        return replace(
            table, state="countdown", starts_at_ms=now_ms + limits.countdown_ms, attempts=0, reason=""
        )
    if table.state == "countdown" and now_ms >= table.starts_at_ms and not is_awaiting(table):
        return replace(table, state="starting", starts_at_ms=now_ms)
    ends_at_ms = table.rematch.ends_at_ms
    if ends_at_ms and now_ms >= ends_at_ms:
        return replace(table, rematch=Rematch())
    return table


def due_at(table: Table, heard: dict[int, int], now_ms: int, limits: Limits, status_ms: int) -> int | None:
    """When the table must be looked at next; None for never."""
    if table.state == "closed":
        return now_ms if table.tickets and not table.returned else None
    if table.state == "starting":
        # Who began the start also asks game; another replica only should that one be gone.
        return table.starts_at_ms + (0 if table.attempts else TAKEN_OVER_MS)
    if table.state == "started":
        if table.rematch.next_table_id and not table.rematch.made:
            return now_ms
        if not table.over:
            return now_ms + status_ms
        return table.rematch.ends_at_ms or None
    due = [absent_at(table, number, heard, limits) for number in range(len(table.seats))]
    due.append(None if is_awaiting(table) else table.starts_at_ms or None)
    if table.state == "open":
        due.append(table.close_at_ms)
    return min(moment for moment in due if moment is not None)


def started(table: Table) -> Table:
    """Game has the match."""
    if table.state != "starting":
        return table
    return replace(table, state="started", starts_at_ms=0, attempts=0, reason="")


def start_failed(table: Table, attempts: int, now_ms: int, limits: Limits) -> Table:
    """Game did not start the match: try again soon, and after ``attempts`` times give the table back.

    Everybody keeps their seat; the open table says "start_failed" and counts down anew a little later
    unless somebody leaves. A table out of the queue closes: its people wait again (R09).
    """
    if table.state != "starting":
        return table
    if table.attempts + 1 < attempts:
        pause_ms = _FIRST_RETRY_MS * 2**table.attempts
        return replace(table, attempts=table.attempts + 1, starts_at_ms=now_ms + pause_ms)
    if table.tickets:
        return replace(table, state="closed", attempts=0, starts_at_ms=0, reason="start_failed")
    seats = tuple(replace(seat, heard_at_ms=now_ms) if seat.kind == "human" else seat for seat in table.seats)
    return replace(
        table,
        state="open",
        seats=seats,
        attempts=0,
        reason="start_failed",
        starts_at_ms=now_ms + START_AGAIN_MS,
        close_at_ms=now_ms + limits.unfilled_ms,
    )


def close(table: Table) -> Table:
    """The operator closes the table before its start; the same one when it has started or is closed.

    The people of a table out of the queue wait again. Raises Refusal("busy") while game is asked to start it.
    """
    if table.state == "starting":
        raise Refusal("busy")
    if table.state not in ("open", "countdown"):
        return table
    return replace(table, state="closed", starts_at_ms=0, reason="closed_by_operator")


def match_over(table: Table) -> Table:
    """The match has ended: the bots' seats need nobody any more, and a rematch is possible."""
    if table.state != "started" or table.over:
        return table
    return replace(table, over=True)


def given_back(table: Table) -> Table:
    """The people of a table out of the queue wait again."""
    return replace(table, returned=True)


def counted(table: Table) -> str:
    """What a table adds to the counts of its shard, as "<name> <number> ..."; "" for one that is over."""
    if table.state == "closed" or table.over:
        return ""
    variant = table.terms.variant
    names = Counter({f"{variant}:{table.state}": 1})
    if table.state == "started":
        names.update(f"{variant}:{seat.kind}" for seat in table.seats)
    return " ".join(f"{name} {number}" for name, number in sorted(names.items()))
