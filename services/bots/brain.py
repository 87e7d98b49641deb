"""Which move a bot makes. Pure: the situation, the level and the dice decide it."""

from __future__ import annotations

from random import Random

from services.bots import fog_brain, tandem_brain
from services.bots.situation import Situation

# How far a move's worth may be misjudged, in hundredths of a pawn, by level. A mate in one, or a king to
# take, is seen at every level.
_NOISE = {1: 160.0, 2: 90.0, 3: 45.0, 4: 20.0, 5: 6.0}


def choose(situation: Situation, level: int, dice: Random) -> str | None:
    """Return one of the situation's legal moves as UCI; None when there is none (T-wait)."""
    if not situation.moves:
        return None
    noise = _NOISE[min(5, max(1, level))]
    if situation.variant == "fog":
        return fog_brain.choose(situation, noise, dice)
    return tandem_brain.choose(situation, noise, dice)
