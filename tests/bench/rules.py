"""How fast the rules are, as ratios to python-chess measured in the same run: `python -m tests.bench.rules`.

Prints one line of JSON with the ratios, the limits and the figures behind them (microseconds, nodes a
second), and ends with an error when a limit is missed. TANDEMFOG_PURE=1 measures the uncompiled files.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import chess
import chess.variant

from libs.rules import board as core
from libs.rules.bpgn import read_bpgn
from libs.rules.generate import perft
from libs.rules.position import Position
from libs.rules.record import start_match
from tests.unit.rules.data import DATA

FULL_HANDS = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1[QRBNPPqrbnpp] w - - 0 8"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1"
LIMITS = {"legal_moves_times_faster": 2.0, "perft_times_faster": 2.0, "play_times_slower_than_push": 10.0}


def best(work: Callable[[], object], rounds: int) -> float:
    """Seconds of the fastest of some rounds: what the machine's other work disturbs least."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def legal_moves() -> tuple[float, float]:
    """Microseconds for all legal moves, middle game, full hands: (ours, as sorted text; python-chess)."""
    position, oracle = Position.from_fen(FULL_HANDS, "tandem"), chess.variant.CrazyhouseBoard(FULL_HANDS)
    assert len(position.legal_moves()) == oracle.legal_moves.count()
    ours = best(position.legal_moves, 100)
    theirs = best(lambda: list(oracle.legal_moves), 100)
    return ours * 1e6, theirs * 1e6


def oracle_perft(board: chess.Board, depth: int) -> int:
    """The same counting with python-chess."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += oracle_perft(board, depth - 1)
        board.pop()
    return nodes


def counting() -> tuple[float, float]:
    """Nodes a second in perft to depth 3: (ours, python-chess), empty hands, so both count the same lines."""
    board, oracle = Position.from_fen(KIWIPETE, "tandem").board(), chess.Board(KIWIPETE.replace("[]", ""))
    nodes = perft(board, 3)
    assert nodes == oracle_perft(oracle, 3)
    return nodes / best(lambda: perft(board, 3), 5), nodes / best(lambda: oracle_perft(oracle, 3), 2)


def playing() -> tuple[float, float]:
    """Microseconds a move of a recorded match: (ours with hands, verdicts and SAN; their bare push).

    The fastest of some rounds is taken move by move: a whole round would be interrupted every time.
    """
    record, _ = read_bpgn((DATA / "bpgn" / "game_02.bpgn").read_text(encoding="latin-1"))
    ours = theirs = 0.0
    match = start_match(record)
    for move in record.moves:
        board = chess.variant.CrazyhouseBoard(match.positions[move.board].fen())
        pushed = chess.Move.from_uci(move.uci)
        theirs += min(push_once(board, pushed) for _ in range(40))
        ours += best(partial(match.play, move.board, move.uci), 40)
        match = match.play(move.board, move.uci).match
    return ours / len(record.moves) * 1e6, theirs / len(record.moves) * 1e6


def push_once(board: chess.Board, move: chess.Move) -> float:
    """Seconds of one push, which is taken back."""
    start = time.perf_counter()
    board.push(move)
    spent = time.perf_counter() - start
    board.pop()
    return spent


def measure() -> dict[str, Any]:
    """All figures of one run; ``missed`` names the limits that were not kept."""
    legal, nodes, play = legal_moves(), counting(), playing()
    ratios = {
        "legal_moves_times_faster": round(legal[1] / legal[0], 2),
        "perft_times_faster": round(nodes[0] / nodes[1], 2),
        "play_times_slower_than_push": round(play[0] / play[1], 2),
    }
    return {
        "compiled": not str(core.__file__).endswith(".py"),
        "ratios": ratios,
        "limits": LIMITS,
        "missed": [
            name
            for name, limit in LIMITS.items()
            if (ratios[name] >= limit if name.startswith("play") else ratios[name] < limit)
        ],
        "legal_moves_us": [round(value, 1) for value in legal],
        "perft_nodes_a_second": [round(value) for value in nodes],
        "play_us": [round(value, 1) for value in play],
    }


if __name__ == "__main__":
    figures = measure()
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.exit(bool(figures["missed"]))
