"""Workers come and go in mid-think: seats pass on, and slots are free again, within the times promised."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from gen.tandemfog.game.v1 import game_pb2
from tests.integration.bots.harness import FOG, TANDEM, Stack
from tests.kit.service import ServiceProcess

pytestmark = pytest.mark.alone

TAKEN_OVER_WITHIN_S = 3.0
FREE_WITHIN_S = 1.0
SLOW_PACE = "3"  # a bot takes its time, so that whatever happens, happens while it thinks


@asynccontextmanager
async def worker(stack: Stack, pace: str = SLOW_PACE) -> AsyncIterator[ServiceProcess]:
    """A worker as it runs in earnest, but for its pace."""
    environment = {
        "TANDEMFOG_PEERS_MATCHMAKING": stack.matchmaking_address,
        "TANDEMFOG_PEERS_GAME": stack.game_address,
        "TANDEMFOG_PEERS_VISIBILITY": stack.visibility_address,
        "TANDEMFOG_BOTS_PACE": pace,
        "TANDEMFOG_BOTS_SEARCH_PROCESSES": "1",
    }
    async with ServiceProcess("bots", environment) as process:
        yield process


async def seats_held(process: ServiceProcess) -> int:
    """How many seats a worker plays, as its metrics say."""
    url = f"http://127.0.0.1:{process.ready['metrics_port']}/metrics"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        for line in (await answer.text()).splitlines():
            if line.startswith("tandemfog_bots_seats "):
                return int(float(line.split()[1]))
    return 0


async def until_held(process: ServiceProcess, seats: int, within_s: float = 20.0) -> float:
    """Waits until a worker plays so many seats; how long that took in seconds."""
    began_s = asyncio.get_running_loop().time()
    async with asyncio.timeout(within_s):
        while await seats_held(process) != seats:
            await asyncio.sleep(0.02)
    return asyncio.get_running_loop().time() - began_s


@pytest.mark.scenario("W02")
async def test_the_seats_of_a_worker_killed_in_mid_think_are_another_ones_within_three_seconds(
    stack: Stack,
) -> None:
    async with worker(stack) as first:
        table = await stack.bots_table(TANDEM, level=1)
        await stack.started(table)
        await until_held(first, 4)
        async with worker(stack, pace="0") as second:
            assert await seats_held(second) == 0
            await first.kill()
            took_s = await until_held(second, 4)
            assert took_s < TAKEN_OVER_WITHIN_S
            assert (await stack.finished(table)).reason != "time"


@pytest.mark.scenario("W02")
async def test_the_end_of_a_match_in_mid_think_frees_its_slots_within_a_second(stack: Stack) -> None:
    async with worker(stack) as process:
        answer = await stack.play_now(FOG)
        async with stack.seat(answer.table.table_id, 0, answer.grant.token) as person:
            await until_held(process, 1)
            await person.until(lambda: person.view.on_turn)
            await person.act(uci="e2e4")
            await person.until_ply(1)
            await person.act(gesture=game_pb2.GESTURE_RESIGN)
            assert await until_held(process, 0) < FREE_WITHIN_S
            assert person.ply_on(0) == 1, "it had not moved yet"
