"""Browsers through a Redis Cluster's failover: nothing confirmed is lost, all take the new epoch."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from libs.identity.ids import shard_of
from services.game.keys import shard_keys
from tests.chaos.tables import ScriptedTable, scripted_table
from tests.kit.cluster import running_cluster, wait_until
from tests.kit.replicas import Replicas
from tests.kit.script import scripted

pytestmark = pytest.mark.alone

BEFORE, AFTER = 12, 12
WITHIN_S = 60.0


async def until(condition: object, what: str) -> None:
    await asyncio.to_thread(wait_until, condition, what)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.scenario("K06")
async def test_a_failover_loses_no_confirmed_move_and_every_page_takes_the_new_epochs_full_view(
    tmp_path: Path,
) -> None:
    with running_cluster(tmp_path / "cluster") as cluster:
        async with Replicas(tmp_path, cluster.url) as stack, AsyncExitStack() as clients:
            table = await scripted_table(clients, stack.urls, 0, pace_s=0.1)
            ended = asyncio.Event()
            playing = [asyncio.create_task(table.play(board, ended)) for board in "AB"]
            place = table.clients[0].browser.place
            assert place is not None
            key = shard_keys(shard_of(place[0])).time
            await made(table, BEFORE)
            epochs = {epoch_of(table, seat) for seat in range(4)}
            master = cluster.master_of(key)
            master.kill()
            await until(lambda: cluster.master_of(key) is not master, "a failover")
            master.start()  # as its supervisor does; it comes back as a replica
            await made(table, len(table.made) + AFTER)
            ended.set()
            await asyncio.gather(*playing)
            assert not table.refused
            for seat, client in enumerate(table.clients):
                await client.browser.wait_for(
                    lambda page: page.match and len(page.match["moves"]) == len(table.made), WITHIN_S
                )
                assert epoch_of(table, seat) > max(epochs)
                assert client.browser.match is not None
                for board in "AB":
                    seen = [m["uci"] for m in client.browser.match["moves"] if m["board"] == board]
                    assert seen == [scripted("tandem", board, ply) for ply in range(len(seen))]
                    assert len(seen) == sum(move.board == board for move in table.made)
                newest = next(f for f in reversed(client.browser.frames) if f["t"] == "full")
                assert newest["epoch"] > max(epochs), "the new epoch came as a full view"


def epoch_of(table: ScriptedTable, seat: int) -> int:
    match = table.clients[seat].browser.match
    assert match is not None
    return int(match["epoch"])


async def made(table: ScriptedTable, moves: int) -> None:
    """Waits until so many moves are acknowledged."""
    async with asyncio.timeout(WITHIN_S):
        while len(table.made) < moves:
            await asyncio.sleep(0.05)
