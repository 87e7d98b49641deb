"""Fog of War: what is seen, what a move tells, and the ends of a game."""

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError, replace

import pytest

from libs.rules.errors import IllegalMove, MatchOver
from libs.rules.fog import FogGame
from libs.rules.observe import observed, visible
from libs.rules.outcome import FIFTY_MOVES, KING_CAPTURED, NO_MOVES, THREEFOLD, Outcome
from libs.rules.position import Position
from libs.rules.squares import BLACK, WHITE, parse_square, square_name
from tests.unit.rules.data import after, fog

DANCE = ("g1f3", "g8f6", "f3g1", "f6g8")


def played(game: FogGame, *moves: str) -> FogGame:
    for uci in moves:
        game = game.play(uci).game
    return game


def seen(position: Position, side: int) -> set[str]:
    return set(map(square_name, visible(position, side)))


@pytest.mark.rule("F-see")
@pytest.mark.scenario("F02")
def test_an_en_passant_target_and_the_passed_pawn_are_seen() -> None:
    position = fog("4k3/8/8/3pP3/8/8/8/4K3 w - d6")
    assert seen(position, WHITE) == {"d1", "d2", "d5", "d6", "e1", "e2", "e5", "e6", "f1", "f2"}
    assert position.is_legal("e5d6")


@pytest.mark.rule("F-see")
@pytest.mark.scenario("F03")
def test_the_passed_pawn_is_seen_for_that_turn_only() -> None:
    position = after(fog("4k3/8/8/3pP3/8/8/8/4K3 w - d6"), "e1e2")
    assert seen(position, WHITE).isdisjoint({"d5", "d6"})
    assert seen(after(position, "e8e7"), WHITE).isdisjoint({"d5", "d6"})


@pytest.mark.rule("F-see")
def test_en_passant_is_seen_whatever_it_does_to_the_own_king() -> None:
    position = fog("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2")
    assert {"d5", "d6"} <= seen(position, WHITE)
    assert position.is_legal("e5d6")


@pytest.mark.rule("F-see")
def test_the_side_that_made_the_double_step_sees_nothing_of_it() -> None:
    position = fog("4k3/8/8/3pP3/8/8/8/4K3 w - d6")
    # Black sees the square ahead of the pawn on d5, not the white pawn beside it.
    assert "e5" not in seen(position, BLACK)


@pytest.mark.rule("F-see")
@pytest.mark.scenario("F05")
def test_a_pawn_sees_ahead_and_what_it_could_take() -> None:
    open_game = played(FogGame.start(), "e2e4", "e7e5").position
    assert len(seen(open_game, WHITE)) == 34
    assert seen(open_game, WHITE).isdisjoint({"e5", "d5", "f5"})
    centre = played(FogGame.start(), "e2e4", "d7d5").position
    assert len(seen(centre, WHITE)) == 36
    assert {"d5", "e5"} <= seen(centre, WHITE)
    assert "f5" not in seen(centre, WHITE)


@pytest.mark.rule("F-secret")
@pytest.mark.scenario("F01")
def test_a_hidden_piece_and_an_empty_foggy_square_answer_alike() -> None:
    """Positions that look the same to White have the same white moves, and refusals in the same words."""
    there, gone = fog("r3k3/8/8/8/8/8/P7/4K3 w - -"), fog("4k3/8/8/8/8/8/P7/4K3 w - -")
    assert observed(there, WHITE) == observed(gone, WHITE)
    assert there.legal_moves() == gone.legal_moves()
    assert there.destinations() == gone.destinations()
    told = []
    for position in (there, gone):
        with pytest.raises(IllegalMove) as refused:
            position.play("a8a7")
        told.append((refused.value.args, str(refused.value)))
    assert told[0] == told[1]


@pytest.mark.rule("F-win")
@pytest.mark.scenario("F15")
def test_taking_the_king_wins_at_once_and_nothing_spoke_of_check() -> None:
    game = FogGame.at(fog("4k3/4Q3/8/8/8/8/8/4K3 w - -"))
    assert game.position.verdict() == "normal"
    assert not game.position.in_check()
    step = game.play("e7e8")
    assert step.game.outcome == Outcome(1, KING_CAPTURED)
    assert (step.captured, step.san) == ("k", "Qxe8")
    assert step.game.position.verdict() == "king_captured"
    assert step.game.position.legal_moves() == ()
    with pytest.raises(MatchOver):
        step.game.play("e8e7")


@pytest.mark.rule("F-win")
@pytest.mark.scenario("F15")
def test_adjacent_kings_may_take_each_other() -> None:
    game = FogGame.at(fog("8/8/8/3k4/3K4/8/8/8 b - -"))
    assert game.play("d5d4").game.outcome == Outcome(2, KING_CAPTURED)


@pytest.mark.rule("F-nocheck")
@pytest.mark.scenario("F17")
@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        pytest.param("4k3/8/8/8/8/8/5r2/4K2R w K -", "e1g1", id="through"),
        pytest.param("4k3/8/8/8/4r3/8/8/4K2R w K -", "e1g1", id="out of"),
        pytest.param("4k3/8/8/8/6r1/8/8/4K2R w K -", "e1g1", id="into"),
        pytest.param("r3k3/8/8/8/3R4/8/8/4K3 b q -", "e8c8", id="long through"),
    ],
)
def test_castling_out_of_through_and_into_attack_is_legal(fen: str, uci: str) -> None:
    assert fog(fen).is_legal(uci)


@pytest.mark.rule("F-nocheck")
def test_castling_still_needs_empty_squares_and_the_right() -> None:
    assert not fog("4k3/8/8/8/8/8/8/4KB1R w K -").is_legal("e1g1")
    assert not fog("4k3/8/8/8/8/8/8/Rn2K3 w Q -").is_legal("e1c1")
    assert not fog("4k3/8/8/8/8/8/8/4K2R w - -").is_legal("e1g1")


@pytest.mark.rule("F-moves")
def test_a_capture_marks_the_square_that_its_victim_does_not_see() -> None:
    step = FogGame.at(fog("4k3/8/8/3q4/4P3/8/8/4K3 w - -")).play("e4d5")
    # Black sees nothing of d5 once the queen is gone.
    assert (step.captured, step.mark) == ("q", parse_square("d5"))
    guarded = FogGame.at(fog("4k3/8/4p3/3q4/4P3/8/8/4K3 w - -")).play("e4d5")
    assert (guarded.captured, guarded.mark) == ("q", None)
    assert FogGame.start().play("e2e4").mark is None


@pytest.mark.rule("F-moves")
def test_en_passant_marks_the_square_where_the_pawn_stood() -> None:
    step = FogGame.at(fog("4k3/8/8/3pP3/8/8/8/4K3 w - d6")).play("e5d6")
    assert (step.capture_square, step.mark) == (parse_square("d5"), parse_square("d5"))


@pytest.mark.rule("F-moves")
@pytest.mark.scenario("F18")
def test_a_promotion_is_unknown_until_the_piece_is_seen() -> None:
    before = FogGame.at(fog("1r5k/P7/8/8/8/8/8/K7 w - -"))
    queen, knight = (before.play(uci).game.position for uci in ("a7a8q", "a7a8n"))
    # The rook on b8 sees a8: the real kind, and no promoted mark.
    assert observed(queen, BLACK).pieces[parse_square("a8")] == "Q"
    assert observed(knight, BLACK).pieces[parse_square("a8")] == "N"
    hidden = FogGame.at(fog("7k/P7/8/8/8/8/8/K7 w - -"))
    views = [observed(hidden.play(uci).game.position, BLACK) for uci in ("a7a8q", "a7a8r", "a7a8n")]
    assert views[0] == views[1] == views[2]
    assert "~" not in queen.fen()


@pytest.mark.rule("F-draw")
@pytest.mark.scenario("F16")
def test_bare_kings_do_not_draw_but_repetition_does_and_the_start_counts() -> None:
    game = FogGame.at(fog("k7/8/8/8/8/8/8/K7 w - -"))
    assert game.outcome is None
    game = played(game, "a1b1", "a8b8", "b1a1", "b8a8", "a1b1", "a8b8", "b1a1")
    assert game.outcome is None
    assert played(game, "b8a8").outcome == Outcome(None, THREEFOLD)


@pytest.mark.rule("F-draw")
def test_en_passant_tells_positions_apart_only_where_a_pawn_can_use_it() -> None:
    unusable = played(FogGame.start(), "e2e4")
    assert unusable.position.fen().split()[3] == "e3"
    game = played(unusable, *["g8f6", "g1f3", "f6g8", "f3g1"] * 2)
    assert game.outcome == Outcome(None, THREEFOLD)
    usable = FogGame.at(fog("4k3/8/8/8/3p4/8/4P3/4K3 w - -")).play("e2e4").game
    game = played(usable, *["e8e7", "e1e2", "e7e8", "e2e1"] * 2)
    assert game.outcome is None
    assert played(game, "e8e7").outcome == Outcome(None, THREEFOLD)


@pytest.mark.rule("F-draw")
def test_castling_rights_tell_positions_apart() -> None:
    game = FogGame.at(fog("4k3/8/8/8/8/8/8/4K2R w K -"))
    game = played(game, *["h1g1", "e8e7", "g1h1", "e7e8"] * 2)
    assert game.outcome is None
    assert played(game, "h1g1").outcome == Outcome(None, THREEFOLD)


@pytest.mark.rule("F-draw")
def test_a_hundred_quiet_single_moves_draw() -> None:
    game = FogGame.at(fog("4k3/8/8/8/8/8/P7/4K3 w - - 98 80"))
    assert played(game, "e1e2").outcome is None
    assert played(game, "e1e2", "e8e7").outcome == Outcome(None, FIFTY_MOVES)
    assert played(game, "a2a3").position.halfmove == 0


@pytest.mark.rule("F-draw")
def test_no_move_at_all_is_a_draw() -> None:
    step = FogGame.at(fog("4k3/8/2p5/p7/P1P5/PBP5/PPP5/KB6 b - -")).play("c6c5")
    assert step.game.outcome == Outcome(None, NO_MOVES)
    assert step.game.position.verdict() == "no_moves"


@pytest.mark.rule("F-draw")
def test_the_order_is_king_captured_no_move_threefold_fifty() -> None:
    taken = FogGame.at(fog("4k3/4Q3/8/8/8/8/8/4K3 w - - 99 80")).play("e7e8")
    assert taken.game.outcome == Outcome(1, KING_CAPTURED)
    both = FogGame.at(fog("k7/8/8/8/8/8/8/K7 w - - 92 80"))
    both = played(both, *["a1b1", "a8b8", "b1a1", "b8a8", "a1b1", "a8b8", "b1a1", "b8a8"])
    assert both.position.halfmove == 100
    assert both.outcome == Outcome(None, THREEFOLD)


@pytest.mark.rule("F-draw")
def test_a_kept_game_goes_on_where_it_stood() -> None:
    game = played(FogGame.start(), *DANCE, *DANCE[:3])
    again = FogGame.at(Position.from_fen(game.position.fen(), "fog"), game.plies, game.repetition())
    assert again == game
    assert again.play("f6g8").game.outcome == Outcome(None, THREEFOLD)


def test_a_game_is_a_value() -> None:
    game = played(FogGame.start(), "e2e4")
    step = game.play("d7d5")
    sight = observed(game.position, WHITE)
    assert pickle.loads(pickle.dumps(game)) == deepcopy(game) == game  # noqa: S301 - our own
    assert pickle.loads(pickle.dumps(step)) == step == game.play("d7d5")  # noqa: S301 - our own
    assert pickle.loads(pickle.dumps(sight)) == sight == observed(game.position, WHITE)  # noqa: S301 - our own
    assert hash(step) == hash(game.play("d7d5"))
    assert replace(game, outcome=Outcome(1, KING_CAPTURED)).outcome == Outcome(1, KING_CAPTURED)
    for value, name in ((game, "outcome"), (step, "mark"), (sight, "squares")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, getattr(value, name))
