"""Moves as text: UCI ("e2e4", "e7e8q", castling as the king's two steps) with drops ("N@f3")."""

import re
from functools import cache
from typing import Final

from libs.rules.board import DROP, FROM_SHIFT, KIND, KIND_SHIFT, TO, cell_of, square_of
from libs.rules.errors import BadText
from libs.rules.squares import SQUARE_NAMES, parse_square

KIND_LETTERS: Final = " PNBRQK"  # by kind of libs.rules.board
TEXT_BITS: Final = DROP | KIND << KIND_SHIFT | TO << FROM_SHIFT | TO  # what of a move its text shows

_BOARD_MOVE: Final = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")
_DROP: Final = re.compile(r"([PNBRQ])@([a-h][1-8])")


@cache
def _text(bits: int) -> str:
    to = SQUARE_NAMES[square_of(bits & TO)]
    letter = KIND_LETTERS[(bits >> KIND_SHIFT) & KIND]
    if bits & DROP:
        return f"{letter}@{to}"
    return SQUARE_NAMES[square_of((bits >> FROM_SHIFT) & TO)] + to + letter.strip().lower()


def move_text(move: int) -> str:
    """The UCI text of a move of the core."""
    return _text(move & TEXT_BITS)


def parse_move(text: str) -> int:
    """The core's move for a UCI text, flags apart from DROP left out: compare with ``move & TEXT_BITS``.

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
