"""Moves as text: UCI ("e2e4", "e7e8q", castling as the king's two steps) with drops ("N@f3")."""

import re
from typing import Final

from libs.rules.board import DROP, FROM_SHIFT, KIND_SHIFT, KING, KNIGHT, NAMED, PAWN, cell_of
from libs.rules.errors import BadText
from libs.rules.squares import SQUARE_NAMES, parse_square

KIND_LETTERS: Final = " PNBRQK"  # by kind of libs.rules.board

_BOARD_MOVE: Final = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")
_DROP: Final = re.compile(r"([PNBRQ])@([a-h][1-8])")


def _texts() -> dict[int, str]:
    """The text of every move there can be, by its ``NAMED`` bits."""
    texts = {}
    for to, name in enumerate(SQUARE_NAMES):
        for kind in range(PAWN, KING):
            texts[DROP | kind << KIND_SHIFT | cell_of(to)] = f"{KIND_LETTERS[kind]}@{name}"
        for start, origin in enumerate(SQUARE_NAMES):
            bits = cell_of(start) << FROM_SHIFT | cell_of(to)
            texts[bits] = origin + name
            if name[1] in "18":
                for kind in range(KNIGHT, KING):
                    texts[bits | kind << KIND_SHIFT] = origin + name + KIND_LETTERS[kind].lower()
    return texts


TEXTS: Final = _texts()


def move_text(move: int) -> str:
    """The UCI text of a move of the core."""
    return TEXTS[move & NAMED]


def parse_move(text: str) -> int:
    """The core's move for a UCI text, as its ``NAMED`` bits.

    Whether there is such a move on some board is not looked at. Raises BadText("bad_uci").
    """
    drop = _DROP.fullmatch(text)
    if drop:
        return DROP | KIND_LETTERS.index(drop[1]) << KIND_SHIFT | cell_of(parse_square(drop[2]))
    move = _BOARD_MOVE.fullmatch(text)
    if not move:
        raise BadText("bad_uci", f"{text[:20]!r} is no move: expected a form like e2e4, e7e8q or N@f3.")
    kind = KIND_LETTERS.index(move[3].upper()) if move[3] else 0
    start, to = cell_of(parse_square(move[1])), cell_of(parse_square(move[2]))
    return kind << KIND_SHIFT | start << FROM_SHIFT | to
