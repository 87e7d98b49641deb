"""Deadlines are noticed in time, without anybody asking (p99 within 100 ms)."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
import redis
import redis.asyncio as aioredis

from gen.tandemfog.game.v1.game_pb2 import ReportPresenceRequest
from libs.runtime.refusals import call
from services.game.keys import match_keys
from tests.integration.game.kit import (
    StoreClock,
    game_service,
    game_settings,
    gateway,
    start_match,
    until,
)
from tests.integration.game.test_feed import Following, following

pytestmark = pytest.mark.alone

SECOND = 1_000_000
MATCHES = 120
SPREAD_S = 1.5
TOGETHER = 64


@pytest.mark.rule("T-clock")
async def test_flags_that_nobody_asks_about_fall_by_themselves(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path, beat_ms=20)
    async with game_service(settings) as caller, following(caller, 7) as stream:
        arena = await start_match(caller, tmp_path)
        await arena.play("A:e2e4 B:e2e4")
        clock.advance(200 * SECOND)
        ended = await ending(stream)
        assert ended == (arena.match_id, "time", 180 * SECOND)


async def ending(stream: Following) -> tuple[str, str, int]:
    """The next match that ends: its id, why, and when in its own time."""
    while True:
        item = (await stream.next()).event
        if item.event.HasField("ended"):
            return item.event.match_id, item.event.ended.reason, item.event.at_us


async def measure_machine(url: str, loop_ms: list[float], store_ms: list[float]) -> None:
    """What a busy machine adds by itself: the loop's lateness, and the time of a write to the disk."""
    async with aioredis.Redis.from_url(url, socket_timeout=None) as client:
        while True:
            asked = time.monotonic() + 0.01
            await asyncio.sleep(0.01)
            loop_ms.append((time.monotonic() - asked) * 1000)
            asked = time.monotonic()
            await client.set("probe", "x")
            store_ms.append((time.monotonic() - asked) * 1000)


@pytest.mark.slow
async def test_the_sweep_is_late_by_less_than_100_ms(valkey_url: str, tmp_path: Path) -> None:
    """Real time: many matches whose flags are moved to instants spread over the next moments.

    A flag takes three steps in the store, each of them a write to the disk.
    """
    settings = game_settings(valkey_url, tmp_path, test_clock=False, beat_ms=1_000)
    late_ms: list[float] = []
    loop_ms: list[float] = [0.0]
    store_ms: list[float] = [0.0]
    async with (
        game_service(settings) as caller,
        gateway(caller),
        following(caller, *range(16)) as stream,
    ):
        await call(caller.game.ReportPresence, ReportPresenceRequest(gateway_id="g1"))
        arenas = [await start_match(caller, tmp_path, shard=number % 16) for number in range(MATCHES)]
        due_at: dict[str, float] = {}

        async def collect() -> None:
            for _ in range(MATCHES):
                match_id, reason, _ = await ending(stream)
                assert reason == "time"
                late_ms.append((time.monotonic() - due_at[match_id]) * 1000)

        # From now on: on a busy machine the first flags fall before the last ones are set.
        collecting = asyncio.create_task(collect())
        with redis.Redis.from_url(valkey_url) as store:
            for number, arena in enumerate(arenas):
                await arena.play("A:e2e4")
                keys = match_keys(arena.match_id)
                # What is left on B-White's clock when the test is ready, and no more.
                left_us = int((SPREAD_S + 0.5 + SPREAD_S * number / MATCHES) * SECOND)
                passed_us = int((await arena.state()).at_us)
                store.hset(keys.clock, "remaining2", passed_us + left_us)
                due_at[arena.match_id] = time.monotonic() + left_us / SECOND
                await arena.play("A:e7e5")  # the commit reckons and schedules the deadline
        measuring = asyncio.create_task(measure_machine(valkey_url, loop_ms, store_ms))
        async with asyncio.timeout(30):
            await collecting
        measuring.cancel()
    late_ms.sort()
    p99 = late_ms[int(len(late_ms) * 0.99) - 1]
    machine_ms = 3 * (max(loop_ms) + max(store_ms))
    found = f"median {late_ms[MATCHES // 2]:.1f} ms, p99 {p99:.1f} ms, the machine itself {machine_ms:.1f} ms"
    assert p99 < 100 + machine_ms, found


@pytest.mark.rule("T-clock")
async def test_flags_of_one_shard_that_fall_at_once_all_bear_their_own_instant(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path, beat_ms=20)
    async with game_service(settings) as caller, following(caller, 7) as stream:
        arenas = [await start_match(caller, tmp_path) for _ in range(TOGETHER)]
        clock.advance(200 * SECOND)
        ended = {await ending(stream) for _ in arenas}
    assert ended == {(arena.match_id, "nobody_played", 180 * SECOND) for arena in arenas}


async def test_a_match_that_is_gone_is_taken_off_the_list(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    async with game_service(game_settings(valkey_url, tmp_path, beat_ms=20)) as caller:
        arena = await start_match(caller, tmp_path)
        keys = match_keys(arena.match_id)
        with redis.Redis.from_url(valkey_url) as store:
            store.delete(*keys.commit[2:6])
            clock.advance(200 * SECOND)

            async def gone() -> bool:
                return store.zscore(keys.shard.deadlines, arena.match_id) is None

            await until(gone)


async def test_a_deadline_that_a_dead_replica_had_set_is_kept_by_another(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    async with game_service(game_settings(valkey_url, tmp_path)) as first:
        arena = await start_match(first, tmp_path)
        await arena.play("A:e2e4")
    settings = game_settings(valkey_url, tmp_path, beat_ms=20)
    async with game_service(settings) as second, following(second, 7) as stream:
        clock.advance(180 * SECOND)
        assert (await ending(stream))[:2] == (arena.match_id, "time")


async def test_a_service_that_is_busy_with_deadlines_stops_when_told(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path, start_grace_ms=15_000)
    for _ in range(8):
        async with asyncio.timeout(10), game_service(settings) as caller:
            arena = await start_match(caller, tmp_path)
            await call(caller.game.ReportPresence, ReportPresenceRequest(gateway_id="g1"))
            clock.advance(30 * SECOND)  # the check of presence and a silent gateway are due at once
            async with game_service(settings):
                assert await arena.outcome() is None
