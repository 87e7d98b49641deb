"""What time does to a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.matchmaking.life import (
    START_AGAIN_MS,
    due_at,
    match_over,
    start_failed,
    started,
    tick,
)
from services.matchmaking.table import Table
from tests.unit.matchmaking.builders import LIMITS, empty_table, full_table, seated


def due(table: Table, heard: dict[int, int] | None = None, now_ms: int = 0) -> int | None:
    return due_at(table, heard or {}, now_ms, LIMITS, 30_000)


def test_a_countdown_ends_in_a_start_and_not_before() -> None:
    table = full_table(people=1)
    assert due(table) == 3_000
    assert tick(table, {}, 2_999, LIMITS) is table
    starting = tick(table, {}, 3_000, LIMITS)
    assert starting.state == "starting"
    assert started(starting).state == "started"


@pytest.mark.rule("B-link")
def test_a_seat_is_free_thirty_seconds_after_its_last_connection() -> None:
    table = seated(seated(empty_table(), 0), 1)
    assert due(table) == 30_000
    assert tick(table, {}, 29_999, LIMITS) is table
    heard = {1: 20_000}
    freed = tick(table, heard, 30_000, LIMITS)
    assert [seat.kind for seat in freed.seats] == ["free", "human", "free", "free"]
    assert due(freed, heard) == 50_000
    assert tick(freed, heard, 50_000, LIMITS).seats[1].kind == "free"


def test_an_absent_owner_stops_the_countdown() -> None:
    table = replace(full_table(), starts_at_ms=100_000)
    assert tick(table, {0: 30_000, 1: 30_000, 2: 30_000}, 31_000, LIMITS).state == "open"


@pytest.mark.rule("B-link")
def test_a_table_that_does_not_fill_closes_after_fifteen_minutes() -> None:
    table = empty_table()
    assert due(table) == 900_000
    assert tick(table, {}, 899_999, LIMITS) is table
    closed = tick(table, {}, 900_000, LIMITS)
    assert (closed.state, closed.reason) == ("closed", "not_filled")
    assert due(closed) is None


@pytest.mark.scenario("R09")
def test_after_failed_starts_everybody_has_their_place_back_in_order() -> None:
    table = replace(full_table(people=2), state="starting", starts_at_ms=5_000)
    for attempt in range(1, 4):
        table = start_failed(table, 4, 5_000, LIMITS)
        assert (table.state, table.attempts) == ("starting", attempt)
        assert table.starts_at_ms > 5_000
    back = start_failed(table, 4, 9_000, LIMITS)
    assert (back.state, back.reason) == ("open", "start_failed")
    assert [seat.name for seat in back.seats] == [seat.name for seat in table.seats]
    again = tick(back, {0: 19_000, 1: 19_000}, 9_000 + START_AGAIN_MS, LIMITS)
    assert (again.state, again.reason) == ("countdown", "")


def test_a_start_that_was_overtaken_changes_nothing() -> None:
    table = replace(full_table(), state="started")
    assert start_failed(table, 1, 0, LIMITS) is table
    assert started(replace(table, state="open")).state == "open"


def test_a_running_match_is_asked_after_now_and_then_until_it_is_over() -> None:
    table = replace(full_table(), state="started")
    assert due(table, now_ms=7) == 30_007
    assert due(match_over(table)) is None
