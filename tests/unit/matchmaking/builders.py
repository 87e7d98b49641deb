"""Tables for the tests."""

from __future__ import annotations

from contextlib import AbstractContextManager

import pytest

from libs.runtime.refusals import Refusal
from services.matchmaking.table import Limits, Table, new_table, set_bot, take_seat
from services.matchmaking.terms import Profile, Variant, agree_terms

LIMITS = Limits(countdown_ms=3_000, absent_ms=30_000, unfilled_ms=900_000, rematch_ms=60_000)
TABLE_ID = "07" + "a" * 24
NEXT_ID = "07" + "b" * 24


def empty_table(variant: Variant = "tandem", profile: Profile | None = None) -> Table:
    return new_table(TABLE_ID, "maker", agree_terms(variant, profile, None, public=True), 0, LIMITS)


def seated(table: Table, seat: int, now_ms: int = 0) -> Table:
    """The table with guest "g<seat>" on the seat."""
    return take_seat(table, seat, f"g{seat}", f"Guest {seat}", now_ms, LIMITS)


def full_table(people: int = 4, variant: Variant = "tandem", now_ms: int = 0) -> Table:
    """The first seats are people's, the others bots'."""
    table = empty_table(variant)
    for seat in range(len(table.seats)):
        table = seated(table, seat, now_ms) if seat < people else set_bot(table, seat, 3, now_ms, LIMITS)
    return table


def refused(reason: str) -> AbstractContextManager[object]:
    """Expects a refusal of this name."""
    return pytest.raises(Refusal, check=lambda refusal: refusal.reason == reason)
