"""Many pairs at once over one stage."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

from tests.secrecy.pair import Pair
from tests.secrecy.plan import LONGEST, Plan
from tests.secrecy.records import Difference
from tests.secrecy.stage import Stage

AT_ONCE = 20  # a list shows fifty tables at most


Told = list[tuple[Plan, list[Difference]]]


async def play(stage: Stage, plans: Sequence[Plan], at_once: int = AT_ONCE) -> Told:
    """Plays all pairs; those that could be told apart, with what told them apart."""
    pairs = await asyncio.gather(*(Pair.open(stage) for _ in range(min(at_once, len(plans)))))
    told: Told = []
    try:
        for first in range(0, len(plans), at_once):
            wave = list(zip(plans[first : first + at_once], pairs, strict=False))
            told += await _wave(stage, wave)
    finally:
        await asyncio.gather(*(pair.close() for pair in pairs))
    return told


async def _wave(stage: Stage, wave: list[tuple[Plan, Pair]]) -> Told:
    """Pairs in step, so that the same ply has the same time in all games."""
    dice = Random(wave[0][0].twins.seed)
    await asyncio.gather(*(pair.start(plan) for plan, pair in wave))
    for ply in range(LONGEST):
        await stage.clock.advance(dice.randrange(1, 5_000_000))
        await asyncio.gather(*(pair.step(ply) for _, pair in wave))
    found = await asyncio.gather(*(pair.finish() for _, pair in wave))
    return [(plan, differences) for (plan, _), differences in zip(wave, found, strict=True) if differences]
