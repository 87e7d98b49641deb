"""Names of squares and sides: squares are 0..63 with a1=0, b1=1 ... h8=63; sides are 0 and 1."""

from typing import Final

from libs.rules.errors import BadText

WHITE: Final = 0
BLACK: Final = 1

SQUARE_NAMES: Final = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


def square_name(square: int) -> str:
    """The name of a square 0..63: 0 is "a1", 63 is "h8"."""
    return SQUARE_NAMES[square]


def parse_square(text: str) -> int:
    """The square 0..63 of a name like "e4"; raises BadText("bad_square")."""
    square = _SQUARES.get(text)
    if square is None:
        raise BadText("bad_square", f"{text[:20]!r} is not a square from a1 to h8.")
    return square


def side_name(side: int) -> str:
    """ "white" for 0, "black" for 1."""
    return ("white", "black")[side]
