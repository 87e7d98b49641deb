"""Fog as seen through frames: every view is what the rules let that viewer see, and nothing more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gen.tandemfog.view.v1.view_pb2 import View
from libs.rules.fog import FogGame
from libs.rules.squares import SQUARE_NAMES
from services.visibility.boards import fog_board
from services.visibility.truth import is_over
from services.visibility.view import Viewer, fog_lifts, full_view, view_of_event
from tests.unit.visibility.referee import Referee

WHITE, BLACK, SPECTATOR = Viewer(0), Viewer(1), Viewer(None)
EVERYBODY = (WHITE, BLACK, SPECTATOR)
HIDDEN = "?" * 64
POSITIONS: list[dict[str, Any]] = json.loads(Path("tests/data/fog.json").read_text())["positions"]


def full(referee: Referee, viewer: Viewer) -> View:
    return full_view(referee.match(), viewer)


def played(referee: Referee, uci: str, viewer: Viewer) -> View:
    """The frame of a move for the viewer."""
    item = referee.play(uci)
    view = view_of_event(item.event, item.state, viewer)
    assert view is not None
    return view


def visible(view: View) -> set[str]:
    """Names of the squares that the view's board shows."""
    shown = view.boards[0].pieces
    return {SQUARE_NAMES[(7 - place // 8) * 8 + place % 8] for place, sign in enumerate(shown) if sign != "?"}


@pytest.mark.rule("F-see")
@pytest.mark.parametrize("vector", POSITIONS, ids=[vector["id"] for vector in POSITIONS])
def test_a_full_view_shows_each_seat_exactly_what_the_vectors_say(vector: dict[str, Any]) -> None:
    referee = Referee.fog_at(vector["fen"])
    for viewer, side in ((WHITE, "white"), (BLACK, "black")):
        if is_over(referee.state):  # the fog has lifted; what a seat would see is in its replay
            seen = fog_board(referee.positions[0], side == "black", 0, "")
            assert seen.pieces == vector[f"{side}_view"].replace("/", "")
            continue
        view = full(referee, viewer)
        assert view.boards[0].pieces == vector[f"{side}_view"].replace("/", "")
        assert visible(view) == set(vector[side])
        on_turn = view.boards[0].white_to_move == (side == "white")
        moves = {(getattr(origin, "from"), to) for origin in view.legal.origins for to in origin.to}
        assert moves == ({(uci[:2], uci[2:4]) for uci in vector["moves"]} if on_turn else set())
    assert is_over(referee.state) or full(referee, SPECTATOR).boards[0].pieces == HIDDEN


@pytest.mark.scenario("F02")
def test_the_target_of_a_possible_en_passant_is_visible_and_legal() -> None:
    view = full(Referee.fog_at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), WHITE)
    assert visible(view) == {"d1", "d2", "d5", "d6", "e1", "e2", "e5", "e6", "f1", "f2"}
    assert "d6" in next(origin.to for origin in view.legal.origins if getattr(origin, "from") == "e5")


@pytest.mark.scenario("F03")
def test_the_passed_pawn_is_foggy_again_after_that_turn() -> None:
    referee = Referee.fog_at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert {"d5", "d6"}.isdisjoint(visible(played(referee, "e1e2", WHITE)))


@pytest.mark.scenario("F05")
def test_a_pawn_sees_captures_and_free_squares_ahead_only() -> None:
    referee = Referee(FogGame.start())
    referee.play("e2e4")
    after_e5 = visible(played(referee, "e7e5", WHITE))
    assert len(after_e5) == 34
    assert {"e5", "d5", "f5"}.isdisjoint(after_e5)
    referee = Referee(FogGame.start())
    referee.play("e2e4")
    after_d5 = played(referee, "d7d5", WHITE)
    assert len(visible(after_d5)) == 36
    assert {"d5", "e5"} <= visible(after_d5)
    assert "f5" not in visible(after_d5)


@pytest.mark.scenario("F06")
@pytest.mark.rule("F-spectators")
def test_a_spectator_gets_no_piece_no_move_and_no_offer_until_the_end() -> None:
    referee = Referee(FogGame.start())
    for uci in ("e2e4", "d7d5", "e4d5", "d8d5"):
        view = played(referee, uci, SPECTATOR)
        assert view.boards[0].pieces == HIDDEN
        assert not view.boards[0].last_move
        assert not view.moves
        assert not view.HasField("legal")
        assert view.boards[0].ply == referee.state.boards[0].ply
    item = referee.offer_draw(0)
    assert view_of_event(item.event, item.state, SPECTATOR) is None
    item = referee.presence(1, online=False)
    assert view_of_event(item.event, item.state, SPECTATOR) is None
    view = full(referee, SPECTATOR)
    assert view.boards[0].pieces == HIDDEN
    assert not view.moves
    assert not view.standing.draw_agreed
    assert all(seat.online for seat in view.seats.seats)


@pytest.mark.scenario("F10")
@pytest.mark.parametrize(
    ("fen", "one", "other"),
    [
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8g8", "h8h7"),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1q", "a2a1n"),
        ("7k/8/8/8/8/1n6/p7/7K b - - 0 1", "a2a1b", "b3d2"),
    ],
    ids=["castling", "promotion", "promotion or a plain move"],
)
def test_what_the_opponent_does_out_of_sight_makes_the_same_frame(fen: str, one: str, other: str) -> None:
    for viewer in (WHITE, SPECTATOR):
        first, second = (played(Referee.fog_at(fen), uci, viewer).SerializeToString() for uci in (one, other))
        assert first == second


@pytest.mark.scenario("F14")
@pytest.mark.rule("F-moves")
def test_the_opponents_moves_are_entries_without_text_and_mine_are_written_in_full() -> None:
    referee = Referee(FogGame.start())
    for turn in range(10):
        referee.play(("g1f3", "f3g1")[turn % 2] if turn % 4 < 2 else ("b1c3", "c3b1")[turn % 2])
        if is_over(referee.state):
            break
        referee.play(("a7a6", "a6a5", "a5a4", "a4a3", "h7h6", "h6h5", "h5h4", "h4h3", "g7g6", "g6g5")[turn])
    view = full(referee, WHITE)
    assert [entry.ply for entry in view.moves] == list(range(1, 21))
    for entry in view.moves:
        assert (entry.san == "") == (entry.uci == "") == (entry.ply % 2 == 0)
    assert all(entry.san for entry in full(referee, BLACK).moves if entry.ply % 2 == 0)


@pytest.mark.rule("F-moves")
def test_a_capture_that_the_victim_does_not_see_is_marked_for_the_victim_alone() -> None:
    fen = "4k3/8/8/8/b7/8/8/K2N4 b - - 0 1"
    assert played(Referee.fog_at(fen), "a4d1", WHITE).moves[0].mark == "d1"
    own = played(Referee.fog_at(fen), "a4d1", BLACK).moves[0]
    assert (own.mark, own.uci) == ("", "a4d1")
    assert not played(Referee.fog_at(fen), "a4d1", SPECTATOR).moves


@pytest.mark.rule("F-moves")
def test_the_last_move_is_shown_to_its_maker_only() -> None:
    referee = Referee(FogGame.start())
    assert list(played(referee, "e2e4", WHITE).boards[0].last_move) == ["e2", "e4"]
    assert list(full(referee, WHITE).boards[0].last_move) == ["e2", "e4"]
    assert not full(referee, BLACK).boards[0].last_move
    assert not played(referee, "d7d5", WHITE).boards[0].last_move


@pytest.mark.scenario("F18")
def test_a_promoted_piece_is_known_only_once_it_is_seen() -> None:
    referee = Referee.fog_at("7k/8/8/8/8/8/p7/7K b - - 0 1")
    assert "q" not in played(referee, "a2a1q", WHITE).boards[0].pieces.lower()
    referee = Referee.fog_at("7k/8/8/8/8/8/p6R/7K b - - 0 1")
    assert played(referee, "a2a1n", WHITE).boards[0].pieces.count("n") == 0
    assert played(referee, "h2a2", WHITE).boards[0].pieces[56] == "n"


@pytest.mark.rule("F-nocheck")
def test_no_frame_of_a_running_game_speaks_of_check_or_counters() -> None:
    referee = Referee.fog_at("4k3/8/8/8/8/8/8/R3K3 w - - 37 90")
    for viewer in EVERYBODY:
        view = played(Referee.fog_at("4k3/8/8/8/8/8/8/R3K3 w - - 37 90"), "a1a8", viewer)
        board = view.boards[0]
        assert (board.state, board.fen, list(board.hands), list(board.promoted)) == ("", "", [], [])
        assert not full(referee, viewer).boards[0].fen


@pytest.mark.scenario("F19")
@pytest.mark.rule("F-after")
@pytest.mark.parametrize("ending", ["king_captured", "time", "resignation"])
def test_when_it_is_over_everybody_gets_every_piece_and_every_move(ending: str) -> None:
    referee = Referee.fog_at("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1")
    referee.play("e1d1")
    referee.play("e8d8")
    item = referee.play("e7d8") if ending == "king_captured" else referee.end(1, ending)
    assert fog_lifts(item.state)
    for viewer in EVERYBODY:
        view = full(referee, viewer)
        assert "?" not in view.boards[0].pieces
        assert [entry.uci for entry in view.moves[:2]] == ["e1d1", "e8d8"]
        assert (view.outcome.winner, view.outcome.reason) == (1, ending)
        assert view.version == referee.state.version
