"""A table for two people on one device (F-curtain)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.matchmaking.curtain import seat_two, two_names
from services.matchmaking.life import due_at, tick
from services.matchmaking.rematch import next_table, set_rematch
from services.matchmaking.table import Table, leave_seat, new_table, set_bot, take_seat
from services.matchmaking.terms import Clock, Profile, Terms, Variant, agree_terms
from tests.unit.matchmaking.builders import LIMITS, NEXT_ID, TABLE_ID, refused

pytestmark = pytest.mark.rule("F-curtain")


def table_of_two(now_ms: int = 0) -> Table:
    terms = agree_terms("fog", None, None, public=False, curtain=True)
    table = new_table(TABLE_ID, "maker", terms, now_ms, LIMITS)
    return seat_two(table, "maker", ("Kari", "Ola"), now_ms)


def test_both_seats_are_the_makers_and_the_match_starts_at_once() -> None:
    table = table_of_two(1_000)
    assert [(seat.kind, seat.name, seat.guest_id) for seat in table.seats] == [
        ("human", "Kari", "maker"),
        ("human", "Ola", "maker"),
    ]
    assert due_at(table, {}, 1_000, LIMITS, 5_000) == 1_000
    assert tick(table, {}, 1_000, LIMITS).state == "starting"


def test_nobody_else_sits_down_and_no_computer_does() -> None:
    table = table_of_two()
    with refused("no_free_seat"):
        take_seat(table, None, "other", "Eve", 0, LIMITS)
    with refused("seat_taken"):
        take_seat(table, 1, "other", "Eve", 0, LIMITS)
    with refused("seat_taken"):
        set_bot(table, 1, 3, 0, LIMITS)


def test_a_seat_that_is_given_back_before_the_start_closes_the_table() -> None:
    table = leave_seat(table_of_two(), 0, 0, LIMITS)
    assert (table.state, table.reason) == ("closed", "player_left")


@pytest.mark.parametrize(
    ("variant", "profile", "public"),
    [("tandem", None, False), ("tandem", "club", False), ("fog", None, True)],
)
def test_a_curtain_hangs_at_unlisted_fog_tables_only(
    variant: Variant, profile: Profile | None, public: bool
) -> None:
    with refused("curtain_not_combinable"):
        agree_terms(variant, profile, None, public, curtain=True)


def test_with_a_clock_or_without_one() -> None:
    assert table_of_two().terms == Terms("fog", None, None, False, curtain=True)
    clock = Clock(60_000, 0)
    assert agree_terms("fog", None, clock, False, curtain=True).clock == clock


def test_names_are_made_up_for_those_who_gave_none() -> None:
    assert two_names(["Kari", " "], 7) == ("Kari", "Guest 108")
    assert two_names([], 7) == ("Guest 107", "Guest 108")
    for wrong in (["Kari"], ["a", "b", "c"]):
        with refused("bad_request"):
            two_names(wrong, 0)
    with refused("bad_name"):
        two_names(["Kari", "x" * 21], 0)


@pytest.mark.rule("B-rematch")
def test_one_word_on_a_rematch_stands_for_both_and_colours_are_swapped() -> None:
    over = replace(table_of_two(), state="started", over=True)
    table = set_rematch(over, 1, True, False, NEXT_ID, 5_000, LIMITS)
    assert table.rematch.agreed == (0, 1)
    following = next_table(table, 5_000, LIMITS)
    assert [seat.name for seat in following.seats] == ["Ola", "Kari"]
    assert {seat.guest_id for seat in following.seats} == {"maker"}
    assert following.terms.curtain
    assert following.starts_at_ms == 5_000
