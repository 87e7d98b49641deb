"""Three masters with a replica each: matches on every shard, confirmed moves, and a master that dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gen.tandemfog.feed.v1.feed_pb2 import GetVersionsRequest
from gen.tandemfog.game.v1.game_pb2 import Move, ReportPresenceRequest
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.types.v1 import types_pb2
from libs.archive.opening import open_archive
from libs.identity.ids import SHARD_COUNT, shard_of
from libs.runtime.refusals import Refusal, call
from libs.runtime.service import running_service
from services.game.keys import shard_keys
from services.matchmaking.app import build
from services.matchmaking.settings import MatchmakingSettings
from tests.integration.game.kit import (
    Arena,
    Caller,
    game_service,
    game_settings,
    secret_file,
    start_match,
    until,
)
from tests.integration.game.test_feed import following
from tests.integration.matchmaking.harness import connect
from tests.integration.matchmaking.harness import following as tables_followed
from tests.integration.matchmaking.little_game import LittleGame
from tests.kit.cluster import StoreCluster, wait_until

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
PASSING = ("unavailable", "unconfirmed", "busy")
BACK_WITHIN_S = 40.0


def archive_url(folder: Path) -> str:
    return f"sqlite:///{folder}/archive.db"


@asynccontextmanager
async def game_on(cluster: StoreCluster, folder: Path) -> AsyncIterator[Caller]:
    """A game service with a real clock that takes moves."""
    settings = game_settings(
        cluster.url,
        folder,
        test_clock=False,
        test_clock_consent="",
        beat_ms=200,
        gateway_silence_ms=600_000,
        archive_url=archive_url(folder),
    )
    async with game_service(settings) as caller:
        await report(caller)
        yield caller


async def report(caller: Caller) -> None:
    await call(caller.game.ReportPresence, ReportPresenceRequest(gateway_id="g1"))


async def test_matches_of_every_shard_run_and_their_feeds_are_read(
    cluster: StoreCluster, tmp_path: Path
) -> None:
    async with game_on(cluster, tmp_path) as caller, following(caller, *range(SHARD_COUNT)) as stream:
        arenas = [await start_match(caller, tmp_path, shard=shard) for shard in range(SHARD_COUNT)]
        for arena in arenas:
            await arena.play("A:e2e4 B:d2d4 A:d7d5 A:e4d5")
        ended: set[str] = set()
        for arena in arenas:
            await arena.gesture(1, "resign")
        while len(ended) < SHARD_COUNT:
            event = (await asyncio.wait_for(stream.next(), 20)).event.event
            if event.HasField("ended"):
                ended.add(event.match_id)
        assert ended == {arena.match_id for arena in arenas}
        asked = GetVersionsRequest(match_ids=sorted(ended))
        told = (await call(caller.feed.GetVersions, asked)).versions
        assert [each.version for each in told] == [6] * SHARD_COUNT, "the start, four moves, the end"
        async with open_archive(archive_url(tmp_path)) as archive:

            async def all_archived() -> bool:
                return all([await archive.get(match_id) is not None for match_id in ended])

            await until(all_archived)


async def insist(arena: Arena, ply: int) -> None:
    """A move with one request id until it is acknowledged."""
    async with asyncio.timeout(BACK_WITHIN_S):
        while True:
            try:
                move = Move(board=0, ply=ply, uci=SHUFFLE[ply % 4])
                await arena.act(ply % 2, request_id=f"m{ply}", move=move)
                return
            except Refusal as refusal:
                if refusal.reason not in PASSING:
                    raise
                await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_a_failover_in_mid_match_loses_no_confirmed_move_and_the_epoch_rises(
    cluster: StoreCluster, tmp_path: Path
) -> None:
    async with game_on(cluster, tmp_path) as caller, game_on(cluster, tmp_path) as other:
        async with following(caller, 7) as stream:
            arena = await start_match(caller, tmp_path)
            for ply in range(6):
                arena.caller = (caller, other)[ply % 2]
                await insist(arena, ply)
            before = (await arena.state()).epoch
            key = shard_keys(7).time
            master = cluster.master_of(key)
            playing = asyncio.create_task(play(arena, range(6, 20), (caller, other)))
            master.kill()
            await asyncio.to_thread(wait_until, lambda: cluster.master_of(key) is not master, "a failover")
            master.start()  # as its supervisor does; it comes back as a replica
            await playing
            whole = await arena.whole()
            assert [event.moved.uci for event in whole.log if event.HasField("moved")] == [
                SHUFFLE[ply % 4] for ply in range(20)
            ]
            assert whole.state.epoch > before, "everybody is to take a new full view"
            assert whole.state.outages or not whole.state.HasField("outcome")
            await stream.rejoined(7)
        await asyncio.to_thread(wait_until, cluster.is_whole, "every master has its replica again")


async def play(arena: Arena, plies: range, callers: tuple[Caller, Caller]) -> None:
    for ply in plies:
        arena.caller = callers[ply % 2]
        await insist(arena, ply)


async def test_a_move_that_no_replica_has_is_said_to_be_unconfirmed_and_confirmed_when_asked_again(
    cluster: StoreCluster, tmp_path: Path
) -> None:
    async with game_on(cluster, tmp_path) as caller:
        arena = await start_match(caller, tmp_path)
        master = cluster.master_of(shard_keys(7).time)
        replica = cluster.replica_of(master)
        with cluster.paused(replica):  # it still counts as connected, but has nothing of what comes now
            assert await arena.move_refusal(0, 0, "e2e4", request_id="m") == "unconfirmed"
        async with asyncio.timeout(BACK_WITHIN_S):
            while (said := await arena.move_refusal(0, 0, "e2e4", request_id="m")) in PASSING:
                await asyncio.sleep(0.05)
        assert said == "accepted"
        assert (await arena.state()).boards[0].ply == 1
    await asyncio.to_thread(wait_until, cluster.is_whole, "every master has its replica again")


async def test_tables_are_made_listed_and_followed_on_every_shard(
    cluster: StoreCluster, tmp_path: Path
) -> None:
    settings = MatchmakingSettings(
        store_url=cluster.url, token_secret_file=secret_file(tmp_path), drain_grace_ms=500
    )
    public = messages.TableSettings(variant=types_pb2.VARIANT_TANDEM, public=True)
    async with running_service(settings, build) as service, connect(service.address, LittleGame()) as asked:
        made = [await asked.create(request=f"r{number}", settings=public) for number in range(12)]
        assert len({shard_of(table.table_id) for table in made}) > 3
        async with tables_followed(asked) as follower:
            follower.ask(follow=[table.table_id for table in made])
            for table in made:
                for seat in range(4):
                    await asked.take(table.table_id, seat, f"guest{seat}", f"Guest {seat}")
                await follower.until(table.table_id, messages.TABLE_STATE_COUNTDOWN)
        listed = await call(asked.tables.ListTables, messages.ListTablesRequest())
        assert {table.table_id for table in made} <= {table.table_id for table in listed.tables}
        assert not (await asked.lease("w1", free=4)).granted  # asks every shard
