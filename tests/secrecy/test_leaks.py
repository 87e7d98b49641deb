"""The test of the test: a leak planted on any way out of the services is found by the law's own pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest
import uvloop

from tests.secrecy.leaks import LEAKS, planted
from tests.secrecy.pair import Played
from tests.secrecy.plan import Plan, make_plan
from tests.secrecy.play import Verdict, judge, play, play_each
from tests.secrecy.stage import open_stage

PAIRS_EACH = 2


@pytest.mark.rule("F-secret")
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_planted_leak_is_found_and_nothing_else_is(valkey_url: str, tmp_path: Path) -> None:
    plans = [replace(plan, leak=leak) for leak in LEAKS for plan in first_plans(leak)]
    honest = [make_plan(seed) for seed in range(4)]
    told, judged = uvloop.run(play_leaking(valkey_url, tmp_path, [*plans, *honest]))
    found: dict[str, set[str]] = defaultdict(set)
    for played in told:
        found[played.plan.leak] |= {difference.channel for difference in played.differences}
    assert found.keys() == LEAKS.keys()
    assert {verdict.plan.leak for verdict in judged if verdict.told} == LEAKS.keys(), (
        "what leaks is found out"
    )
    for name, leak in LEAKS.items():
        assert found[name] <= leak.channels, f"{name} came out elsewhere"


@pytest.mark.rule("F-secret")
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_frames_that_lateness_dropped_or_sent_twice_tell_no_pair_apart(
    valkey_url: str, tmp_path: Path
) -> None:
    async def play_late() -> list[Verdict]:
        async with open_stage(valkey_url, tmp_path) as stage:
            late = [played async for played in play_each(stage, [make_plan(seed) for seed in range(24)])]
            for number, played in enumerate(late):
                lose(played, Random(number))
            return await judge(stage, late, times=1)

    assert not [verdict.told for verdict in uvloop.run(play_late()) if verdict.told]


def lose(played: Played, dice: Random) -> None:
    """Drops a third of what one of the games' viewers were sent, and has another third come twice."""
    for record in played.records[dice.randrange(2)].values():
        for channel, messages in record.channels.items():
            record.channels[channel] = [
                message for message in messages for _ in range(dice.choice((0, 1, 2)))
            ]


def first_plans(leak: str) -> Iterator[Plan]:
    """The first pairs of the law whose viewer meets the leak, if there is one."""
    wanted = PAIRS_EACH
    for seed in count():
        plan = make_plan(seed)
        if LEAKS[leak].shows(plan):
            yield plan
            wanted -= 1
            if not wanted:
                return


async def play_leaking(store_url: str, folder: Path, plans: list[Plan]) -> tuple[list[Played], list[Verdict]]:
    """Plays the pairs with the leaks planted at the tables of their plans; of each leak one pair again."""
    async with open_stage(store_url, folder) as stage:
        with planted(stage.leaks):
            told = await play(stage, plans)
            one_each = {played.plan.leak: played for played in told}
            return told, await judge(stage, list(one_each.values()), times=1)
