"""The five levels: how much each one looks at, and what it overlooks. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """What is searched for a move. A mate in one is seen at every level.

    ``nodes`` is how many, ``noise`` how far a position may be misjudged, in hundredths of a pawn, ``missed``
    the share of its drops that it does not think of. In fog it believes in at most ``belief`` positions,
    tries its moves in ``samples`` of them, looks ``fog_depth`` plies ahead, and misjudges the mean by
    ``fog_noise``. ``strong``: an engine of the operator's may play for it in tandem.
    """

    name: str
    nodes: int
    noise: int
    missed: float
    belief: int = 0
    samples: int = 0
    fog_depth: int = 1
    fog_noise: int = 0
    strong: bool = False


LEVELS = (
    Level("novice", 200, 120, 0.36, 50, 4, 1, 240),
    Level("casual", 550, 70, 0.22, 150, 7, 1, 100),
    Level("club", 1_700, 32, 0.08, 400, 12, 2, 90),
    Level("expert", 8_000, 0, 0.0, 800, 24, 2, 24),
    Level("master", 50_000, 0, 0.0, 1_000, 32, 2, strong=True),
)
INSTANT_NODES = 300
"""What the fallback searches: a millisecond or two compiled, some ten as plain files."""


def level_of(number: int) -> Level:
    """The level of a number from 1; numbers outside count as the nearest one."""
    return LEVELS[min(len(LEVELS), max(1, number)) - 1]
