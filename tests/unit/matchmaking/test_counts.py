"""What a table adds to the numbers that the operator sees, and what the operator may do to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libs.runtime.refusals import Refusal
from services.matchmaking.life import close, counted
from services.matchmaking.table import Limits, fill_with_bots, new_table, take_seat
from services.matchmaking.terms import agree_terms

LIMITS = Limits(3_000, 30_000, 900_000, 60_000)


def test_a_table_counts_by_variant_and_state_and_its_seats_once_they_play() -> None:
    table = new_table("t", "maker", agree_terms("tandem", None, None, True), 0, LIMITS)
    assert counted(table) == "tandem:open 1"
    full = fill_with_bots(take_seat(table, 0, "guest", "Kari", 0, LIMITS), 3, 0, LIMITS)
    assert counted(full) == "tandem:countdown 1"
    assert counted(replace(full, state="started")) == "tandem:bot 3 tandem:human 1 tandem:started 1"


def test_a_table_that_is_over_or_closed_counts_no_more() -> None:
    table = new_table("t", "maker", agree_terms("fog", None, None, False), 0, LIMITS)
    assert counted(replace(table, state="closed")) == ""
    assert counted(replace(table, state="started", over=True)) == ""


def test_the_operator_closes_a_table_before_its_start_and_no_other() -> None:
    table = new_table("t", "maker", agree_terms("fog", None, None, False), 0, LIMITS)
    closed = close(fill_with_bots(table, 3, 0, LIMITS))
    assert (closed.state, closed.reason, closed.starts_at_ms) == ("closed", "closed_by_operator", 0)
    assert close(closed) is closed
    started = replace(table, state="started")
    assert close(started) is started
    with pytest.raises(Refusal, match="busy"):
        close(replace(table, state="starting"))
