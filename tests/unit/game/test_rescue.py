"""The move that game makes for a bot that nobody plays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libs.rules.position import Position
from libs.rules.tandem import TandemMatch
from services.game.rescue import in_need, instant_move
from services.game.stamps import read_stamp
from tests.unit.game.kit import fog, played, tandem


def test_the_move_is_legal_and_no_drop_when_there_is_a_choice() -> None:
    match = played(tandem(), "A:e2e4 A:d7d5 B:e2e4 B:d7d5 B:e4d5 A:e4d5")
    move = instant_move(match, 0)
    assert move is not None
    assert "@" not in move
    played(match, f"A:{move}")
    fog_move = instant_move(fog(), 0)
    assert fog_move is not None
    played(fog(), f"A:{fog_move}")


@pytest.mark.rule("T-wait")
def test_who_has_to_wait_is_not_moved_for() -> None:
    stuck = Position.from_fen("7k/8/6Q1/8/8/8/8/4K3[] b - - 0 1", "tandem")
    game = TandemMatch.at((stuck, Position.start("tandem")), "online", (41, 0))
    assert instant_move(replace(tandem(), game=game), 0) is None


def test_only_a_bot_with_little_time_left_is_in_need() -> None:
    match = tandem(bots=frozenset({1, 2}))
    stamp = read_stamp(b"5 5 0 0 1000000 400000,400000,500000,9000000 1,2 -")
    assert in_need(match, stamp, 500) == [1, 2]
    assert in_need(match, stamp, 450) == [1]
    assert in_need(tandem(), stamp, 500) == []
