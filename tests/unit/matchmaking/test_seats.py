"""Who may sit where, and what it does to the countdown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.runtime.refusals import Refusal
from services.matchmaking.table import Table, fill_with_bots, hear, leave_seat, set_bot, take_seat
from tests.unit.matchmaking.builders import LIMITS, empty_table, full_table, refused, seated


def test_the_last_seat_taken_starts_the_countdown() -> None:
    table = full_table(now_ms=1_000)
    assert table.state == "countdown"
    assert table.starts_at_ms == 4_000


def test_any_seat_is_the_first_free_one() -> None:
    table = take_seat(seated(empty_table(), 0), None, "kari", "Kari", 0, LIMITS)
    assert table.seats[1].guest_id == "kari"


def test_the_own_seat_again_changes_nothing_even_after_the_start() -> None:
    table = replace(full_table(), state="started")
    assert take_seat(table, 2, "g2", "Other", 5, LIMITS) is table
    assert take_seat(table, None, "g2", "Other", 5, LIMITS) is table


def test_a_guest_who_takes_another_seat_moves_there() -> None:
    table = take_seat(seated(empty_table(), 0), 3, "g0", "Guest 0", 0, LIMITS)
    assert [seat.kind for seat in table.seats] == ["free", "free", "free", "human"]


def test_a_taken_seat_is_refused_by_its_name() -> None:
    with refused("seat_taken"):
        take_seat(seated(empty_table(), 0), 0, "kari", "Kari", 0, LIMITS)
    with refused("seat_taken"):
        set_bot(seated(empty_table(), 0), 0, 3, 0, LIMITS)


def test_a_seat_that_the_table_has_not_is_refused() -> None:
    with refused("unknown_seat"):
        take_seat(empty_table("fog"), 2, "kari", "Kari", 0, LIMITS)
    with refused("unknown_seat"):
        set_bot(empty_table("fog"), 2, 3, 0, LIMITS)


def test_a_full_table_has_no_free_seat_and_a_started_one_takes_nobody() -> None:
    with refused("no_free_seat"):
        take_seat(full_table(), None, "kari", "Kari", 0, LIMITS)
    with refused("already_started"):
        take_seat(replace(full_table(), state="starting"), 0, "kari", "Kari", 0, LIMITS)
    with refused("table_closed"):
        take_seat(replace(empty_table(), state="closed"), 0, "kari", "Kari", 0, LIMITS)


@pytest.mark.rule("T-abort")
def test_leaving_in_the_countdown_frees_the_seat_and_stops_it() -> None:
    table = leave_seat(full_table(), 1, 2_000, LIMITS)
    assert table.state == "open"
    assert table.seats[1].kind == "free"
    assert table.starts_at_ms == 0


@pytest.mark.rule("B-fill")
def test_a_bot_may_fill_any_empty_seat_and_be_taken_away_again() -> None:
    table = fill_with_bots(seated(empty_table(), 2), 0, 0, LIMITS)
    assert [(seat.kind, seat.level) for seat in table.seats] == [
        ("bot", 3),
        ("bot", 3),
        ("human", 0),
        ("bot", 3),
    ]
    assert len({seat.name for seat in table.seats}) == 4
    assert set_bot(table, 0, 5, 0, LIMITS).seats[0].level == 5
    without = set_bot(table, 0, 0, 0, LIMITS)
    assert without.state == "open"
    assert without.seats[0].kind == "free"
    with refused("bad_level"):
        set_bot(without, 0, 6, 0, LIMITS)


def test_presence_is_news_only_when_it_changes() -> None:
    table = seated(empty_table(), 0)
    assert hear(table, 0, True, 5) is table
    gone = hear(table, 0, False, 5)
    assert not gone.seats[0].online
    assert hear(gone, 0, False, 9) is gone
    assert hear(table, 1, True, 5) is table
    assert hear(table, 9, True, 5) is table


@given(
    st.lists(
        st.tuples(st.sampled_from(["take", "leave", "bot", "no_bot"]), st.integers(0, 4), st.integers(0, 5)),
        max_size=40,
    )
)
def test_whatever_is_done_a_countdown_runs_exactly_when_all_seats_are_taken(
    steps: list[tuple[str, int, int]],
) -> None:
    table = empty_table()
    for now_ms, (what, seat, guest) in enumerate(steps):
        before = table
        try:
            table = step(table, what, seat, guest, now_ms)
        except (Refusal, IndexError):
            assert table is before
        assert (table.state == "countdown") == table.full
        owners = [seat.guest_id for seat in table.seats if seat.kind == "human"]
        assert len(owners) == len(set(owners))
        assert all(bool(seat.guest_id) == (seat.kind == "human") for seat in table.seats)


def step(table: Table, what: str, seat: int, guest: int, now_ms: int) -> Table:
    if what == "take":
        return take_seat(table, seat, f"g{guest}", "Name", now_ms, LIMITS)
    if what == "leave":
        return leave_seat(table, seat, now_ms, LIMITS)
    return set_bot(table, seat, 3 if what == "bot" else 0, now_ms, LIMITS)
