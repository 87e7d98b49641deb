"""Streams under trouble: tokens, leaving, a game service that dies, readers that do not read, draining."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from gen.tandemfog.view.v1.view_pb2 import Join, WatchRequest
from gen.tandemfog.view.v1.view_pb2_grpc import ViewServiceStub
from libs.identity.tokens import SeatToken, mint_seat_token
from libs.runtime.refusals import refusal_of
from libs.runtime.service import running_service
from services.visibility.app import build
from tests.integration.game.kit import Caller, calling, secret_file, start_match
from tests.integration.visibility.kit import Client, House, visibility, visibility_settings
from tests.kit.requests import request_readers
from tests.kit.service import ServiceProcess

SPECTATOR = 9
SMALL_WINDOW = (("grpc.http2.lookahead_bytes", 65536), ("grpc.http2.bdp_probe", 0))
ABSENT = "07" + "z" * 24


async def test_tokens_that_do_not_prove_a_seat_of_the_match_are_refused(
    game: Caller, house: House, tmp_path: Path
) -> None:
    arena, other = await start_match(game, tmp_path), await start_match(game, tmp_path)
    expired = mint_seat_token(arena.key, SeatToken(arena.match_id, 0, 0, int(time.time()) - 1))
    forged = mint_seat_token(b"x" * 32, SeatToken(arena.match_id, 0, 0, 2_000_000_000))
    client = house.client()
    for viewer, token in enumerate((expired, forged, other.token(0), "t1.what", arena.token(5))):
        client.join(viewer, arena.match_id, token)
        await client.until(viewer, lambda screen: screen.refused == "bad_token")
    for viewer, match_id in ((10, ABSENT), (11, "nonsense"), (12, "")):
        client.join(viewer, match_id)
        await client.until(viewer, lambda screen: screen.refused == "unknown_match")
    assert all(screen.view is None for screen in client.screens.values())
    client.join(20, arena.match_id, arena.token(3, lease=4))  # a bot's, for a person's seat
    await client.until(20, lambda screen: screen.refused == "bad_token")
    client.join(21, arena.match_id, arena.token(3))
    screen = await client.until(21, lambda screen: screen.view)
    assert screen.shown.setup.seat == 3


async def test_a_viewer_that_has_left_gets_nothing_more(game: Caller, house: House, tmp_path: Path) -> None:
    arena = await start_match(game, tmp_path)
    client = house.client()
    client.join(0, arena.match_id, arena.token(0))
    client.join(SPECTATOR, arena.match_id)
    await client.version(0, 1)
    await client.version(SPECTATOR, 1)
    client.leave(0)
    client.join(1, arena.match_id, arena.token(1))  # when this is answered, the leave has been heard
    await client.version(1, 1)
    await arena.play("A:e2e4 B:e2e4")
    await client.version(SPECTATOR, 3)
    await client.version(1, 3)
    assert client.screens[0].shown.version == 1
    assert house.metric("viewers") == 2


@pytest.mark.scenario("R07")
async def test_when_game_is_killed_and_started_again_viewers_get_a_full_view_and_go_on(
    valkey_url: str, tmp_path: Path
) -> None:
    environment = {
        "TANDEMFOG_STORE_URL": valkey_url,
        "TANDEMFOG_TOKEN_SECRET_FILE": str(secret_file(tmp_path)),
    }
    async with ServiceProcess("game", environment) as game:
        environment["TANDEMFOG_GAME_PORT"] = str(game.port)
        async with calling(game.address) as caller, visibility(game.address, tmp_path) as house:
            arena = await start_match(caller, tmp_path)
            client = house.client()
            for viewer, token in ((0, arena.token(0)), (1, arena.token(1)), (SPECTATOR, "")):
                client.join(viewer, arena.match_id, token)
                await client.version(viewer, 1)
            await arena.play("A:e2e4 B:d2d4")
            await client.version(SPECTATOR, 3)
            await game.kill()
            async with ServiceProcess("game", environment) as again:
                assert again.address == game.address
                for viewer in (0, 1, SPECTATOR):
                    await client.until(viewer, lambda screen: screen.fulls == 2)
                await arena.play("A:e7e5")
                for viewer in (0, 1, SPECTATOR):
                    view = await client.version(viewer, 4)
                    assert [entry.uci for entry in view.moves] == ["e2e4", "d2d4", "e7e5"]
                assert house.metric("feed_lost_total") >= 1


async def test_when_the_preferred_game_replica_dies_another_one_is_followed(
    valkey_url: str, tmp_path: Path
) -> None:
    environment = {
        "TANDEMFOG_STORE_URL": valkey_url,
        "TANDEMFOG_TOKEN_SECRET_FILE": str(secret_file(tmp_path)),
    }
    async with ServiceProcess("game", environment) as one, ServiceProcess("game", environment) as two:
        replicas = {one.address: one, two.address: two}
        async with visibility(",".join(replicas), tmp_path) as house, calling(one.address) as caller:
            arenas = [await start_match(caller, tmp_path, shard=shard) for shard in range(6)]
            client = house.client()
            for viewer, arena in enumerate(arenas):
                client.join(viewer, arena.match_id, arena.token(0))
                await client.version(viewer, 1)
            assert house.metric("shards_followed") == 6
            readers = request_readers()
            await one.kill()
            async with calling(two.address) as survivor:
                for viewer, arena in enumerate(arenas):
                    arena.caller = survivor
                    await arena.play("A:e2e4")
                    await client.version(viewer, 2)
            assert request_readers() < readers


async def test_a_reader_that_takes_nothing_is_given_up_and_others_are_not_harmed(
    game: Caller, game_address: str, tmp_path: Path
) -> None:
    async with visibility(game_address, tmp_path, stuck_after_ms=1000, viewer_frames=8) as house:
        arena = await start_match(game, tmp_path)
        client = house.client()
        client.join(SPECTATOR, arena.match_id)
        await client.version(SPECTATOR, 1)

        async def many() -> AsyncIterator[WatchRequest]:
            for viewer in range(2000):
                yield WatchRequest(viewer=viewer, join=Join(match_id=arena.match_id, token=arena.token(0)))
            await asyncio.Event().wait()

        async with grpc.aio.insecure_channel(house.running.address, options=SMALL_WINDOW) as channel:
            stuck = ViewServiceStub(channel).Watch(many())
            ply = 0
            async with asyncio.timeout(30):
                while not house.metric("streams_closed_total"):
                    await arena.move(ply % 2, ply, ("g1f3", "g8f6", "f3g1", "f6g8")[ply % 4])
                    ply += 1
                    await client.version(SPECTATOR, ply + 1)
                while house.metric("viewers") != 1:
                    await asyncio.sleep(0.01)
            with pytest.raises(grpc.aio.AioRpcError) as told:
                async for _ in stuck:  # it wakes up at last
                    pass
            assert refusal_of(told.value).reason == "busy"


async def test_draining_ends_the_streams_so_that_clients_go_elsewhere(
    game: Caller, game_address: str, tmp_path: Path
) -> None:
    arena = await start_match(game, tmp_path)
    settings = visibility_settings(game_address, tmp_path, drain_grace_ms=10_000)
    async with AsyncExitStack() as afterwards:
        async with running_service(settings, build) as running:
            channel = await afterwards.enter_async_context(grpc.aio.insecure_channel(running.address))
            client = Client(ViewServiceStub(channel))
            client.join(0, arena.match_id, arena.token(0))
            await client.version(0, 1)
            started_s = time.monotonic()
        await client.end()
        assert time.monotonic() - started_s < 5
