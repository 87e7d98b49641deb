"""Which move a bot makes, decided in this process. Pure: the situation, the level and the dice decide it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from services.bots import fog_brain, tandem_brain
from services.bots.levels import level_of
from services.bots.situation import Situation


def choose(situation: Situation, level: int, dice: Random, most_nodes: int) -> str | None:
    """Return one of the situation's legal moves as UCI; None when there is none (T-wait).

    At most ``most_nodes`` are searched, however strong the level.
    """
    if not situation.moves:
        return None
    strength = level_of(level)
    if situation.variant == "fog":
        return fog_brain.choose(situation, strength.fog_noise, dice)
    strength = replace(strength, nodes=min(strength.nodes, most_nodes))
    return tandem_brain.think(tandem_brain.plan(situation, strength, dice), lambda: False).uci
