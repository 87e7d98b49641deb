"""How long a bot thinks, or seems to: like a person, and never so long that its clock suffers. Pure."""

from __future__ import annotations

from random import Random

SHORTEST_MS = 600
LONGEST_MS = 4_000
# The most that a board is slowed down and sped up by, to stay beside the other one.
SLOWEST, FASTEST = 4.0, 0.25
_HASTY_MS = 120


def think_ms(
    moves: int, plies: int, lead: int, remaining_ms: int | None, increment_ms: int, pace: float, dice: Random
) -> int:
    """Return how long to think, in milliseconds.

    ``moves`` is how many there are to choose from, ``plies`` how many were made on the board, ``lead`` how
    many more than on the other one: where bots play each other they wait for it, as four people at a table
    look at both boards, and hurry after it. ``remaining_ms`` is the own clock (None without one), ``pace``
    what the time is multiplied by.
    """
    usual = dice.triangular(SHORTEST_MS, LONGEST_MS, 1_300)
    if moves == 1 or plies < 6:
        usual = min(usual, dice.uniform(SHORTEST_MS, 1_400))
    if lead < -1:
        usual *= max(FASTEST, 1 + lead / 4)
    if remaining_ms is not None:
        # A share of what is left, so that it gets quicker and quicker instead of losing on time.
        usual = min(usual, max(_HASTY_MS, remaining_ms / 40 + increment_ms / 2))
        usual = min(usual, max(0.0, remaining_ms - 500) / 2)
    if lead > 1:
        waiting = usual * min(SLOWEST, lead)
        usual = waiting if remaining_ms is None else max(usual, min(waiting, remaining_ms / 15))
    return int(usual * pace)
