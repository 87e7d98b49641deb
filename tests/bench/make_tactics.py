"""Makes the tactics suite anew: `python -m tests.bench.make_tactics` writes tests/unit/bots/tactics.json.

The positions come from the ends of the recorded games in tests/data/bpgn and of games that the bots play
against each other, in tandem and in fog, from fixed dice. A brute force over the referee's own values
(tests/unit/bots/brute_force.py) proves each one; the search that is to solve them proves none. The kinds:

- ``mate-1`` to ``mate-3``: the shortest forced mate, all its moves checks; some first move is a drop.
- ``must-block``: in check; there are moves that run into a forced mate in at most two, and all that do
  not are drops.
- ``must-not-drop``: what a look one ply deep likes best is a drop, and a forced mate in at most two follows.
- ``king-take``, ``king-hunt``: fog; the king can be taken now, or in two moves whatever is answered. The
  hunted king was in view not long before, and the bot gets only what its seat saw of the moves ``played``.

``first`` are all the moves that are right.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from libs.rules.bpgn import read_bpgn
from libs.rules.fog import FogGame
from libs.rules.generate import legal_moves
from libs.rules.position import Position
from libs.rules.record import replay_tandem, start_match
from libs.rules.tandem import TandemMatch
from libs.rules.uci import move_text
from services.bots import fog_brain, tandem_brain
from services.bots.levels import Level
from services.bots.search.engine import Search
from services.bots.search.evaluate import Outlook
from tests.unit.bots.brute_force import king_hunts, mates, safe
from tests.unit.bots.positions import fog_situation, shown, tandem_situation

TESTS = Path(__file__).parent.parent
SUITE = TESTS / "unit" / "bots" / "tactics.json"
WANTED = {
    "mate-1": 20,
    "mate-2": 20,
    "mate-3": 18,
    "must-block": 14,
    "must-not-drop": 16,
    "king-take": 8,
    "king-hunt": 16,
}
MOST_GAMES = 400
MOST_FOG_GAMES = 1_500
LAST_PLIES = 20
"""So many of the last positions of a board are looked at."""
MOST_FIRST = 4
"""A mate or a hunt with more first moves than that is no riddle."""
SINCE_SEEN = 6
_PLAYER = Level("maker", 600, 70, 0.1)

Tactic = dict[str, Any]


def ends_of_records() -> Iterator[list[Position]]:
    """The last positions of both boards of each recorded game."""
    for path in sorted((TESTS / "data" / "bpgn").glob("*.bpgn")):
        record, _ = read_bpgn(path.read_bytes())
        positions: list[list[Position]] = [[board] for board in start_match(record).positions]
        for move, step in zip(record.moves, replay_tandem(record), strict=True):
            positions[move.board].append(step.match.positions[move.board])
        yield positions[0][-LAST_PLIES:] + positions[1][-LAST_PLIES:]


def ends_of_games(count: int) -> Iterator[list[Position]]:
    """The last positions of the board on which each of so many games of the bots ended."""
    for number in range(count):
        dice, match = Random(number), TandemMatch.start("online")
        positions: list[list[Position]] = [[board] for board in match.positions]
        board = 0
        while match.outcome is None:
            board = dice.randrange(2)
            if match.legal_moves(board):
                plan = tandem_brain.plan(tandem_situation(match.positions[board]), _PLAYER, dice)
                match = match.play(board, tandem_brain.think(plan, lambda: False).uci).match
                positions[board].append(match.positions[board])
        yield positions[board][-LAST_PLIES:]


def tandem_tactics(position: Position, missing: Counter[str]) -> Iterator[Tactic]:
    """What a position is of the kinds that are still missing."""
    moves = position.legal_moves()
    if len(moves) < 2:
        return
    fen = position.fen()
    for length in (1, 2, 3):
        first = mates(position, length)
        if first:
            if missing[f"mate-{length}"] and len(first) <= MOST_FIRST and _drops(first):
                yield {"kind": f"mate-{length}", "fen": fen, "first": sorted(first)}
            return
    if missing["must-block"] and position.in_check() and _drops(moves):
        first = safe(position, 2)
        if first and len(first) < len(moves) and _drops(first) == len(first):
            yield {"kind": "must-block", "fen": fen, "first": sorted(first)}
    elif missing["must-not-drop"] and not position.in_check():
        liked = _liked(position)
        if liked[1] == "@" and mates(position.play(liked).position, 2):
            first = safe(position, 2)
            if first:
                yield {"kind": "must-not-drop", "fen": fen, "first": sorted(first)}


def _drops(moves: set[str] | tuple[str, ...]) -> int:
    return sum(move[1] == "@" for move in moves)


def _liked(position: Position) -> str:
    """The move that is worth most when only captures are looked at further."""
    board = position.board()
    search = Search(board, Outlook(), lambda: False)
    return move_text(max(legal_moves(board), key=lambda move: search.worth(move, 1, 2_000)))


def fog_tactics(number: int, missing: Counter[str]) -> Iterator[Tactic]:
    """What the last positions of one game of fog are of the kinds that are still missing."""
    dice, game = Random(number), FogGame.start()
    played: list[str] = []
    positions = [game.position]
    while game.outcome is None:
        played.append(fog_brain.choose(fog_situation(game.position), 40.0, dice))
        game = game.play(played[-1]).game
        positions.append(game.position)
    for ply in range(max(2, len(played) - LAST_PLIES), len(played)):
        position, until = positions[ply], " ".join(played[:ply])
        takes = king_hunts(position, 1)
        if takes:
            if missing["king-take"]:
                yield {"kind": "king-take", "played": until, "first": sorted(takes)}
        elif missing["king-hunt"] and _king_seen(positions[max(0, ply - SINCE_SEEN) : ply], position.turn):
            first = king_hunts(position, 2)
            if first and len(first) <= MOST_FIRST:
                yield {"kind": "king-hunt", "played": until, "first": sorted(first)}


def _king_seen(positions: list[Position], side: int) -> bool:
    king = "K" if side else "k"
    return any(king in shown(position, side) for position in positions)


def main() -> None:
    """Look through the games until there is enough of each kind, and write the suite."""
    missing = Counter(WANTED)
    suite: dict[str, Tactic] = {}

    def take(tactics: Iterator[Tactic]) -> None:
        kinds = Counter[str]()  # of one game no more than two of a kind
        for tactic in tactics:
            kind, known = tactic["kind"], tactic.get("fen") or tactic["played"]
            if missing[kind] and kinds[kind] < 2 and known not in suite:
                suite[known] = tactic
                missing[kind] -= 1
                kinds[kind] += 1

    for games in (ends_of_records(), ends_of_games(MOST_GAMES)):
        for positions in games:
            take(tactic for position in positions for tactic in tandem_tactics(position, missing))
            sys.stderr.write(f"still missing: {dict(+missing)}\n")
            if not any(count for kind, count in missing.items() if not kind.startswith("king")):
                break
    for number in range(MOST_FOG_GAMES):
        if not +missing:
            break
        take(fog_tactics(number, missing))
        sys.stderr.write(f"still missing: {dict(+missing)}\n")
    kinds = list(WANTED)
    tactics = sorted(suite.values(), key=lambda tactic: kinds.index(tactic["kind"]))
    SUITE.write_text("[\n" + ",\n".join(json.dumps(tactic) for tactic in tactics) + "\n]\n")


if __name__ == "__main__":
    main()
