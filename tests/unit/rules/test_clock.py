"""The clock's arithmetic (T-clock, T-lag)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.rules.clock import Clock, Deadline, DeadlineKind, LagTracker, earliest

SECOND = 1_000_000
START = Clock.start(2, 180 * SECOND, 0)


@pytest.mark.rule("T-clock")
def test_at_the_start_both_boards_white_clocks_run() -> None:
    assert START.running == (0, 2)
    assert START.read(5 * SECOND) == (175 * SECOND, 180 * SECOND, 175 * SECOND, 180 * SECOND)


@pytest.mark.rule("T-clock")
def test_a_press_charges_the_mover_and_starts_the_other_side() -> None:
    clock = START.press(0, 4 * SECOND).press(0, 10 * SECOND)
    assert clock.running == (0, 2)
    assert clock.read(10 * SECOND) == (176 * SECOND, 174 * SECOND, 170 * SECOND, 180 * SECOND)


@pytest.mark.rule("T-clock")
def test_the_increment_is_added_after_the_move() -> None:
    clock = Clock.start(1, 60 * SECOND, 2 * SECOND).press(0, 5 * SECOND)
    assert clock.read(5 * SECOND) == (57 * SECOND, 60 * SECOND)


@pytest.mark.rule("T-lag")
def test_lag_is_credited_after_the_move_and_never_more_than_the_move_took() -> None:
    assert START.press(0, 2 * SECOND, 300_000).remaining_us[0] == 178_300_000
    assert START.press(0, 100_000, 300_000).remaining_us[0] == 180 * SECOND


@pytest.mark.rule("T-lag")
def test_a_running_deadline_does_not_move_for_lag() -> None:
    assert START.flags()[0].at_us == 180 * SECOND
    pressed = START.press(0, 2 * SECOND, 300_000)
    assert pressed.flags()[0] == Deadline(182 * SECOND, 0, DeadlineKind.FLAG, 1)


def test_stopped_clocks_stand_as_they_were() -> None:
    clock = START.press(1, 3 * SECOND).stop(10 * SECOND)
    assert clock.running == (None, None)
    assert clock.read(99 * SECOND) == (170 * SECOND, 180 * SECOND, 177 * SECOND, 173 * SECOND)
    with pytest.raises(ValueError, match="nobody's clock"):
        clock.press(0, 11 * SECOND)


def test_a_press_before_the_clock_started_is_an_error() -> None:
    with pytest.raises(ValueError, match="nobody's clock"):
        START.press(0, 5 * SECOND).press(0, 4 * SECOND)


@pytest.mark.scenario("K03")
def test_the_earliest_deadline_decides_and_board_a_on_an_exact_tie() -> None:
    assert earliest(START, {}, None) == Deadline(180 * SECOND, 0, DeadlineKind.FLAG, 0)
    later = START.press(0, 1)
    assert earliest(later, {}, None) == Deadline(180 * SECOND, 1, DeadlineKind.FLAG, 2)


@pytest.mark.rule("T-leave")
def test_a_leave_limit_is_a_deadline_in_the_same_order() -> None:
    assert earliest(START, {3: 60 * SECOND}, None) == Deadline(60 * SECOND, 1, DeadlineKind.LEAVE, 3)
    assert earliest(START, {1: 180 * SECOND}, None) == Deadline(180 * SECOND, 0, DeadlineKind.FLAG, 0)
    assert earliest(START, {3: 180 * SECOND}, None) == Deadline(180 * SECOND, 0, DeadlineKind.FLAG, 0)


@pytest.mark.rule("F-win")
def test_without_a_clock_only_the_limits_of_patience_are_left() -> None:
    assert earliest(None, {}, None) is None
    assert earliest(None, {1: 7}, 9) == Deadline(7, 0, DeadlineKind.LEAVE, 1)
    assert earliest(None, {}, 9) == Deadline(9, 0, DeadlineKind.IDLE, -1)


@pytest.mark.rule("T-lag")
def test_without_a_measurement_there_is_no_credit() -> None:
    tracker = LagTracker()
    assert tracker.credit(None) == (0, tracker)
    assert tracker.credit(-5) == (0, tracker)


@pytest.mark.rule("T-lag")
def test_the_credit_is_capped_per_move_and_drawn_from_a_slowly_refilling_quota() -> None:
    tracker = LagTracker(quota_us=700_000, ceiling_us=700_000, per_move_us=500_000, refill_us=50_000)
    credited = []
    for _ in range(4):
        credit, tracker = tracker.credit(2 * SECOND)
        credited.append(credit)
    assert credited == [500_000, 250_000, 50_000, 50_000]
    for _ in range(100):
        _, tracker = tracker.credit(0)
    assert tracker.quota_us == 700_000


@pytest.mark.rule("T-lag")
@pytest.mark.scenario("K02")
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, SECOND), st.integers(0, SECOND)), max_size=60))
def test_what_the_clocks_of_a_board_lost_is_the_time_since_the_start_less_the_lag_credited(
    moves: list[tuple[int, int, int]],
) -> None:
    clock, now = START, 0
    credited = [0, 0]
    for board, took, lag in moves:
        now += took
        credited[board] += min(lag, now - clock.since_us[board])
        clock = clock.press(board, now, lag)
    left = clock.read(now)
    for board in (0, 1):
        used = 2 * 180 * SECOND - left[2 * board] - left[2 * board + 1]
        assert used + credited[board] == now


@pytest.mark.rule("F-curtain")
def test_behind_the_curtain_nobodys_clock_runs_until_the_lift() -> None:
    clock = Clock.behind_curtain(60 * SECOND, 2 * SECOND)
    assert clock.read(99 * SECOND) == (60 * SECOND, 60 * SECOND)
    assert earliest(clock, {}, None) is None
    with pytest.raises(ValueError, match="nobody's clock"):
        clock.press(0, SECOND)
    clock = clock.lift(0, 100 * SECOND)
    assert clock.flags() == (Deadline(160 * SECOND, 0, DeadlineKind.FLAG, 0),)
    clock = clock.press(0, 105 * SECOND)
    assert clock.read(500 * SECOND) == (57 * SECOND, 60 * SECOND)
    assert clock.lift(1, 500 * SECOND).read(510 * SECOND) == (57 * SECOND, 50 * SECOND)


@pytest.mark.rule("F-curtain")
def test_only_a_curtain_that_is_down_is_lifted() -> None:
    clock = Clock.behind_curtain(60 * SECOND, 0).lift(0, 0)
    for lifted in (clock, Clock.start(1, 60 * SECOND, 0)):
        with pytest.raises(ValueError, match="no curtain"):
            lifted.lift(1, SECOND)
