"""Agreeing to a rematch (B-rematch)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.matchmaking.life import due_at, tick
from services.matchmaking.rematch import next_table, next_table_made, set_rematch
from services.matchmaking.table import Table, hear
from services.matchmaking.terms import Variant
from tests.unit.matchmaking.builders import LIMITS, NEXT_ID, full_table, refused

pytestmark = pytest.mark.rule("B-rematch")


def finished(people: int = 4, variant: Variant = "tandem") -> Table:
    return replace(full_table(people, variant), state="started", over=True)


def agree(table: Table, seat: int, now_ms: int = 0, rotate: bool = False, agreeing: bool = True) -> Table:
    return set_rematch(table, seat, agreeing, rotate, NEXT_ID, now_ms, LIMITS)


def test_the_last_of_the_people_makes_the_rematch_and_bots_are_not_asked() -> None:
    table = agree(finished(people=2), 0)
    assert not table.rematch.next_table_id
    table = agree(table, 1, now_ms=59_999)
    assert table.rematch.next_table_id == NEXT_ID
    following = next_table(table, 60_000, LIMITS)
    assert following.state == "countdown"
    assert following.starts_at_ms == 63_000
    assert [seat.kind for seat in following.seats] == ["human", "human", "bot", "bot"]
    assert [seat.guest_id for seat in following.seats] == [seat.guest_id for seat in table.seats]


def test_an_offer_ends_sixty_seconds_after_the_first_agreement() -> None:
    table = agree(finished(people=2), 0)
    assert tick(table, {}, 59_999, LIMITS) is table
    assert not tick(table, {}, 60_000, LIMITS).rematch.agreed
    # Also when nobody has noticed yet: the late one opens a new offer.
    late = agree(table, 1, now_ms=60_000)
    assert late.rematch.agreed == (1,)
    assert late.rematch.ends_at_ms == 120_000


def test_an_offer_ends_when_somebody_leaves() -> None:
    table = agree(agree(finished(people=3), 0), 1)
    assert not agree(table, 2, agreeing=False).rematch.agreed
    untouched = finished()
    assert agree(untouched, 0, agreeing=False) is untouched


def test_seats_rotate_only_if_every_person_chose_that() -> None:
    names = [seat.name for seat in finished(people=2).seats]
    table = agree(agree(finished(people=2), 0, rotate=True), 1, rotate=False)
    assert [seat.name for seat in next_table(table, 0, LIMITS).seats] == names
    table = agree(agree(finished(people=2), 0, rotate=True), 1, rotate=True)
    assert [seat.name for seat in next_table(table, 0, LIMITS).seats] == [names[3], *names[:3]]


def test_fog_swaps_colours() -> None:
    table = agree(finished(people=1, variant="fog"), 0)
    assert [seat.kind for seat in next_table(table, 0, LIMITS).seats] == ["bot", "human"]


def test_no_rematch_while_the_match_runs_nor_for_a_bot() -> None:
    with refused("no_rematch"):
        agree(replace(finished(), over=False), 0)
    with refused("not_your_seat"):
        agree(finished(people=1), 1)
    with refused("not_your_seat"):
        agree(finished(people=0), 0)


def test_an_agreed_rematch_stays_agreed_and_is_told_once_its_table_is_there() -> None:
    table = agree(finished(people=1), 0)
    assert agree(table, 0, agreeing=False) is table
    made = next_table_made(table)
    assert made.rematch.made
    assert next_table_made(made) is made


def test_it_starts_when_all_people_have_come_and_waits_no_longer_than_for_any_absent() -> None:
    table = agree(agree(finished(people=2), 0), 1)
    waiting = hear(next_table(table, 0, LIMITS), 0, True, 100)
    assert tick(waiting, {0: 29_000}, 29_999, LIMITS) is waiting
    assert due_at(waiting, {0: 29_000}, 5_000, LIMITS, 1_000) == 30_000
    both = hear(waiting, 1, True, 200)
    assert tick(both, {}, 2_999, LIMITS) is both
    assert tick(both, {}, 3_000, LIMITS).state == "starting"
    without = tick(waiting, {0: 29_000}, 30_000, LIMITS)
    assert (without.state, [seat.kind for seat in without.seats]) == ("open", ["human", "free", "bot", "bot"])


def test_on_one_device_nobody_is_waited_for() -> None:
    table = finished(people=2, variant="fog")
    table = agree(replace(table, terms=replace(table.terms, curtain=True)), 0)
    assert tick(next_table(table, 0, LIMITS), {}, 0, LIMITS).state == "starting"
