"""The queue, and reports of talk, on a Redis Cluster."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from libs.runtime.refusals import call
from libs.runtime.service import running_service
from services.matchmaking.app import build
from services.matchmaking.settings import MatchmakingSettings
from tests.integration.game.kit import secret_file
from tests.integration.matchmaking.harness import STARTED, connect
from tests.integration.matchmaking.little_game import little_game
from tests.integration.matchmaking.queueing import FOG, TANDEM, attending
from tests.kit.backend import backend
from tests.kit.cluster import StoreCluster


async def test_two_replicas_pair_and_seat_people_in_every_pool(cluster: StoreCluster, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        game, game_address = await stack.enter_async_context(little_game())
        settings = MatchmakingSettings(
            store_url=cluster.url,
            token_secret_file=secret_file(tmp_path),
            peers_game=game_address,
            countdown_ms=100,
            drain_grace_ms=500,
        )
        replicas = []
        for _ in range(2):
            service = await stack.enter_async_context(running_service(settings, build))
            replicas.append(await stack.enter_async_context(connect(service.address, game)))
        gateways = [await stack.enter_async_context(attending(replica)) for replica in replicas]
        people = [gateways[number % 2].person(f"g{number}") for number in range(12)]
        await asyncio.gather(*(person.quick_play(TANDEM) for person in people[:8]))
        await asyncio.gather(*(person.quick_play(FOG) for person in people[8:]))
        tickets = await asyncio.gather(*(person.until_seated() for person in people))
        seats = {(ticket.table.table_id, ticket.grant.seat) for ticket in tickets}
        assert len(seats) == len(people)
        for table_id in {table_id for table_id, _ in seats}:
            await replicas[0].until(table_id, STARTED)


async def test_what_is_muted_and_reported_is_kept_on_the_matchs_own_shard(
    cluster: StoreCluster, tmp_path: Path
) -> None:
    async with backend(cluster.url, tmp_path) as house, AsyncExitStack() as stack:
        for _ in range(3):
            kari, _, _, ola = await house.match(stack)
            await ola.command("say", text="heard")
            await kari.command("report", number=1)
            await kari.command("mute", on=True)
            await ola.command("say", text="not heard")
        async with grpc.aio.insecure_channel(house.game) as channel:
            stub = game_pb2_grpc.OperatorServiceStub(channel)
            reports = (await call(stub.ListReports, game_pb2.ListReportsRequest())).reports
            assert [report.line.text for report in reports] == ["heard"] * 3
