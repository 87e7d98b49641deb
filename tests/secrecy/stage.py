"""The real services in this process on a real store, with a clock that the test turns and games set up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import redis.asyncio as redis

from gen.tandemfog.game.v1.game_pb2 import CreateMatchRequest
from gen.tandemfog.view.v1.view_pb2 import Frame
from gen.tandemfog.view.v1.view_pb2_grpc import ViewServiceStub
from libs.runtime.metrics import Metrics
from libs.runtime.peers import Peers
from libs.runtime.service import running_service
from services.bots.metrics import BotsMetrics
from services.bots.watching import Watching
from services.game import requests
from services.game import servicer as game_servicer
from services.game.app import build as build_game
from services.game.keys import SHARDS, shard_keys
from services.game.match import Match
from services.game.settings import CONSENT, GameSettings
from services.gateway.app import build as build_gateway
from services.gateway.settings import GatewaySettings
from services.matchmaking.app import build as build_matchmaking
from services.matchmaking.settings import MatchmakingSettings
from services.visibility.app import build as build_visibility
from services.visibility.settings import VisibilitySettings
from tests.kit.twins import start_at
from tests.secrecy.onlooker import Onlooker
from tests.secrecy.records import Record
from tests.secrecy.tab import Tab

START_US = 1_700_000_000_000_000
LONG_MS = 24 * 3_600_000
NOT_COMPARED = ("Date", "X-Request-ID")


class Clock:
    """The store's time for all shards."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._now_us = START_US

    async def advance(self, microseconds: int) -> None:
        """Time passes, and the service takes moves all the while."""
        self._now_us += microseconds
        async with self._client.pipeline(transaction=True) as pipeline:
            for shard in SHARDS:
                key = shard_keys(shard).time
                pipeline.set(f"{key}:now", self._now_us)
                pipeline.hset(key, "beat", str(self._now_us))
            await pipeline.execute()


class BotSeat(Onlooker):
    """A seat as a bot's worker watches it: the very bytes of the frames that it gets."""

    def __init__(self, viewer: int, match_id: str, token: str, record: Record) -> None:
        super().__init__(record)
        self.viewer = viewer
        self.match_id = match_id
        self.token = token

    def frame(self, frame: Frame) -> None:
        """Takes a frame from the worker's stream."""
        view = frame.view
        if view.HasField("outcome"):
            self.record.over = True
        for board in view.boards:
            self.ply = board.ply
        self.version = view.version
        kept = Frame()
        kept.CopyFrom(frame)
        kept.ClearField("viewers")  # whose frame it is, by the worker's own numbers
        if kept.view.HasField("clocks"):
            kept.view.clocks.age_ms = 0
        self.record.add("stream", kept.SerializeToString(deterministic=True))
        self.note_news()


class Stage:
    """Where games are played; `url` is the gateway's.

    `start_fens` says which tables begin set up, `leaks` what is planted at which (see leaks.py); `peers` says
    where the services are, by the names of their settings.
    """

    def __init__(self, url: str, session: aiohttp.ClientSession, clock: Clock, watching: Watching) -> None:
        self.url = url
        self.session = session
        self.clock = clock
        self.watching = watching
        self.start_fens: dict[str, str] = {}
        self.leaks: dict[str, str] = {}
        self.peers: dict[str, str] = {}

    def set_up(self, request: CreateMatchRequest, match: Match) -> Match:
        """The match as it is to begin."""
        fen = self.start_fens.pop(request.match_id, None)
        return match if fen is None else replace(match, game=start_at(fen))

    async def tab(self, cookie: str = "") -> Tab:
        """An open tab of a new guest, or of the cookie's."""
        tab = Tab(self.session, self.url, cookie)
        await tab.open()
        return tab

    async def get(self, path: str, cookie: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers without the date and the request's name, drawn by lot, and body of a page."""
        async with self.session.get(self.url + path, headers={"Cookie": cookie}) as response:
            headers = {name: value for name, value in response.headers.items() if name not in NOT_COMPARED}
            return response.status, headers, await response.read()


def private_file(path: Path) -> Path:
    """A secret that the services share."""
    path.write_bytes(b"0123456789abcdef0123456789abcdef")
    path.chmod(0o600)
    return path


@asynccontextmanager
async def open_stage(store_url: str, folder: Path, **gateway: Any) -> AsyncIterator[Stage]:
    """All services, each in earnest but for the clock, and nothing that happens by itself."""
    token, session_secret = (private_file(folder / name) for name in ("token-secret", "session-secret"))
    shared: dict[str, Any] = {"token_secret_file": token, "drain_grace_ms": 500}
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(redis.Redis.from_url(store_url))
        clock = Clock(client)
        await clock.advance(0)
        game_settings = GameSettings(
            store_url=store_url,
            test_clock=True,
            test_clock_consent=CONSENT,
            beat_ms=600_000,
            start_grace_ms=LONG_MS,
            presence_ms=LONG_MS,
            offline_ms=LONG_MS,
            offline_without_clock_ms=LONG_MS,
            keep_ms=60_000,
            **shared,
        )
        game = await stack.enter_async_context(running_service(game_settings, build_game))
        visibility = await stack.enter_async_context(
            running_service(VisibilitySettings(peers_game=game.address, **shared), build_visibility)
        )
        matchmaking = await stack.enter_async_context(
            running_service(
                MatchmakingSettings(
                    store_url=store_url,
                    peers_game=game.address,
                    countdown_ms=0,
                    sweep_ms=20,
                    start_timeout_ms=30_000,
                    **shared,
                ),
                build_matchmaking,
            )
        )
        peers: dict[str, Any] = {
            "peers_matchmaking": matchmaking.address,
            "peers_game": game.address,
            "peers_visibility": visibility.address,
        }
        running = await stack.enter_async_context(
            running_service(
                GatewaySettings(
                    http_port=0,
                    session_secret_file=session_secret,
                    page_dir=folder / "page",
                    drain_grace_ms=2000,
                    # All guests have one address here, and some tabs wait long for their first game.
                    connections_per_address=100_000,
                    messages_per_address_s=100_000,
                    bytes_per_address_s=1_000_000_000,
                    tables_per_guest=100_000,
                    tables_per_address=100_000,
                    first_request_ms=LONG_MS,
                    # Without pings no delay is measured, and none credited (T-lag).
                    ping_every_ms=LONG_MS,
                    silence_ms=LONG_MS,
                    **peers,
                    **gateway,
                ),
                build_gateway,
            )
        )
        views = await stack.enter_async_context(Peers(visibility.address, ViewServiceStub, name="visibility"))
        await views.wait_ready(5_000)
        watching = Watching(views, BotsMetrics(Metrics("bots")))
        follows = asyncio.create_task(watching.run())
        session = await stack.enter_async_context(
            aiohttp.ClientSession(
                cookie_jar=aiohttp.DummyCookieJar(), connector=aiohttp.TCPConnector(limit=0)
            )
        )
        url = f"http://127.0.0.1:{running._context.announcement['http_port']}"
        stage = Stage(url, session, clock, watching)
        stage.peers = peers
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        new_match = requests.new_match
        patch.setattr(game_servicer, "new_match", lambda request: stage.set_up(request, new_match(request)))
        try:
            yield stage
        finally:
            follows.cancel()
            await asyncio.gather(follows, return_exceptions=True)
