"""When a shard is looked at next."""

from __future__ import annotations

import asyncio
import time

from services.game.sweep import Alarms
from tests.unit.game.kit import MATCH_ID

SHARD = 7


async def waited(alarms: Alarms, in_s: float) -> float:
    started = time.monotonic()
    await alarms.wait(SHARD, started + in_s)
    return time.monotonic() - started


async def test_it_waits_as_long_as_told() -> None:
    assert 0.02 <= await waited(Alarms(), 0.02) < 1


async def test_something_earlier_ends_the_wait() -> None:
    alarms = Alarms()
    waiting = asyncio.create_task(waited(alarms, 60))
    await asyncio.sleep(0)
    alarms.expect(MATCH_ID, time.monotonic() + 30)
    alarms.expect(MATCH_ID, time.monotonic() + 0.01)
    assert await waiting < 5


async def test_what_is_expected_between_two_waits_is_not_forgotten() -> None:
    alarms = Alarms()
    await alarms.wait(SHARD, time.monotonic())
    alarms.expect(MATCH_ID, time.monotonic() + 0.01)
    assert await waited(alarms, 60) < 5


async def test_something_later_or_of_another_shard_changes_nothing() -> None:
    alarms = Alarms()
    alarms.expect("08" + "a" * 24, time.monotonic())
    alarms.expect(MATCH_ID, time.monotonic() + 60)
    assert 0.02 <= await waited(alarms, 0.02) < 1
