"""Solve rates of the levels: `python -m tests.bench.tactics` puts the tactics suite to every level.

Each position is put to a level with three different dice, for what it misjudges and overlooks. One line of
JSON for each level: the percent of right moves by kind (see tests/bench/make_tactics.py) and over all.
`python -m tests.bench.tactics 1 3` asks levels 1 and 3 only.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

from libs.rules.fog import FogGame
from libs.rules.position import Position
from services.bots import fog_search, tandem_brain
from services.bots.levels import LEVELS, Level, level_of
from tests.unit.bots.positions import FogSeat, tandem_situation

SUITE = Path(__file__).parent.parent / "unit" / "bots" / "tactics.json"
SEEDS = 3

Tactic = dict[str, Any]


def suite() -> list[Tactic]:
    """All positions, each with its kind and the right moves."""
    tactics: list[Tactic] = json.loads(SUITE.read_text())
    return tactics


def answer(tactic: Tactic, level: Level, seed: int) -> str:
    """The move of a level, from what its seat may see."""
    dice = Random(seed)
    if "fen" in tactic:
        situation = tandem_situation(Position.from_fen(tactic["fen"], "tandem"))
        return tandem_brain.think(tandem_brain.plan(situation, level, dice), lambda: False).uci
    game, seats = FogGame.start(), (FogSeat.at_start(0), FogSeat.at_start(1))
    for move in tactic["played"].split():
        game = game.play(move).game
        for seat in seats:
            seat.see(game.position, move)
    situation = seats[game.position.turn].situation(game.position)
    return fog_search.think(fog_search.plan(situation, level, dice), {}, lambda: False).uci


def main() -> None:
    """Print the rates of the levels that the command line names, of all when it names none."""
    tactics = suite()
    for number in map(int, sys.argv[1:] or range(1, len(LEVELS) + 1)):
        level, started = level_of(number), time.process_time()
        solved: dict[str, list[bool]] = defaultdict(list)
        for tactic in tactics:
            for seed in range(SEEDS):
                solved[tactic["kind"]].append(answer(tactic, level, seed) in tactic["first"])
        right = [one for kind in solved.values() for one in kind]
        figures = {
            "level": level.name,
            "positions": len(tactics),
            "percent": {kind: round(100 * sum(all_) / len(all_)) for kind, all_ in solved.items()},
            "overall": round(100 * sum(right) / len(right), 1),
            "processor_seconds": round(time.process_time() - started, 1),
        }
        sys.stdout.write(json.dumps(figures) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
