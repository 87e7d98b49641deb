"""Two people on one device: the curtain between their turns (F-curtain)."""

from __future__ import annotations

import pytest

from services.game.commands import GestureName, LiftCommand, MoveCommand
from services.game.decide import decide
from services.game.match import Match, match_of, raw_state
from tests.unit.game.kit import (
    LIMITS,
    after,
    fog,
    gesture,
    gesture_refusal,
    one_device,
    refusal,
    tandem,
)

pytestmark = pytest.mark.rule("F-curtain")


def lift(seat: int, ply: int) -> LiftCommand:
    return LiftCommand(seat, False, ply)


def move(seat: int, ply: int, uci: str) -> MoveCommand:
    return MoveCommand(seat, False, 0, ply, uci)


def turns(match: Match, *moves: str) -> Match:
    """The match after moves, each by whoever lifts the curtain before it."""
    for uci in moves:
        seat, ply = match.turn(0), match.plies[0]
        match = after(match, lift(seat, ply), move(seat, ply, uci))
    return match


def test_the_curtain_is_down_at_the_start_and_after_each_move() -> None:
    match = one_device()
    assert match.curtain_is_down
    match = after(match, lift(0, 0))
    assert not match.curtain_is_down
    match = after(match, move(0, 0, "e2e4"))
    assert match.curtain_is_down
    assert not after(match, lift(1, 1)).curtain_is_down


def test_no_move_is_made_behind_the_curtain() -> None:
    assert refusal(one_device(), move(0, 0, "e2e4")) == "curtain_down"
    match = turns(one_device(), "e2e4")
    assert refusal(match, move(1, 1, "e7e5")) == "curtain_down"
    assert refusal(match, move(0, 1, "d2d4")) == "not_your_turn"
    assert refusal(match, move(0, 0, "d2d4")) == "stale"


def test_what_is_behind_the_curtain_changes_no_refusal() -> None:
    match = one_device()
    refusals = {refusal(match, move(0, 0, uci)) for uci in ("e2e4", "e2e5", "e7e5", "nonsense")}
    assert refusals == {"curtain_down"}


def test_a_lift_is_an_event_that_starts_the_clock_of_who_lifts() -> None:
    decision = decide(turns(one_device(), "e2e4"), lift(1, 1), LIMITS)
    assert (decision.lifted, decision.pressed) == (1, None)
    assert decision.event.lifted.ply == 1
    assert decision.is_public
    assert decision.match.version == decision.event.version == 4


@pytest.mark.parametrize(
    ("seat", "ply", "reason"),
    [(0, 1, "not_your_turn"), (1, 0, "stale"), (1, 2, "stale"), (0, 0, "stale"), (2, 1, "not_your_seat")],
)
def test_only_the_side_to_move_lifts_and_only_for_this_move(seat: int, ply: int, reason: str) -> None:
    assert refusal(turns(one_device(), "e2e4"), lift(seat, ply)) == reason


def test_the_curtain_is_lifted_once_and_only_where_there_is_one() -> None:
    assert refusal(after(one_device(), lift(0, 0)), lift(0, 0)) == "curtain_up"
    assert refusal(fog(), lift(0, 0)) == "no_curtain"
    assert refusal(tandem(), lift(0, 0)) == "no_curtain"


@pytest.mark.parametrize("name", ["resign", "abort", "leave", "offer_draw", "accept_draw", "decline_draw"])
def test_behind_the_curtain_nobody_acts(name: GestureName) -> None:
    assert gesture_refusal(one_device(), 0, name) == "curtain_down"
    assert gesture_refusal(one_device(), 1, name) == "not_your_turn"


def test_who_has_lifted_may_resign_leave_or_abort() -> None:
    match = after(turns(one_device(), "e2e4"), lift(1, 1))
    assert gesture_refusal(match, 0, "resign") == "not_your_turn"
    endings: tuple[tuple[GestureName, int | None], ...] = (("resign", 1), ("leave", None), ("abort", None))
    for name, winner in endings:
        outcome = gesture(match, 1, name).match.outcome
        assert outcome is not None
        assert outcome.winner == winner


@pytest.mark.rule("F-draw")
def test_an_offer_goes_with_the_move_and_is_answered_after_the_lift() -> None:
    match = gesture(after(one_device(), lift(0, 0)), 0, "offer_draw").match
    match = after(match, move(0, 0, "e2e4"), lift(1, 1))
    assert match.agreed == (0,)
    agreed = gesture(match, 1, "accept_draw").match.outcome
    assert agreed is not None
    assert agreed.reason == "agreement"
    assert gesture(match, 1, "decline_draw").match.agreed == ()


@pytest.mark.rule("F-draw")
def test_an_offer_that_is_not_answered_falls_with_its_makers_next_move() -> None:
    match = gesture(after(one_device(), lift(0, 0)), 0, "offer_draw").match
    match = turns(after(match, move(0, 0, "e2e4")), "e7e5")
    assert match.agreed == (0,)
    match = after(match, lift(0, 2))
    assert gesture_refusal(match, 0, "offer_draw") == "offer_stands"
    assert after(match, move(0, 2, "d2d4")).agreed == ()


@pytest.mark.parametrize("clocked", [True, False])
def test_an_abandoned_match_is_given_up_in_the_end(clocked: bool) -> None:
    match = after(one_device(clocked), lift(0, 0))
    assert decide(match, move(0, 0, "e2e4"), LIMITS).idle_ms == LIMITS.idle_ms
    assert decide(fog(), move(0, 0, "e2e4"), LIMITS).idle_ms is None


def test_the_curtain_is_kept_with_the_match() -> None:
    for match in (one_device(), turns(one_device(), "e2e4"), fog()):
        assert match_of(raw_state(match)).lifts == match.lifts
