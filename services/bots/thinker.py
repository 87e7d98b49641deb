"""A move in time: from the search processes when they answer in time, else from a glance in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from random import Random

from services.bots.brain import choose
from services.bots.fog_search import plan as fog_plan
from services.bots.levels import INSTANT_NODES, level_of
from services.bots.metrics import BotsMetrics
from services.bots.pool import Overloaded, SearchPool
from services.bots.situation import Situation
from services.bots.tandem_brain import Plan, plan

LONGEST_MS = 1_000
PROBE_MS = 150
_SHORTEST_MS = 20
_SHARE = 40
_GRACE = 1.5
"""How much longer than its ceiling a plan may take, waiting included, before it is given up."""


def ceiling_ms(remaining_ms: int | None) -> int:
    """Return the most time that a search may take, from the own clock (None without one)."""
    if remaining_ms is None:
        return LONGEST_MS
    return min(LONGEST_MS, max(_SHORTEST_MS, remaining_ms // _SHARE))


class Thinker:
    """Chooses moves for all seats of a worker."""

    def __init__(self, pool: SearchPool, metrics: BotsMetrics) -> None:
        self._pool = pool
        self._metrics = metrics

    async def choose(self, situation: Situation, level: int, longest_ms: int, dice: Random) -> str | None:
        """Return a legal move within about ``longest_ms``; None when there is none (T-wait)."""
        if not situation.moves:
            return None
        if len(situation.moves) > 1:
            try:
                async with asyncio.timeout(longest_ms * _GRACE / 1000):
                    strength = level_of(level)
                    if situation.variant == "fog":
                        return (await self._pool.think(fog_plan(situation, strength, dice), longest_ms)).uci
                    return (await self._pool.think(plan(situation, strength, dice), longest_ms)).uci
            except TimeoutError:
                self._metrics.fallbacks.labels("late").inc()
            except Overloaded:
                self._metrics.fallbacks.labels("overloaded").inc()
        return choose(situation, level, dice, INSTANT_NODES)

    async def what_if(self, plans: Mapping[str, Plan]) -> dict[str, int]:
        """Return the scores of these plans by their names; nothing while others wait to find a move."""
        scores: dict[str, int] = {}
        try:
            for name, wanted in plans.items():
                if self._pool.busy:
                    return {}
                scores[name] = (await self._pool.think(wanted, PROBE_MS)).score
        except Overloaded:
            return {}
        return scores
