"""The given facts, and play drawn from numbers, for the tests of the rules."""

import json
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from libs.rules.fog import FogGame
from libs.rules.position import Position, Variant
from libs.rules.squares import parse_square
from libs.rules.tandem import TandemMatch

DATA = Path(__file__).resolve().parents[2] / "data"

# For laws that play whole lines: how long one takes says nothing on a busy machine.
IN_PLAY = settings(deadline=None, max_examples=20)


def vectors(name: str) -> list[dict[str, Any]]:
    """The positions of tests/data/NAME.json."""
    positions: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text())["positions"]
    return positions


def tandem(fen: str, kings_unmoved: tuple[bool, bool] | None = None) -> Position:
    """A tandem position."""
    return Position.from_fen(fen, "tandem", kings_unmoved)


def fog(fen: str) -> Position:
    """A fog position."""
    return Position.from_fen(fen, "fog")


def after(position: Position, *moves: str, profile: str = "online") -> Position:
    """The position after these moves."""
    for move in moves:
        position = position.play(move, "club" if profile == "club" else "online").position
    return position


def numbers(seed: int, count: int) -> list[int]:
    """Fixed choices for a line of play."""
    state = seed * 2654435761 % 2**32
    choices = []
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        choices.append(state >> 8)
    return choices


# A seed and a length rather than free numbers: long lines are where promotions, castling and mates are.
CHOICES = st.builds(numbers, st.integers(0, 2**32 - 1), st.integers(0, 160))


def board_play(variant: Variant, choices: list[int]) -> list[tuple[Position, str]]:
    """One board played by numbers: each picks a legal move; positions with the move made in them.

    In tandem every third capture comes back at once into the mover's own next hand, so that drops occur.
    """
    position = Position.start(variant)
    line = []
    for choice in choices:
        moves = position.legal_moves()
        if not moves:
            break
        uci = moves[choice % len(moves)]
        line.append((position, uci))
        played = position.play(uci)
        position = played.position
        if variant == "tandem" and played.captured and choice % 3:
            position = position.with_in_hand(played.captured if choice & 1 else played.captured.swapcase())
    return line


def match_play(choices: list[int], profile: str = "online") -> list[tuple[TandemMatch, int, str]]:
    """A tandem match played by numbers: matches with the (board, move) made in them."""
    match = TandemMatch.start("club" if profile == "club" else "online")
    line = []
    for choice in choices:
        boards = [board for board in (0, 1) if match.legal_moves(board)]
        if not boards:
            break
        board = boards[choice % len(boards)]
        moves = match.legal_moves(board)
        # Captures and drops are few among the moves: half of the numbers ask for one.
        position = match.positions[board]
        pieces = position.pieces()
        lively = [m for m in moves if "@" in m or parse_square(m[2:4]) in pieces] if choice & 2 else []
        pool = lively or list(moves)
        uci = pool[choice // 4 % len(pool)]
        line.append((match, board, uci))
        match = match.play(board, uci).match
    return line


def fog_play(choices: list[int]) -> list[tuple[FogGame, str]]:
    """A fog game played by numbers: games with the move made in them."""
    game = FogGame.start()
    line = []
    for choice in choices:
        if game.outcome:
            break
        moves = game.position.legal_moves()
        uci = moves[choice % len(moves)]
        line.append((game, uci))
        game = game.play(uci).game
    return line
