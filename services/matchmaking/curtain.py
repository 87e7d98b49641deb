"""A table for two people on one device (F-curtain): one guest holds both seats from the beginning. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libs.runtime.refusals import Refusal
from services.matchmaking.names import clean_name
from services.matchmaking.table import Seat, Table

PLAYERS = 2


def two_names(typed: Sequence[str], dice: int) -> tuple[str, ...]:
    """The names of White and Black for what was typed, none or empty ones made up.

    ``dice`` is any number from 0 on. Raises Refusal: bad_request for another number of names, bad_name.
    """
    if len(typed) not in (0, PLAYERS):
        raise Refusal("bad_request", "Two people have two names.")
    return tuple(clean_name(name, dice + number) for number, name in enumerate(typed or ("", "")))


def seat_two(table: Table, guest_id: str, names: Sequence[str], now_ms: int) -> Table:
    """Seat both, who are there: the match starts at once, with the curtain down."""
    seats = tuple(
        Seat("human", name, guest_id=guest_id, online=True, heard_at_ms=now_ms, lease=1) for name in names
    )
    return replace(table, seats=seats, state="countdown", starts_at_ms=now_ms)
