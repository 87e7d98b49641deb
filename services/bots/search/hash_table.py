"""What the search has found out about positions, by their key. Part of the search, compiled with it."""

from array import array
from typing import Final

from mypy_extensions import i64

EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
NOTHING: Final = -1
_SIZE: Final = 1 << 16
_MASK: Final = _SIZE - 1
_OFFSET: Final = 1 << 16


class HashTable:
    """The newest entry of each place wins. An entry is one int: score, bound, depth, move."""

    def __init__(self) -> None:
        # Arrays take a megabyte, however full they are; lists of ints would take five.
        self.keys: array[int] = array("q", [NOTHING]) * _SIZE
        self.entries: array[int] = array("q", [0]) * _SIZE

    def entry(self, key: i64) -> i64:
        """The entry of a position, NOTHING without one."""
        place: i64 = key & _MASK
        return self.entries[place] if self.keys[place] == key else NOTHING

    def store(self, key: i64, move: i64, depth: i64, bound: i64, score: i64) -> None:
        """Note a position; ``move`` -1 for none."""
        place: i64 = key & _MASK
        self.keys[place] = key
        self.entries[place] = (move + 1) | depth << 22 | bound << 29 | (score + _OFFSET) << 31


def move_in(entry: i64) -> i64:
    """The best move known, -1 for none."""
    return (entry & ((1 << 22) - 1)) - 1


def depth_in(entry: i64) -> i64:
    """How deep it was searched."""
    return (entry >> 22) & 127


def bound_in(entry: i64) -> i64:
    """What the score is: EXACT, AT_LEAST or AT_MOST."""
    return (entry >> 29) & 3


def score_in(entry: i64) -> i64:
    """The score; mates count from the position."""
    return (entry >> 31) - _OFFSET
