"""What a side of a fog game may know of the board: F-see, as a function of the true position."""

from dataclasses import dataclass

from libs.rules.board import square_of
from libs.rules.generate import sight
from libs.rules.position import Position


@dataclass(frozen=True, slots=True)
class Observed:
    """One side's view: the visible ``squares`` 0..63 and the ``pieces`` on them, own ones included."""

    squares: frozenset[int]
    pieces: dict[int, str]

    # As for Position.
    def __reduce__(self) -> tuple[type["Observed"], tuple[object, ...]]:
        return Observed, (self.squares, self.pieces)


def visible(position: Position, side: int) -> frozenset[int]:
    """The squares that a side sees in a fog position (F-see), whoever's turn it is."""
    return frozenset([square_of(cell) for cell in sight(position.board(), side)])


def observed(position: Position, side: int) -> Observed:
    """What a side sees in a fog position: nothing in it depends on anything that is hidden (F-secret)."""
    squares = visible(position, side)
    pieces = {square: letter for square, letter in position.pieces().items() if square in squares}
    return Observed(squares, pieces)
