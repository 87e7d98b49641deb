"""How a match or game ended: who won and by which rule."""

from dataclasses import dataclass
from typing import Final

MATE: Final = "mate"
TIME: Final = "time"
RESIGNATION: Final = "resignation"
LEAVING: Final = "leaving"
AGREEMENT: Final = "agreement"
NOBODY_CAN_MOVE: Final = "nobody_can_move"
MOVE_LIMIT: Final = "move_limit"
ABORTED: Final = "aborted"
NOBODY_PLAYED: Final = "nobody_played"
KING_CAPTURED: Final = "king_captured"
NO_MOVES: Final = "no_moves"
THREEFOLD: Final = "threefold"
FIFTY_MOVES: Final = "fifty_moves"
IDLE: Final = "idle"
CLOSED: Final = "closed"

_NO_RESULT: Final = frozenset({ABORTED, NOBODY_PLAYED, IDLE, CLOSED})


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end. ``winner``: in tandem team 1 or 2, in fog 1 (White) or 2 (Black), None for draw or no result.

    ``reason`` is one of this module's constants and names the rule that ended it.
    """

    winner: int | None
    reason: str


def is_aborted(outcome: Outcome) -> bool:
    """Whether it ended without a result: aborted, nobody_played, idle or closed."""
    return outcome.reason in _NO_RESULT


def is_draw(outcome: Outcome) -> bool:
    """Whether it ended drawn."""
    return outcome.winner is None and not is_aborted(outcome)
