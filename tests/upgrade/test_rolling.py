"""Matches go on while every replica changes from an earlier commit's code to this one's, or back to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from services.allinone.plan import START_ORDER
from tests.chaos.tables import ScriptedTable, scripted_table
from tests.chaos.verdict import lost_and_twice
from tests.kit.replicas import START_WITHIN_S, Replicas
from tests.kit.service import ROOT
from tests.kit.valkey import running_valkey
from tests.upgrade.earlier import checked_out, earlier_commit

MATCHES = int(os.environ.get("TANDEMFOG_UPGRADE_MATCHES", "50"))
AT_ONCE = 6
PACE_S = 2.0
CALM_S = 2.0
WITHIN_S = 60.0


@asynccontextmanager
async def running_on(root: Path, folder: Path) -> AsyncIterator[Replicas]:
    """Two of each service, all on the code of `root`."""
    with running_valkey(folder / "store") as store:
        stack = Replicas(folder, store.url)
        for process in stack.processes.values():
            process.root = root
        async with stack:
            yield stack


async def roll(stack: Replicas, root: Path, order: Sequence[str]) -> None:
    """One replica after another drains, ends, and comes back on the code of `root`."""
    for service in order:
        for process in stack.of(service):
            assert process.is_running, f"{process.module} had ended by itself: {process.log()[-2000:]}"
            assert await process.terminate() == 0, process.log()[-2000:]
            process.root = root
            await process.start(START_WITHIN_S)
            await asyncio.sleep(CALM_S / 2)
        await asyncio.sleep(CALM_S)


async def end(table: ScriptedTable) -> dict[str, Any]:
    """A-White resigns; what all four see of the end, which is the same."""
    await table.clients[0].browser.command("resign")
    seen = []
    for client in table.clients:
        await client.browser.wait_for(lambda page: page.match and page.match["result"], WITHIN_S)
        assert client.browser.match is not None
        seen.append((client.browser.match["moves"], client.browser.match["result"]))
    assert all(each == seen[0] for each in seen)
    assert lost_and_twice(table.made, seen[0][0]) == (0, 0)
    result: dict[str, Any] = seen[0][1]
    return result


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("back", "order"),
    [(False, START_ORDER), (False, START_ORDER[::-1]), (True, START_ORDER[::-1])],
    ids=["who is called first", "who calls first", "back to the earlier commit"],
)
async def test_matches_are_played_through_a_change_of_the_code_and_to_their_end(
    tmp_path: Path, back: bool, order: Sequence[str]
) -> None:
    with checked_out(earlier_commit(), tmp_path / "earlier") as earlier:
        before, then = (ROOT, earlier) if back else (earlier, ROOT)
        async with running_on(before, tmp_path) as stack, AsyncExitStack() as clients:
            slots = asyncio.Semaphore(AT_ONCE)

            async def begin(number: int) -> ScriptedTable:
                async with slots:
                    return await scripted_table(clients, stack.urls, number, PACE_S)

            tables = await asyncio.gather(*(begin(number) for number in range(MATCHES)))
            over = asyncio.Event()
            playing = [asyncio.create_task(table.play(board, over)) for table in tables for board in "AB"]
            await roll(stack, then, order)
            after = sum(len(table.made) for table in tables)
            await asyncio.sleep(2 * PACE_S)
            over.set()
            await asyncio.gather(*playing)
            assert sum(len(table.made) for table in tables) > after, "nothing was played after the change"
            assert [table.refused for table in tables if table.refused] == []
            results = [await end(table) for table in tables]
            assert results == [{"winner": 2, "reason": "resignation"}] * MATCHES
