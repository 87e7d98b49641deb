"""The verdict sees what it is there to see: each planted fault is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.chaos.tables import Acknowledged, Fall
from tests.chaos.verdict import (
    MUST_BE_ZERO,
    Fault,
    are_unequal,
    is_unjust,
    is_well,
    lost_and_twice,
    recovered_late,
    waits,
)

MADE = [Acknowledged("A", 0, "e2e4", 1.0, 1.1), Acknowledged("B", 0, "d2d4", 2.0, 2.1)]
KEPT = [{"board": "A", "ply": 1, "uci": "e2e4"}, {"board": "B", "ply": 1, "uci": "d2d4"}]
STOP = Fault("stop all gateways", 100.0, 125.0, closed_s=20.0, open_at=124.0)


def test_a_lost_a_changed_and_a_doubled_move_are_counted() -> None:
    assert lost_and_twice(MADE, KEPT) == (0, 0)
    assert lost_and_twice(MADE, KEPT[:1]) == (1, 0)
    assert lost_and_twice(MADE, [KEPT[0], {**KEPT[1], "uci": "e2e4"}]) == (1, 0)
    assert lost_and_twice(MADE, [*KEPT, KEPT[0]]) == (0, 1)


@pytest.mark.rule("T-outage")
def test_a_flag_before_its_time_or_in_a_stop_is_unjust() -> None:
    just = Fall("time", due_at=110.0, gaps_s=24.0, seen_at=134.5)
    assert not is_unjust(just, [STOP])
    assert is_unjust(replace(just, seen_at=125.0), [STOP]), "the gap was recorded and charged all the same"
    assert is_unjust(replace(just, gaps_s=0.0, seen_at=126.0), [STOP]), "fell while nobody could move"
    assert not is_unjust(replace(just, due_at=99.0, gaps_s=0.0, seen_at=99.2), [STOP])
    assert is_unjust(replace(just, due_at=100.6, gaps_s=0.0, seen_at=101.0), [STOP]), "when all had just hung"
    early = replace(just, due_at=100.5, gaps_s=23.0, seen_at=124.0)
    assert not is_unjust(early, [STOP]), "one gateway was there again"


def test_boards_whose_clocks_have_run_differently_are_seen() -> None:
    assert not are_unequal({"remaining_ms": [900, 1000, 1000, 900]}, 1000, 10)
    assert are_unequal({"remaining_ms": [500, 9000, 9000, 9000]}, 10_000, 10)


def test_a_wait_counts_from_the_end_of_the_fault() -> None:
    kill = Fault("kill -9 game", 50.0, 50.0)
    slow = [Acknowledged("A", 0, "e2e4", 49.9, 52.0), Acknowledged("A", 1, "e7e5", 99.0, 126.5)]
    assert waits(slow, [kill, STOP]) == {"kill -9 game": 2.0, "stop all gateways": 1.5}


def test_play_that_goes_on_late_after_the_end_of_one_process_is_counted_and_of_many_is_not() -> None:
    assert recovered_late({"kill -9 game": 3.0, "stop store": 9.0}) == 0
    assert recovered_late({"kill -9 game": 3.1, "kill -9 bots": 4.0}) == 2


@pytest.mark.parametrize("wrong", MUST_BE_ZERO)
def test_each_thing_that_must_be_zero_decides_alone_and_nothing_played_is_no_proof(wrong: str) -> None:
    good = dict.fromkeys(MUST_BE_ZERO, 0) | {"moves_acknowledged": 100}
    assert is_well(good)
    assert not is_well(good | {wrong: 1})
    assert not is_well(good | {"moves_acknowledged": 0})
