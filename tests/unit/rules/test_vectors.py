"""The given positions: move counts, verdicts, sight, and the ends of matches."""

from typing import Any

import pytest

from libs.rules.generate import perft
from libs.rules.observe import observed, visible
from libs.rules.outcome import MATE, NOBODY_CAN_MOVE, Outcome
from libs.rules.squares import BLACK, WHITE, parse_square, square_name
from libs.rules.tandem import TandemMatch
from tests.unit.rules.data import fog, tandem, vectors

DEEPEST = 60_000  # nodes: the larger counts are compared by `python -m tests.bench.rules`


def named(name: str) -> pytest.MarkDecorator:
    positions = vectors(name)
    return pytest.mark.parametrize("vector", positions, ids=[vector["id"] for vector in positions])


@named("perft")
def test_a_board_has_the_counted_lines(vector: dict[str, Any]) -> None:
    board = tandem(vector["fen"]).board()
    for depth, nodes in enumerate(vector["counts"], start=1):
        if nodes <= DEEPEST:
            assert perft(board, depth) == nodes


@named("fog_perft")
def test_a_fog_board_has_the_counted_lines(vector: dict[str, Any]) -> None:
    """F-nocheck"""
    board = fog(vector["fen"]).board()
    for depth, nodes in enumerate(vector["counts"], start=1):
        if nodes <= DEEPEST:
            assert perft(board, depth) == nodes


@named("mate")
def test_a_position_has_its_moves_and_verdicts(vector: dict[str, Any]) -> None:
    """T-mate, T-wait, T-club-mate"""
    position = tandem(vector["fen"])
    assert list(position.legal_moves()) == vector["legal_moves"]
    assert position.in_check() == vector["in_check"]
    names = {
        "normal": "check" if vector["in_check"] else "normal",
        "check_wait": "waiting",
        "no_move_wait": "waiting",
        "mate": "mate",
    }
    assert position.verdict("online") == names[vector["online"]]
    assert position.verdict("club") == names[vector["otb"]]


@named("mate")
def test_a_check_can_be_blocked_on_the_given_squares_only(vector: dict[str, Any]) -> None:
    """T-mate, T-drop"""
    pieces, pawns = tandem(vector["fen"]).drop_squares()
    if vector["in_check"]:
        assert sorted(map(square_name, pieces)) == vector["block_squares"]
        assert pawns == {square for square in pieces if square_name(square)[1] not in "18"}


@named("fog")
def test_each_side_sees_the_given_squares(vector: dict[str, Any]) -> None:
    """F-see"""
    position = fog(vector["fen"])
    assert list(position.legal_moves()) == vector["moves"]
    for side, name in ((WHITE, "white"), (BLACK, "black")):
        assert sorted(map(square_name, visible(position, side))) == vector[name]
        view = observed(position, side)
        rows = [
            "".join(
                view.pieces.get(square, ".") if square in view.squares else "?"
                for square in range(row, row + 8)
            )
            for row in range(56, -1, -8)
        ]
        assert "/".join(rows) == vector[f"{name}_view"]
        hand_checked = vector["checked_by_hand"]
        assert view.squares.issuperset(map(parse_square, hand_checked.get(f"{name}_sees", [])))
        assert view.squares.isdisjoint(map(parse_square, hand_checked.get(f"{name}_hidden", [])))


@named("safety")
def test_a_match_set_up_so_is_decided_so(vector: dict[str, Any]) -> None:
    """T-draw, T-mate"""
    made = vector["moves_played"]
    positions = (tandem(vector["fen_a"]), tandem(vector["fen_b"]))
    match = TandemMatch.at(positions, "online", (made // 2, made - made // 2))
    expected = {
        "playing": None,
        "draw": Outcome(None, NOBODY_CAN_MOVE),
        "win": Outcome(vector["winner_team"], MATE),
    }
    assert match.outcome == expected[vector["verdict"]]
    assert [len(position.legal_moves()) for position in positions] == [vector["legal_a"], vector["legal_b"]]
    for position, verdict in zip(
        positions, (vector["verdict_board_a"], vector["verdict_board_b"]), strict=True
    ):
        expected_verdict = "waiting" if verdict in ("no_move_wait", "check_wait") else verdict
        assert position.verdict() == expected_verdict
