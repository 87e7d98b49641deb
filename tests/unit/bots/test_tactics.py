"""The tactics suite: what every level must see in it, and that its right moves are right.

How much of it each level solves is measured by `make tactics`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from libs.rules.fog import FogGame
from libs.rules.position import Position
from services.bots import brain
from tests.unit.bots.brute_force import king_hunts, mates, safe
from tests.unit.bots.positions import fog_situation, tandem_situation

SUITE: list[dict[str, Any]] = json.loads((Path(__file__).parent / "tactics.json").read_text())
LEVELS = (1, 2, 3, 4, 5)
FEW_NODES = 300
"""However little is searched, a mate in one is seen."""


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    return [tactic for tactic in SUITE if tactic["kind"] in kinds]


def place(tactic: dict[str, Any]) -> Position:
    if "fen" in tactic:
        return Position.from_fen(tactic["fen"], "tandem")
    game = FogGame.start()
    for move in tactic["played"].split():
        game = game.play(move).game
    return game.position


def named(tactics: list[dict[str, Any]]) -> Any:
    return pytest.mark.parametrize("tactic", tactics, ids=[f"{t['kind']}-{i}" for i, t in enumerate(tactics)])


def test_the_suite_holds_a_hundred_different_positions_of_every_kind() -> None:
    assert len({tactic.get("fen") or tactic["played"] for tactic in SUITE}) == len(SUITE) >= 100
    kinds = Counter(tactic["kind"] for tactic in SUITE)
    assert set(kinds) == {
        *("mate-1", "mate-2", "mate-3", "must-block", "must-not-drop", "king-take", "king-hunt"),
    }
    assert min(kinds.values()) >= 8


@named([t for kind in ("mate-1", "mate-2", "mate-3") for t in of_kind(kind)[::5]])
@pytest.mark.rule("T-mate")
def test_a_mate_of_the_suite_is_one_and_there_is_no_shorter_one(tactic: dict[str, Any]) -> None:
    length = int(tactic["kind"][-1])
    assert sorted(mates(place(tactic), length)) == tactic["first"]
    assert length == 1 or not mates(place(tactic), length - 1)


@named([t for kind in ("must-block", "must-not-drop") for t in of_kind(kind)[:2]])
@pytest.mark.rule("T-drop")
def test_every_other_move_runs_into_a_mate_in_two(tactic: dict[str, Any]) -> None:
    position = place(tactic)
    assert sorted(safe(position, 2)) == tactic["first"]
    assert position.in_check() == (tactic["kind"] == "must-block")


@named([*of_kind("king-take")[:3], *of_kind("king-hunt")[:2]])
@pytest.mark.rule("F-win")
def test_a_hunted_king_falls_whatever_is_answered(tactic: dict[str, Any]) -> None:
    length = 1 if tactic["kind"] == "king-take" else 2
    assert sorted(king_hunts(place(tactic), length)) == tactic["first"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("T-mate")
def test_every_level_mates_in_one(level: int) -> None:
    for seed, tactic in enumerate(of_kind("mate-1")):
        situation = tandem_situation(place(tactic))
        assert brain.choose(situation, level, Random(seed), FEW_NODES) in tactic["first"], tactic["fen"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("T-mate")
def test_no_level_walks_into_a_mate_in_one_that_can_be_helped(level: int) -> None:
    for seed, tactic in enumerate(of_kind("must-block", "must-not-drop")):
        position = place(tactic)
        chosen = brain.choose(tandem_situation(position), level, Random(seed), FEW_NODES)
        assert chosen is not None
        assert not mates(position.play(chosen).position, 1), tactic["fen"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("F-win")
def test_every_level_takes_a_king_in_view(level: int) -> None:
    for seed, tactic in enumerate(of_kind("king-take")):
        assert brain.choose(fog_situation(place(tactic)), level, Random(seed), FEW_NODES) in tactic["first"]
