"""Random play against Fairy-Stockfish, move set by move set, in a process of its own (a bad name crashes it).

It decides nothing: it calls a blockable check mate, for one, which no list of moves shows.
"""

import json
import subprocess
import sys

import pytest

from libs.rules.position import Variant
from tests.unit.rules.data import board_play, match_play, numbers

ORACLE = """
import json, sys
import pyffish

pyffish.load_variant_config('''
[tandemfog_dark:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
''')
for line in sys.stdin:
    variant, fen = json.loads(line)
    print(json.dumps(sorted(pyffish.legal_moves(variant, fen, []))), flush=True)
"""


def oracle_moves(questions: list[tuple[str, str]]) -> list[list[str]]:
    """The sorted legal moves of each (variant, FEN), all asked of one process."""
    asked = "".join(json.dumps(question) + "\n" for question in questions)
    command = [sys.executable, "-c", ORACLE]
    answer = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=100, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def differences(variant: Variant, name: str, seeds: range) -> list[str]:
    positions = [position for seed in seeds for position, _ in board_play(variant, numbers(seed, 120))]
    if variant == "tandem":
        for seed in seeds:
            positions += [match.positions[board] for match, board, _ in match_play(numbers(seed, 120))]
    answers = oracle_moves([(name, position.fen()) for position in positions])
    assert len(answers) == len(positions)
    return [
        f"{position.fen()}: {sorted(set(position.legal_moves()) ^ set(moves))}"
        for position, moves in zip(positions, answers, strict=True)
        if list(position.legal_moves()) != moves
    ]


@pytest.mark.rule("T-drop")
@pytest.mark.rule("T-check")
def test_tandem_boards_have_fairy_stockfishs_moves() -> None:
    assert differences("tandem", "crazyhouse", range(12)) == []


@pytest.mark.rule("F-nocheck")
def test_fog_boards_have_the_moves_of_chess_without_royal_kings() -> None:
    assert differences("fog", "tandemfog_dark", range(20)) == []
