"""Decisions that are no moves: draws, aborts, leaving, deadlines, presence."""

from __future__ import annotations

import pytest

from services.game.commands import DeadlineCommand, GestureName, PresenceCommand
from services.game.decide import decide
from services.game.match import Match
from tests.unit.game.kit import (
    LIMITS,
    after,
    fog,
    gesture,
    gesture_refusal,
    played,
    refusal,
    tandem,
)

TWO_ON_A = "A:e2e4 A:e7e5"
OPENING = f"{TWO_ON_A} B:e2e4 B:d7d5"


def ending(match: Match) -> tuple[int | None, str] | None:
    return (match.outcome.winner, match.outcome.reason) if match.outcome else None


def agreed(match: Match, *words: tuple[int, GestureName]) -> Match:
    for seat, name in words:
        match = gesture(match, seat, name).match
    return match


@pytest.mark.rule("T-end")
@pytest.mark.scenario("T11")
@pytest.mark.parametrize(("seat", "winner"), [(0, 2), (1, 1), (2, 1), (3, 2)])
def test_one_player_resigning_or_leaving_loses_for_the_team(seat: int, winner: int) -> None:
    match = played(tandem(), OPENING)
    assert ending(gesture(match, seat, "resign").match) == (winner, "resignation")
    assert ending(gesture(match, seat, "leave").match) == (winner, "leaving")
    flagged = decide(match, DeadlineCommand("flag", seat), LIMITS).match
    assert ending(flagged) == (winner, "time")
    left = decide(match, DeadlineCommand("leave", seat), LIMITS).match
    assert ending(left) == (winner, "leaving")


@pytest.mark.rule("T-abort")
@pytest.mark.scenario("K07")
def test_abort_is_possible_until_either_board_has_had_its_second_move() -> None:
    for line in ("", "A:e2e4", "A:e2e4 B:e2e4"):
        match = played(tandem(), line)
        assert ending(gesture(match, 3, "abort").match) == (None, "aborted")
        assert ending(gesture(match, 3, "leave").match) == (None, "aborted")
        left = decide(match, DeadlineCommand("leave", 3), LIMITS).match
        assert ending(left) == (None, "aborted")
    assert gesture_refusal(played(tandem(), TWO_ON_A), 2, "abort") == "abort_gone"
    assert gesture_refusal(played(tandem(), "B:e2e4 B:e7e5"), 0, "abort") == "abort_gone"
    assert gesture_refusal(played(fog(), TWO_ON_A), 0, "abort") == "abort_gone"


@pytest.mark.rule("T-clock")
def test_a_flag_before_any_move_means_that_nobody_played() -> None:
    fallen = DeadlineCommand("flag", 0)
    assert ending(after(tandem(), fallen)) == (None, "nobody_played")
    assert ending(after(played(tandem(), "B:e2e4"), fallen)) == (2, "time")


@pytest.mark.rule("T-abort")
def test_bots_neither_abort_nor_leave() -> None:
    match = tandem(bots=frozenset({1, 2, 3}))
    assert gesture_refusal(match, 1, "abort") == "not_for_bots"
    assert gesture_refusal(match, 1, "leave") == "not_for_bots"


@pytest.mark.rule("T-draw")
def test_a_draw_needs_every_human() -> None:
    match = agreed(played(tandem(), OPENING), (0, "offer_draw"), (1, "accept_draw"), (2, "accept_draw"))
    assert ending(match) is None
    assert match.agreed == (0, 1, 2)
    decision = gesture(match, 3, "accept_draw")
    assert ending(decision.match) == (None, "agreement")
    assert (decision.event.draw.seat, decision.event.draw.what) == (3, "accept")


@pytest.mark.rule("T-draw")
def test_bots_are_not_asked_and_one_human_is_enough() -> None:
    match = tandem(bots=frozenset({1, 2, 3}))
    assert ending(agreed(match, (0, "offer_draw"))) == (None, "agreement")
    assert gesture_refusal(match, 1, "offer_draw") == "not_for_bots"
    two = agreed(tandem(bots=frozenset({1, 2})), (0, "offer_draw"))
    assert ending(two) is None
    assert ending(agreed(two, (3, "offer_draw"))) == (None, "agreement")


@pytest.mark.rule("T-draw")
def test_any_human_may_decline_and_so_end_the_offer() -> None:
    match = agreed(tandem(), (0, "offer_draw"), (1, "accept_draw"), (3, "decline_draw"))
    assert match.agreed == ()
    assert gesture_refusal(match, 1, "accept_draw") == "no_offer"
    assert gesture_refusal(match, 1, "decline_draw") == "no_offer"


@pytest.mark.rule("T-draw")
def test_a_move_by_its_maker_ends_the_offer_and_no_other_move_does() -> None:
    match = agreed(played(tandem(), OPENING), (0, "offer_draw"), (3, "accept_draw"))
    match = played(match, "B:e4d5 B:d8d5")
    assert match.agreed == (0, 3)
    assert played(match, "A:g1f3").agreed == ()


@pytest.mark.rule("T-draw")
def test_a_player_offers_again_only_after_two_more_moves() -> None:
    match = agreed(tandem(), (0, "offer_draw"))
    assert gesture_refusal(match, 0, "offer_draw") == "offer_stands"
    assert gesture_refusal(match, 0, "accept_draw") == "offer_stands"
    match = played(match, "A:e2e4")
    assert gesture_refusal(match, 0, "offer_draw") == "offer_too_soon"
    match = played(match, "A:e7e5")
    assert gesture_refusal(match, 0, "offer_draw") == "offer_too_soon"
    match = played(match, "A:g1f3")
    assert gesture_refusal(match, 0, "offer_draw") == "accepted"


@pytest.mark.rule("T-draw")
def test_two_more_moves_are_also_two_when_the_offer_was_made_on_the_others_turn() -> None:
    match = agreed(played(tandem(), "A:e2e4"), (0, "offer_draw"), (1, "decline_draw"))
    match = played(match, "A:e7e5 A:g1f3 A:b8c6")
    assert gesture_refusal(match, 0, "offer_draw") == "offer_too_soon"
    assert gesture_refusal(played(match, "A:f1c4"), 0, "offer_draw") == "accepted"


@pytest.mark.rule("T-draw")
def test_an_offline_human_has_not_agreed() -> None:
    match = agreed(tandem(), (0, "offer_draw"), (1, "accept_draw"), (2, "accept_draw"))
    match = after(match, PresenceCommand(1, False))
    assert match.agreed == (0, 2)
    match = agreed(match, (3, "accept_draw"))
    assert ending(match) is None
    match = after(match, PresenceCommand(1, True))
    assert ending(agreed(match, (1, "accept_draw"))) == (None, "agreement")


@pytest.mark.rule("T-draw")
def test_an_offer_goes_with_its_maker() -> None:
    match = agreed(tandem(), (0, "offer_draw"), (1, "accept_draw"))
    assert after(match, PresenceCommand(0, False)).agreed == ()


@pytest.mark.rule("F-draw")
def test_in_fog_the_bot_is_asked_and_answers_by_itself() -> None:
    match = agreed(fog(bots=frozenset({1})), (0, "offer_draw"))
    assert ending(match) is None
    assert ending(agreed(match, (1, "accept_draw"))) == (None, "agreement")
    assert agreed(match, (1, "decline_draw")).agreed == ()


@pytest.mark.rule("F-spectators")
def test_in_fog_spectators_learn_of_no_offer_and_no_presence_but_of_the_end() -> None:
    offer = gesture(fog(), 0, "offer_draw")
    assert not offer.is_public
    assert not decide(fog(), PresenceCommand(0, False), LIMITS).is_public
    assert gesture(offer.match, 1, "accept_draw").is_public
    assert gesture(offer.match, 1, "resign").is_public
    assert gesture(tandem(), 0, "offer_draw").is_public


@pytest.mark.rule("T-leave")
def test_going_offline_sets_the_limit_and_coming_back_takes_it_away() -> None:
    gone = decide(tandem(), PresenceCommand(2, False), LIMITS)
    assert gone.leaves_ms == {2: 60_000}
    assert not gone.match.players[2].online
    assert gone.event.presence.seat == 2
    back = decide(gone.match, PresenceCommand(2, True), LIMITS)
    assert back.leaves_ms == {2: None}
    assert back.match.players[2].online
    assert decide(fog(clocked=False), PresenceCommand(1, False), LIMITS).leaves_ms == {1: 600_000}


@pytest.mark.rule("F-win")
def test_a_game_that_nobody_touches_ends_without_a_result() -> None:
    match = after(played(fog(clocked=False), TWO_ON_A), DeadlineCommand("idle", -1))
    assert ending(match) == (None, "idle")


def test_the_end_takes_a_standing_offer_with_it() -> None:
    match = agreed(tandem(), (0, "offer_draw"))
    assert after(match, DeadlineCommand("flag", 2)).agreed == ()
    assert refusal(after(match, DeadlineCommand("flag", 2)), DeadlineCommand("flag", 0)) == "over"
