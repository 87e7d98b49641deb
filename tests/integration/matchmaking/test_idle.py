"""What matchmaking asks of the store while nobody plays."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from tests.integration.matchmaking.harness import STARTED, Run

pytestmark = pytest.mark.alone  # counts what is asked in a time


async def test_the_loops_ask_by_digest_and_what_they_ask_travels_together(run: Run, valkey_url: str) -> None:
    matchmaking = await run(sweep_ms=20)

    def looks(script: str) -> float:
        return matchmaking.metric("script_seconds_count", script=script)

    async def until(count: float) -> None:
        async with asyncio.timeout(10):
            while looks("take_due") < count:
                await asyncio.sleep(0.01)

    async with Redis.from_url(valkey_url) as store:
        await until(10)
        begun, reads = looks("take_due") + looks("look"), (await store.info("stats"))["total_reads_processed"]
        whole = (await store.info("commandstats"))["cmdstat_eval"]["calls"]
        await until(looks("take_due") + 50)
        asked = looks("take_due") + looks("look") - begun
        reads = (await store.info("stats"))["total_reads_processed"] - reads
        assert (await store.info("commandstats"))["cmdstat_eval"]["calls"] == whole
        assert asked >= 90
        assert reads < 0.75 * asked, "the sweep's look and the queue's went each by itself"


async def test_a_table_starts_although_the_store_has_forgotten_all_scripts(run: Run, valkey_url: str) -> None:
    matchmaking = await run()
    made = await matchmaking.play_now()
    async with Redis.from_url(valkey_url) as store:
        await store.script_flush()
    await matchmaking.until(made.table.table_id, STARTED)
    assert matchmaking.metric("script_loads_total") > 0
