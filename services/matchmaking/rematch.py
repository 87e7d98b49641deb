"""Agreeing to a rematch (B-rematch). Pure."""

from __future__ import annotations

from dataclasses import replace

from libs.runtime.refusals import Refusal
from services.matchmaking.table import Limits, Rematch, Seat, Table


def humans(table: Table) -> tuple[int, ...]:
    """The seats of people."""
    return tuple(number for number, seat in enumerate(table.seats) if seat.kind == "human")


def set_rematch(
    table: Table, seat: int, agree: bool, rotate: bool, next_table_id: str, now_ms: int, limits: Limits
) -> Table:
    """Note one person's word; the last agreement names the next table.

    ``agree`` False ends the offer: its maker left or wants it no more. On one device either speaks for both
    (F-curtain). Raises Refusal no_rematch while the match runs, not_your_seat for a seat that nobody holds.
    """
    if table.state != "started" or not table.over:
        raise Refusal("no_rematch")
    people = humans(table)
    if seat not in people:
        raise Refusal("not_your_seat")
    offer = table.rematch
    if offer.next_table_id:
        return table
    if offer.ends_at_ms and now_ms >= offer.ends_at_ms:
        offer = Rematch()
    if not agree:
        return replace(table, rematch=Rematch()) if table.rematch.agreed else table
    agreed = people if table.terms.curtain else tuple(sorted({*offer.agreed, seat}))
    rotating = {*offer.rotate, seat} if rotate else {*offer.rotate} - {seat}
    done = agreed == people
    return replace(
        table,
        rematch=Rematch(
            agreed,
            tuple(sorted(rotating)),
            0 if done else offer.ends_at_ms or now_ms + limits.rematch_ms,
            next_table_id if done else "",
        ),
    )


def next_table(table: Table, now_ms: int, limits: Limits) -> Table:
    """Return the table of the agreed rematch: everybody seated, the countdown running.

    Nobody has come over yet: it starts with all of its people only (see ``table.is_awaiting``). Fog swaps
    colours. Tandem keeps the seats, or moves everybody one seat on when every person asked for it: that
    gives each player another partner and the other colour.
    """
    rotated = table.terms.variant == "fog" or set(table.rematch.rotate) == set(humans(table))
    numbers = range(len(table.seats))
    countdown_ms = 0 if table.terms.curtain else limits.countdown_ms
    order = tuple((number - 1) % len(numbers) for number in numbers) if rotated else tuple(numbers)
    return Table(
        table_id=table.rematch.next_table_id,
        maker=table.maker,
        terms=table.terms,
        seats=tuple(_seated_anew(table.seats[number], now_ms) for number in order),
        close_at_ms=now_ms + limits.unfilled_ms,
        created_at_ms=now_ms,
        state="countdown",
        starts_at_ms=now_ms + countdown_ms,
        previous=table.table_id,
        origins=tuple((number, table.seats[number].lease) for number in order),
    )


def next_table_made(table: Table) -> Table:
    """The next table is there: now everybody may be told of it."""
    if table.rematch.made or not table.rematch.next_table_id:
        return table
    return replace(table, rematch=replace(table.rematch, made=True))


def _seated_anew(seat: Seat, now_ms: int) -> Seat:
    return replace(seat, online=seat.kind == "bot", heard_at_ms=now_ms, lease=1)
