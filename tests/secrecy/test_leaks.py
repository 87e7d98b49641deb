"""The test of the test: a leak planted on any way out of the services is found by the law's own pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import uvloop

from tests.secrecy.leaks import LEAKS, planted
from tests.secrecy.plan import Plan, make_plan
from tests.secrecy.play import Told, play, play_again
from tests.secrecy.stage import open_stage

PAIRS_EACH = 2


@pytest.mark.rule("F-secret")
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_planted_leak_is_found_and_nothing_else_is(valkey_url: str, tmp_path: Path) -> None:
    plans = [replace(plan, leak=leak) for leak in LEAKS for plan in first_plans(leak)]
    honest = [make_plan(seed) for seed in range(4)]
    told, again = uvloop.run(play_leaking(valkey_url, tmp_path, [*plans, *honest]))
    found: dict[str, set[str]] = defaultdict(set)
    for plan, differences in told:
        found[plan.leak] |= {difference.channel for difference in differences}
    assert found.keys() == LEAKS.keys()
    assert {plan.leak for plan, _ in again} == LEAKS.keys(), "what leaks does so again"
    for name, leak in LEAKS.items():
        assert found[name] <= leak.channels, f"{name} came out elsewhere"


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


async def play_leaking(store_url: str, folder: Path, plans: list[Plan]) -> tuple[Told, Told]:
    """Plays the pairs with the leaks planted at the tables of their plans; of each leak one pair again."""
    async with open_stage(store_url, folder) as stage:
        with planted(stage.leaks):
            told = await play(stage, plans)
            one_each = {plan.leak: (plan, differences) for plan, differences in told}
            return told, await play_again(stage, list(one_each.values()), times=1)
