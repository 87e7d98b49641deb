"""How long a bot thinks, or seems to: like a person, and never so long that its clock suffers. Pure."""

from __future__ import annotations

from random import Random

SHORTEST_MS = 600
LONGEST_MS = 4_000
_HASTY_MS = 120


def think_ms(
    moves: int, plies: int, remaining_ms: int | None, increment_ms: int, pace: float, dice: Random
) -> int:
    """Return how long to think, in milliseconds.

    ``moves`` is how many there are to choose from, ``plies`` how many were made on the board,
    ``remaining_ms`` the own clock (None without one), ``pace`` what the time is multiplied by.
    """
    usual = dice.triangular(SHORTEST_MS, LONGEST_MS, 1_300)
    if moves == 1 or plies < 6:
        usual = min(usual, dice.uniform(SHORTEST_MS, 1_400))
    if remaining_ms is not None:
        # A share of what is left, so that it gets quicker and quicker instead of losing on time.
        usual = min(usual, max(_HASTY_MS, remaining_ms / 40 + increment_ms / 2))
        usual = min(usual, max(0.0, remaining_ms - 500) / 2)
    return int(usual * pace)
