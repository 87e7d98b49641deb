"""How fast the bots' search is, as ratios to python-chess in the same run: `python -m tests.bench.search`.

A node is a move made in the search; what it is compared with is python-chess making the list of all legal
moves of the same position. Processor time is counted, the best of some rounds. Prints one line of JSON, and
ends with an error when a limit is missed. TANDEMFOG_PURE=1 measures the uncompiled files.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import chess.variant

from libs.rules.generate import legal_moves
from libs.rules.position import Position
from services.bots.search import engine
from services.bots.search.evaluate import Outlook
from tests.bench.rules import FULL_HANDS

LIMITS = {True: 24.0, False: 3.8}
"""Nodes for each list of python-chess, by "is compiled": 250 k and 40 k a second where it makes 10.5 k."""
ROUNDS = 7


def seconds(work: Callable[[], object]) -> float:
    """Processor time of the work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure() -> dict[str, Any]:
    """All figures of one run."""
    compiled = not str(engine.__file__).endswith(".py")
    nodes = 100_000 if compiled else 10_000
    board = Position.from_fen(FULL_HANDS, "tandem").board()
    oracle = chess.variant.CrazyhouseBoard(FULL_HANDS)
    moves = legal_moves(board)

    def search() -> None:
        found = engine.Search(board, Outlook(), lambda: False)
        found.run(moves, nodes, 30)
        assert found.nodes == nodes

    def lists() -> None:
        for _ in range(200):
            list(oracle.legal_moves)

    # In turns, so that the machine's other work disturbs both alike.
    times = [(seconds(search), seconds(lists)) for _ in range(ROUNDS)]
    ours = nodes / min(ours for ours, _ in times)
    theirs = 200 / min(theirs for _, theirs in times)
    ratio = round(ours / theirs, 2)
    return {
        "compiled": compiled,
        "ratio": ratio,
        "limit": LIMITS[compiled],
        "missed": ratio < LIMITS[compiled],
        "nodes_a_second": round(ours),
        "lists_a_second_of_python_chess": round(theirs),
    }


if __name__ == "__main__":
    figures = measure()
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.exit(figures["missed"])
