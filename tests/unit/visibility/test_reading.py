"""Games in texts of somebody's own: shown as they were played, in their own time, with what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gen.tandemfog.view.v1.view_pb2 import ReadGameResponse
from libs.rules.fog import FogGame
from libs.rules.tandem import TandemMatch
from services.visibility.reading import MOST_BYTES, MOST_PROBLEMS, read_game
from services.visibility.record import export_match, replay_match
from tests.unit.visibility.referee import Referee
from tests.unit.visibility.test_record import random_match

GAMES = Path(__file__).parents[2] / "data" / "bpgn"
INDEX: list[dict[str, Any]] = json.loads((GAMES / "index.json").read_text())
TEAM_OF = {"WhiteA": 1, "BlackB": 1, "BlackA": 2, "WhiteB": 2}


def real(name: str) -> ReadGameResponse:
    return read_game((GAMES / f"{name}.bpgn").read_bytes())


@pytest.mark.parametrize("game", INDEX, ids=lambda game: game["file"])
@pytest.mark.scenario("U05")
def test_every_real_game_is_shown_to_its_last_position(game: dict[str, Any]) -> None:
    answer = read_game((GAMES / game["file"]).read_bytes())
    shown = answer.game
    assert len(shown.moves) == game["moves_replayed"] == len(shown.full) - 1
    assert [board.fen for board in shown.full[-1].boards] == [game["final_a"], game["final_b"]]
    times = [move.at_ms for move in shown.moves]
    assert times == sorted(times)
    if game["end"] and (loser := game["end"].split()[0]) in TEAM_OF:
        assert shown.outcome.winner == 3 - TEAM_OF[loser]


def test_a_partial_game_is_shown_up_to_the_move_that_cannot_be_played() -> None:
    answer = real("game_10")
    (problem,) = answer.problems
    assert (problem.reason, problem.where, problem.stops) == ("not_in_hand", "19A P@e7+", True)
    assert answer.game.moves[-1].san
    assert len(answer.game.full) == len(answer.game.moves) + 1 > 50


@pytest.mark.rule("T-clock")
def test_time_goes_by_as_the_clocks_of_a_board_go_down() -> None:
    answer = read_game(
        b'[TimeControl "120+2"]\n1A. e4{119.000} 1B. d4{121.000} 1a. e5{117.500} 2A. Nf3{120.000} *'
    )
    # e4 took 3 s of the 120 with 2 s added, d4 1 s, e5 4.5 s; Nf3 1 s, and no move is before the former one.
    assert [move.at_ms for move in answer.game.moves] == [3_000, 3_000, 7_500, 8_500]
    assert list(answer.start_ms) == [120_000] * 4
    assert list(answer.clocks.remaining_ms) == [120_000, 117_500, 121_000, 120_000]
    assert (answer.time.initial_ms, answer.time.increment_ms) == (120_000, 2_000)


def test_a_flag_that_fell_stands_at_nothing_at_the_end() -> None:
    head = '[WhiteA "Ada"][BlackB "Bo"][TimeControl "60+0"]'
    answer = read_game(f"{head}\n1A. e4{{59}} 1B. d4{{58}} {{Bo forfeits on time}} 1-0".encode())
    assert (answer.game.outcome.reason, answer.game.outcome.winner) == ("time", 2)
    assert list(answer.clocks.remaining_ms) == [59_000, 60_000, 58_000, 0]
    assert answer.clocks.at_ms == 62_000


def test_a_text_without_clocks_steps_a_move_a_second_and_shows_none() -> None:
    answer = read_game(b"1A. e4 1B. d4 1a. e5")
    assert [move.at_ms for move in answer.game.moves] == [1_000, 2_000, 3_000]
    assert not answer.HasField("clocks")
    assert not answer.start_ms
    assert not answer.HasField("time")


def test_clocks_without_a_time_control_are_shown_from_each_seats_first_reading_on() -> None:
    answer = read_game(b"1A. e4{119.000} 1B. d4{121.000} 1a. e5{117.500} 2A. Nf3{110.000} *")
    # Black on B has not been read at all: no more is known of it than of the others.
    assert list(answer.start_ms) == [119_000, 117_500, 121_000, 121_000]
    assert list(answer.clocks.remaining_ms) == [110_000, 117_500, 121_000, 121_000]
    assert [move.at_ms for move in answer.game.moves] == [0, 0, 0, 9_000]
    assert [move.remaining_ms for move in answer.game.moves] == [119_000, 121_000, 117_500, 110_000]
    assert not answer.HasField("time")


@pytest.mark.parametrize("control", ["", '[TimeControl "?"]', '[TimeControl "-"]', '[TimeControl "40/7200"]'])
def test_a_pgn_that_does_not_tell_its_time_control_shows_its_clocks_too(control: str) -> None:
    head = f'[Variant "Fog of War"]{control}'
    answer = read_game(f"{head}\n1. e4 {{[%clk 0:03:00]}} e5 {{[%clk 0:02:59]}} 2. d4 *".encode())
    assert list(answer.start_ms) == list(answer.clocks.remaining_ms) == [180_000, 179_000]


def test_a_set_up_with_black_to_move_keeps_its_sides_and_its_clocks() -> None:
    board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR/ b KQkq - 100 90 0 7"
    answer = read_game(f'[Setup "1"][FEN "{board} | {board}"]\n7a. e5{{80}} 8A. Nf3{{99}}'.encode())
    assert [move.ply for move in answer.game.moves] == [14, 15]
    assert [board.ply for board in answer.game.full[0].boards] == [13, 13]
    assert list(answer.start_ms) == [100_000, 90_000, 100_000, 90_000]
    assert [move.at_ms for move in answer.game.moves] == [10_000, 11_000]


@pytest.mark.parametrize("seed", range(3))
def test_our_own_tandem_export_is_shown_as_its_replay(seed: int) -> None:
    match = random_match(Referee(TandemMatch.start("club" if seed else "online")), seed, 60).match()
    replay = replay_match(match)
    answer = read_game(export_match(match).text.encode())
    assert not answer.problems
    assert answer.game == replay
    assert answer.profile == match.state.profile
    assert answer.names == [seat.name for seat in match.state.seats]


@pytest.mark.rule("F-after")
@pytest.mark.parametrize(("clocked", "seed"), [(False, 1), (True, 2)])
def test_our_own_fog_export_is_shown_as_its_replay_with_both_sides_eyes(clocked: bool, seed: int) -> None:
    match = random_match(Referee(FogGame.start(), clocked), seed, 60).match()
    replay = replay_match(match)
    answer = read_game(export_match(match).text.encode())
    assert not answer.problems
    assert answer.game == replay
    assert len(answer.game.white) == len(answer.game.full) == len(answer.game.black)


@pytest.mark.parametrize(
    ("text", "reason", "where"),
    [
        (b"", "bad_pgn", ""),
        (b"hello world", "bad_pgn", ""),
        (b'[Variant "Atomic"]\n1. e4', "bad_pgn", "tag Variant"),
        (b'[Setup "1"][FEN "x | y"]\n1A. e4', "bad_fen", "tag FEN, board A"),
    ],
)
def test_a_text_without_a_game_says_why_and_where(text: bytes, reason: str, where: str) -> None:
    answer = read_game(text)
    assert not answer.HasField("game")
    (problem,) = answer.problems
    assert (problem.reason, problem.where) == (reason, where)
    assert problem.detail


def test_random_and_damaged_bytes_are_read_or_refused_and_never_break() -> None:
    dice = Random(7)
    source = (GAMES / "game_02.bpgn").read_bytes()
    for _ in range(200):
        text = bytearray(source[: dice.randrange(400)])
        for _ in range(dice.randrange(20)):
            if text:
                text[dice.randrange(len(text))] = dice.randrange(256)
        answer = read_game(bytes(text))
        assert answer.HasField("game") or answer.problems
    assert not read_game(dice.randbytes(5_000)).HasField("game")


def test_of_very_many_problems_the_first_ones_are_told() -> None:
    answer = read_game(b"1A. e4 " * (MOST_BYTES // 7))
    assert len(answer.problems) == MOST_PROBLEMS
    assert len(answer.game.moves) == 1
