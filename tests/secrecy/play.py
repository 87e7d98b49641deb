"""Many pairs at once over one stage."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import redis
import uvloop

from tests.kit.valkey import running_valkey
from tests.secrecy.pair import Pair
from tests.secrecy.plan import LONGEST, Plan, make_plan
from tests.secrecy.records import Difference
from tests.secrecy.stage import Stage, open_stage

AT_ONCE = 20  # a list shows fifty tables at most


Told = list[tuple[Plan, list[Difference]]]


async def play(stage: Stage, plans: Sequence[Plan], at_once: int = AT_ONCE) -> Told:
    """Plays all pairs; those that could be told apart, with what told them apart."""
    pairs = await asyncio.gather(*(Pair.open(stage) for _ in range(min(at_once, len(plans)))))
    told: Told = []
    try:
        for first in range(0, len(plans), at_once):
            told += await _wave(stage, list(zip(plans[first : first + at_once], pairs, strict=False)))
            for number, pair in enumerate(pairs):
                if pair.is_broken:
                    await pair.close()
                    pairs[number] = await Pair.open(stage)
    finally:
        await asyncio.gather(*(pair.close() for pair in pairs))
    return told


async def play_again(stage: Stage, told: Told, times: int = 3) -> Told:
    """Plays again the pairs that could be told apart: what leaks does so every time, what a machine at its
    limits cut off does not."""
    for _ in range(times):
        if told:
            told = await play(stage, [plan for plan, _ in told])
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


@dataclass
class Tally:
    """What is known of some pairs: how many hid what, from whom, and how any could be told apart.

    `disturbed` are those that differed, but not every time that they were played again.
    """

    pairs: int = 0
    viewers: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    disturbed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.pairs += other.pairs
        self.viewers += other.viewers
        self.hidden += other.hidden
        self.told += other.told
        self.disturbed += other.disturbed


def play_share(folder: Path, seeds: range) -> Tally:
    """Plays the pairs that these seeds name, on a store and services of their own."""
    folder.mkdir(parents=True)
    plans = [make_plan(seed) for seed in seeds]
    tally = Tally(len(plans))
    for plan in plans:
        tally.hidden.update(plan.hidden)
        tally.viewers["spectator" if plan.twins.viewer is None else "WB"[plan.twins.viewer]] += 1

    async def play_all(store_url: str) -> tuple[Told, Told]:
        async with open_stage(store_url, folder) as stage:
            told = await play(stage, plans)
            return told, await play_again(stage, told)

    with running_valkey(folder / "store") as server:
        with redis.Redis(port=server.port) as client:
            client.config_set("appendfsync", "no")  # nothing here is about what survives a crash
        once, again = uvloop.run(play_all(server.url))
    tally.told = _lines(again)
    leaking = {plan.twins.seed for plan, _ in again}
    tally.disturbed = _lines([(plan, found) for plan, found in once if plan.twins.seed not in leaking])
    return tally


def _lines(told: Told) -> list[str]:
    """Each pair with its first difference."""
    return [f"pair {plan.twins.seed}: {differences[0]}" for plan, differences in told]
