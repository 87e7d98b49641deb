"""Many pairs at once over one stage."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import redis
import uvloop

from tests.kit.valkey import running_valkey
from tests.secrecy.contents import Leaf, highest_version
from tests.secrecy.pair import Pair, Played
from tests.secrecy.plan import LONGEST, Plan, make_plan
from tests.secrecy.records import Difference
from tests.secrecy.stage import Stage, open_stage

AT_ONCE = 20  # a list shows fifty tables at most


TIMES = 3
"""A pair that differs is played so often again."""


@dataclass(frozen=True)
class Verdict:
    """A pair that differed when it was first played, and what told it apart: "" for lateness alone."""

    plan: Plan
    differences: list[Difference]
    told: str


async def play(stage: Stage, plans: Sequence[Plan], at_once: int = AT_ONCE) -> list[Played]:
    """Plays all pairs once; what came of each that differed."""
    return [played async for played in play_each(stage, plans, at_once) if played.differences]


async def judge(stage: Stage, differing: Sequence[Played], times: int = TIMES) -> list[Verdict]:
    """Plays again the pairs that differed.

    What leaks every time differs every time. What leaks now and then differs now and then, as does what a
    machine at its limits cut off; but lateness says nothing that no play of the other game says.
    """
    plays = [[played] for played in differing]
    for _ in range(times):
        again = [played async for played in play_each(stage, [played.plan for played in differing])]
        for same, played in zip(plays, again, strict=True):
            same.append(played)
    return [Verdict(same[0].plan, same[0].differences, _what_told(same)) for same in plays]


def _what_told(plays: Sequence[Played]) -> str:
    said = [[played.said(game) for played in plays] for game in (0, 1)]
    for game in (0, 1):
        heard: set[Leaf] = set().union(*said[1 - game])
        alone = sorted(set().union(*said[game]) - heard)
        if alone:
            places = ", ".join(f"{where} is {what}" for where, what in alone[:3])
            return f"said in game {game + 1} of 2 alone, in {len(plays)} plays: {places}"
    highest = [max(highest_version(played.records[game]["spectator"]) for played in plays) for game in (0, 1)]
    if highest[0] != highest[1]:
        return f"a spectator's versions went up to {highest[0]} and to {highest[1]}, in {len(plays)} plays"
    return str(plays[0].differences[0]) if all(played.differences for played in plays) else ""


async def play_each(stage: Stage, plans: Sequence[Plan], at_once: int = AT_ONCE) -> AsyncIterator[Played]:
    """Plays all pairs once, and tells of each in its turn."""
    pairs = await asyncio.gather(*(Pair.open(stage) for _ in range(min(at_once, len(plans)))))
    try:
        for first in range(0, len(plans), at_once):
            for played in await _wave(stage, list(zip(plans[first : first + at_once], pairs, strict=False))):
                yield played
            for number, pair in enumerate(pairs):
                if pair.is_broken:
                    await pair.close()
                    pairs[number] = await Pair.open(stage)
    finally:
        await asyncio.gather(*(pair.close() for pair in pairs))


async def _wave(stage: Stage, wave: list[tuple[Plan, Pair]]) -> list[Played]:
    """Pairs in step, so that the same ply has the same time in all games."""
    dice = Random(wave[0][0].twins.seed)
    await asyncio.gather(*(pair.start(plan) for plan, pair in wave))
    for ply in range(LONGEST):
        await stage.clock.advance(dice.randrange(1, 5_000_000))
        await asyncio.gather(*(pair.step(ply) for _, pair in wave))
    return await asyncio.gather(*(pair.finish() for _, pair in wave))


@dataclass
class Tally:
    """What is known of some pairs: how many hid what, from whom, and how any could be told apart.

    `told` are those that differed every time, or in what was said; `disturbed` the others that differed.
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

    async def play_all(store_url: str) -> list[Verdict]:
        async with open_stage(store_url, folder) as stage:
            return await judge(stage, await play(stage, plans))

    with running_valkey(folder / "store") as server:
        with redis.Redis(port=server.port) as client:
            client.config_set("appendfsync", "no")  # nothing here is about what survives a crash
        verdicts = uvloop.run(play_all(server.url))
    for verdict in verdicts:
        line = f"pair {verdict.plan.twins.seed}: "
        if verdict.told:
            tally.told.append(line + verdict.told)
        else:
            tally.disturbed.append(f"{line}{verdict.differences[0]}")
    return tally
