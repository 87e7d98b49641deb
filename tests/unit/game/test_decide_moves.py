"""Decisions on moves: what is checked in which order, and what a move does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libs.rules.fog import FogGame
from libs.rules.position import Position
from libs.rules.tandem import TandemMatch
from libs.runtime.refusals import Refusal
from services.game.commands import MoveCommand, PresenceCommand
from services.game.decide import decide
from tests.unit.game.kit import LIMITS, after, fog, gesture, move, played, refusal, tandem

OPENING = "A:e2e4 A:e7e5 B:e2e4 B:d7d5"


def test_a_move_is_made_and_told() -> None:
    decision = decide(tandem(), MoveCommand(0, False, 0, 0, "e2e4"), LIMITS)
    assert decision.match.plies == (1, 0)
    assert decision.match.version == decision.event.version == 2
    assert decision.pressed == 0
    assert decision.is_public
    assert (decision.event.moved.ply, decision.event.moved.san) == (1, "e4")


@pytest.mark.rule("T-capture")
def test_a_captured_piece_reaches_the_partner_in_the_same_step() -> None:
    match = played(tandem(), OPENING)
    decision = decide(match, move(match, 1, "e4d5"), LIMITS)
    assert decision.event.moved.captured == "p"
    game = decision.match.game
    assert isinstance(game, TandemMatch)
    assert game.positions[0].hand(1)["P"] == 1


@pytest.mark.rule("B-refuse")
@pytest.mark.parametrize(
    ("seat", "board", "ply", "uci", "reason"),
    [
        (7, 0, 2, "g1f3", "not_your_seat"),
        (0, 1, 2, "g1f3", "wrong_board"),
        (0, 5, 2, "g1f3", "wrong_board"),
        (0, 0, 1, "g1f3", "stale"),
        (0, 0, 3, "g1f3", "stale"),
        (1, 0, 2, "g8f6", "not_your_turn"),
        (0, 0, 2, "e4e6", "illegal_move"),
        (0, 0, 2, "e7e5", "no_piece"),
        (0, 0, 2, "e5e4", "wrong_side"),
        (0, 0, 2, "P@e6", "not_in_hand"),
        (0, 0, 2, "", "bad_uci"),
        (0, 0, 2, "x" * 3000, "bad_uci"),
    ],
)
def test_a_wrong_move_is_refused_by_name(seat: int, board: int, ply: int, uci: str, reason: str) -> None:
    match = played(tandem(), OPENING)
    assert refusal(match, MoveCommand(seat, False, board, ply, uci)) == reason


@pytest.mark.rule("T-drop")
@pytest.mark.scenario("T07")
@pytest.mark.parametrize(
    ("uci", "reason"),
    [
        ("P@e4", "square_occupied"),
        ("P@b1", "pawn_on_last_rank"),
        ("P@a1", "square_occupied"),
        ("Q@e6", "not_in_hand"),
        ("P@e6", "accepted"),
    ],
)
def test_a_drop_is_accepted_or_refused_by_name(uci: str, reason: str) -> None:
    match = played(tandem(), f"{OPENING} B:e4d5 A:b1c3")
    assert refusal(match, move(match, 0, uci)) == reason


def test_a_bot_token_on_a_persons_seat_is_not_that_seat() -> None:
    assert refusal(tandem(), MoveCommand(0, True, 0, 0, "e2e4")) == "not_your_seat"
    assert refusal(tandem(bots=frozenset({0})), MoveCommand(0, False, 0, 0, "e2e4")) == "not_your_seat"


@pytest.mark.scenario("T15")
def test_over_comes_before_everything_else() -> None:
    match = gesture(played(tandem(), OPENING), 1, "resign").match
    for command in (MoveCommand(9, True, 7, 99, "?"), MoveCommand(2, False, 1, 2, "g1f3")):
        assert refusal(match, command) == "over"
    assert refusal(match, PresenceCommand(2, False)) == "over"


@pytest.mark.rule("T-end")
def test_mate_ends_the_match_with_the_move_itself() -> None:
    match = played(tandem(), "A:e2e4 A:e7e5 A:f1c4 A:b8c6 A:d1h5 A:g8f6")
    decision = decide(match, move(match, 0, "h5f7"), LIMITS)
    assert decision.event.moved.san == "Qxf7#"
    assert decision.match.outcome is not None
    assert (decision.match.outcome.winner, decision.match.outcome.reason) == (1, "mate")


@pytest.mark.rule("B-refuse")
@pytest.mark.parametrize("uci", ["e2e5", "e7e5", "a1a5", "Q@e4", "e9e5", "", "zz", "e1g1", "x" * 500])
def test_in_fog_every_refusal_by_the_rules_of_movement_reads_the_same(uci: str) -> None:
    with pytest.raises(Refusal) as refused:
        decide(fog(), MoveCommand(0, False, 0, 0, uci), LIMITS)
    assert (refused.value.reason, refused.value.detail) == ("illegal_move", "That move is not possible.")


def test_in_fog_turn_and_ply_keep_their_names() -> None:
    assert refusal(fog(), MoveCommand(1, False, 0, 0, "e7e5")) == "not_your_turn"
    assert refusal(fog(), MoveCommand(0, False, 0, 1, "e2e4")) == "stale"
    assert refusal(fog(), MoveCommand(2, False, 1, 0, "e2e4")) == "not_your_seat"


@pytest.mark.rule("F-win")
@pytest.mark.scenario("F15")
def test_capturing_the_king_wins() -> None:
    game = FogGame.at(Position.from_fen("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "fog"))
    match = replace(fog(), game=game)
    decision = decide(match, move(match, 0, "e7e8"), LIMITS)
    assert decision.match.outcome is not None
    assert (decision.match.outcome.winner, decision.match.outcome.reason) == (1, "king_captured")
    assert decision.event.moved.san == "Qxe8"


@pytest.mark.rule("F-moves")
def test_a_piece_that_falls_unseen_is_marked() -> None:
    match = played(fog(), "A:e2e4 A:d7d5 A:b1c3")
    decision = decide(match, move(match, 0, "d5e4"), LIMITS)
    assert decision.event.moved.captured == "P"
    assert decision.event.moved.mark in ("", "e4")


def test_only_a_game_without_a_clock_has_an_idle_limit() -> None:
    assert decide(fog(), move(fog(), 0, "e2e4"), LIMITS).idle_ms is None
    match = fog(clocked=False)
    assert decide(match, move(match, 0, "e2e4"), LIMITS).idle_ms == 7 * 24 * 3_600_000


@pytest.mark.rule("T-mate")
def test_the_profile_decides_what_is_mate() -> None:
    boards = Position.from_fen("6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1", "tandem"), Position.start("tandem")
    for profile, outcome in (("online", None), ("club", "mate")):
        match = tandem(profile=profile)
        game = TandemMatch.at(boards, "club" if profile == "club" else "online", (40, 0))
        match = after(replace(match, game=game), MoveCommand(0, False, 0, 40, "a1a8"))
        assert (match.outcome.reason if match.outcome else None) == outcome
        assert match.verdicts[0] == ("mate" if outcome else "waiting")
