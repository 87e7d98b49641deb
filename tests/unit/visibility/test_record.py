"""Finished matches as text and as positions: what is exported reads back as what was played."""

from __future__ import annotations

from random import Random

import pytest

from libs.rules import outcome
from libs.rules.bpgn import read_bpgn
from libs.rules.fog import FogGame
from libs.rules.observe import observed
from libs.rules.pgn import read_pgn
from libs.rules.squares import BLACK, WHITE
from libs.rules.tandem import TandemMatch
from services.visibility.boards import seen_fen
from services.visibility.record import ending_reason, export_match, record_of, replay_match
from tests.unit.visibility.referee import Referee


def random_match(referee: Referee, seed: int, plies: int) -> Referee:
    dice = Random(seed)
    for _ in range(plies):
        board = dice.randrange(len(referee.positions))
        moves = referee.positions[board].legal_moves()
        if referee.rules.outcome is not None:
            return referee
        if moves:
            referee.play(dice.choice(moves), board)
    if referee.rules.outcome is None:
        referee.end(2, "resignation")
    return referee


@pytest.mark.scenario("U05")
@pytest.mark.parametrize("seed", range(5))
def test_an_exported_tandem_match_reads_back_equal_clocks_included(seed: int) -> None:
    match = random_match(Referee(TandemMatch.start("club" if seed % 2 else "online")), seed, 80).match()
    match.state.seats[0].name = 'O"la \\ Nordmann'
    exported = export_match(match)
    assert exported.format == "bpgn"
    record, problems = read_bpgn(exported.text)
    assert problems == []
    assert record == record_of(match)
    moved = [event for event in match.log if event.WhichOneof("what") == "moved"]
    assert [(move.board, move.uci) for move in record.moves] == [
        (event.moved.board, event.moved.uci) for event in moved
    ]
    assert [move.clock_ms for move in record.moves] == [event.moved.remaining_us // 1000 for event in moved]


@pytest.mark.parametrize(("clocked", "seed"), [(False, 1), (True, 2), (True, 3)])
def test_an_exported_fog_game_reads_back_equal(clocked: bool, seed: int) -> None:
    match = random_match(Referee(FogGame.start(), clocked), seed, 60).match()
    exported = export_match(match)
    assert exported.format == "pgn"
    record, problems = read_pgn(exported.text)
    assert problems == []
    assert record == record_of(match)


@pytest.mark.scenario("T11")
@pytest.mark.parametrize(
    ("winner", "reason", "result", "ending"),
    [
        (1, "time", "1-0", "Team 2 (Black on A, White on B) loses on time"),
        (2, "resignation", "0-1", "Team 1 (White on A, Black on B) resigns"),
        (0, "move_limit", "1/2-1/2", "draw, 800 moves on both boards together"),
        (0, "aborted", "*", "aborted"),
    ],
)
def test_the_export_tells_who_won_and_by_which_rule(
    winner: int, reason: str, result: str, ending: str
) -> None:
    referee = Referee(TandemMatch.start("online"))
    referee.play("e2e4")
    referee.end(winner, reason)
    record, _ = read_bpgn(export_match(referee.match()).text)
    assert (record.result, record.ending) == (result, ending)
    assert record.tags["TimeControl"] == "180+0"
    assert record.tags["BlackB"] == "Player 3"


def test_a_replayed_tandem_match_ends_on_the_boards_of_the_match() -> None:
    referee = random_match(Referee(TandemMatch.start("online")), 5, 60)
    replay = replay_match(referee.match())
    assert len(replay.full) == len(replay.moves) + 1
    assert [board.fen for board in replay.full[-1].boards] == [p.fen() for p in referee.positions]
    assert [board.ply for board in replay.full[-1].boards] == [board.ply for board in referee.state.boards]
    assert not replay.white
    assert not replay.black
    for entry, position in zip(replay.moves, replay.full[1:], strict=True):
        assert list(position.boards[entry.board].last_move)[-1] == entry.uci[2:4]


@pytest.mark.rule("F-after")
def test_a_fog_game_is_replayed_in_full_and_as_each_side_saw_it() -> None:
    referee = random_match(Referee(FogGame.start()), 4, 50)
    replay = replay_match(referee.match())
    game = FogGame.start()
    assert len(replay.full) == len(replay.white) == len(replay.black) == len(replay.moves) + 1
    for number, entry in enumerate([*replay.moves, None]):
        assert "?" not in replay.full[number].boards[0].pieces
        for side, seen in enumerate((replay.white, replay.black)):
            shown = seen[number].boards[0].pieces
            assert 64 - shown.count("?") == len(observed(game.position, side).squares)
            own = number > 0 and (number - 1) % 2 == side
            assert bool(seen[number].boards[0].last_move) == own
            assert _placement(seen[number].boards[0].fen) == shown.replace("?", ".")
        assert replay.full[number].boards[0].fen == game.position.fen()
        if entry is not None:
            game = game.play(entry.uci).game


def _placement(fen: str) -> str:
    """The squares of a FEN as views have them, a8 to h1."""
    ranks = fen.split()[0].replace("/", "")
    return "".join("." * int(symbol) if symbol.isdigit() else symbol for symbol in ranks)


@pytest.mark.rule("F-after")
def test_a_sides_fen_tells_no_right_of_the_other_and_en_passant_only_where_it_was_seen() -> None:
    game = FogGame.start()
    for uci in ("e2e4", "a7a6", "e4e5", "d7d5"):
        game = game.play(uci).game
    assert seen_fen(game.position, WHITE).split()[1:] == ["w", "KQ", "d6", "0", "3"]
    assert seen_fen(game.position, BLACK).split()[1:] == ["w", "kq", "d6", "0", "3"]
    game = game.play("h2h4").game
    assert seen_fen(game.position, WHITE).split()[1:] == ["b", "KQ", "h3", "0", "3"]
    assert seen_fen(game.position, BLACK).split()[1:] == ["b", "kq", "-", "0", "3"]


def test_every_reason_that_the_rules_know_can_be_written() -> None:
    reasons = [word for name, word in vars(outcome).items() if name.isupper() and isinstance(word, str)]
    assert "mate" in reasons
    for reason in reasons:
        referee = Referee(TandemMatch.start("online"))
        decided = reason in ("mate", "time", "resignation", "leaving", "king_captured")
        referee.end(1 if decided else 0, reason)
        assert reason == referee.state.outcome.reason
        assert ending_reason(read_bpgn(export_match(referee.match()).text)[0].ending) == reason
    assert ending_reason("WhiteA is tired") == ""
