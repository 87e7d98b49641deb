"""The search processes: in time, free again at once, replaced when lost, and never in the way of a move."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from libs.rules.position import Position
from libs.runtime.metrics import Metrics
from services.bots.levels import LEVELS, Level
from services.bots.metrics import BotsMetrics
from services.bots.pool import WAITING_PER_PROCESS, Overloaded, SearchPool
from services.bots.tandem_brain import Plan, plan, think
from services.bots.thinker import Thinker
from tests.unit.bots.positions import tandem_situation

MIDDLE = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1[QRBNPPqrbnpp] w - - 0 8"
SITUATION = tandem_situation(Position.from_fen(MIDDLE, "tandem"))
ENDLESS = Level("endless", 1_000_000_000, 0, 0.0)


class Pool(SearchPool):
    """A pool whose metrics the test can ask."""

    def __init__(self, processes: int, engine: tuple[str, ...] = ()) -> None:
        self.registry = Metrics("bots")
        self.metrics = BotsMetrics(self.registry)
        super().__init__(processes, self.metrics, engine)

    def value(self, name: str) -> float:
        found = self.registry.registry.get_sample_value(f"tandemfog_bots_{name}")
        return found or 0.0

    async def until(self, name: str, value: float) -> None:
        """Wait until a metric has this value."""
        async with asyncio.timeout(30):
            while self.value(name) != value:
                await asyncio.sleep(0.01)


@asynccontextmanager
async def running(processes: int = 1, engine: tuple[str, ...] = ()) -> AsyncIterator[Pool]:
    pool = Pool(processes, engine)
    work = asyncio.create_task(pool.run())
    try:
        await pool.until("search_processes", processes)
        yield pool
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


def a_plan(level: Level) -> Plan:
    return plan(SITUATION, level, Random(1))


def children() -> list[int]:
    """The search processes of this process."""
    mine = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [
        int(pid)
        for pid in mine
        if b"services.bots.search_process" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


async def test_a_process_thinks_what_this_process_would_think_and_reports_its_figures() -> None:
    async with running() as pool:
        for level in LEVELS[:4]:
            assert await pool.think(a_plan(level), 60_000) == think(a_plan(level), lambda: False)
        assert pool.value("search_nodes_count") == pool.value("think_seconds_count") == 4
        assert pool.value("search_nodes_sum") == sum(level.nodes for level in LEVELS[:4])
    assert children() == []


async def test_the_ceiling_ends_a_search_and_what_was_found_is_played() -> None:
    async with running() as pool:
        thought = await pool.think(a_plan(ENDLESS), 150)
        assert thought.uci in SITUATION.moves
        assert 0.14 < pool.value("think_seconds_sum") < 2.0


async def test_a_search_that_nobody_wants_any_more_frees_its_process() -> None:
    async with running() as pool:
        unwanted = asyncio.create_task(pool.think(a_plan(ENDLESS), 60_000))
        await pool.until("budget_share_count", 1)
        unwanted.cancel()
        async with asyncio.timeout(5):
            await pool.think(a_plan(LEVELS[0]), 1_000)


@pytest.mark.scenario("W02")
async def test_a_killed_process_is_replaced_and_meanwhile_a_glance_decides() -> None:
    async with running() as pool:
        [pid] = children()
        lost = asyncio.create_task(pool.think(a_plan(ENDLESS), 60_000))
        await pool.until("budget_share_count", 1)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(Overloaded):
            await lost
        thinker = Thinker(pool, pool.metrics)
        assert await thinker.choose(SITUATION, 3, 1_000, Random(1)) in SITUATION.moves
        await pool.until("search_processes", 1)
        await pool.until("search_process_losses_total", 1)
        assert children() != [pid]
        await pool.think(a_plan(LEVELS[0]), 60_000)


async def test_under_load_thinking_shrinks_and_what_cannot_wait_gets_a_glance() -> None:
    async with running() as pool:
        thinker = Thinker(pool, pool.metrics)
        blocking = asyncio.create_task(pool.think(a_plan(ENDLESS), 60_000))
        await pool.until("budget_share_count", 1)
        # The only process is busy for long: nobody waits much longer than the time for a move.
        async with asyncio.timeout(5):
            chosen = await thinker.choose(SITUATION, 3, 100, Random(1))
        assert chosen in SITUATION.moves
        assert pool.registry.registry.get_sample_value("tandemfog_bots_fallbacks_total", {"why": "late"}) == 1
        waiting = [
            asyncio.create_task(pool.think(a_plan(LEVELS[1]), 60_000)) for _ in range(WAITING_PER_PROCESS - 1)
        ]
        await pool.until("plans_waiting", WAITING_PER_PROCESS)
        assert pool.share() < 0.05
        with pytest.raises(Overloaded):
            await pool.think(a_plan(LEVELS[1]), 60_000)
        blocking.cancel()
        thoughts = await asyncio.gather(*waiting)
        # The first had a crowd behind them, the last was alone.
        assert thoughts[0].nodes < LEVELS[1].nodes // 10 < thoughts[-1].nodes == LEVELS[1].nodes


async def test_an_operators_engine_that_fails_costs_no_move() -> None:
    async with running(engine=("/no/such/engine", "1000")) as pool:
        wanted = plan(SITUATION, LEVELS[-1], Random(1)).shrunk(0.05)
        assert wanted.strong
        assert (await pool.think(wanted, 2_000)).uci in SITUATION.moves
