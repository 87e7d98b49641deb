"""Fixtures: a gateway with real matchmaking on a real store, and little services for match and view."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from libs.runtime.service import Running, running_service
from services.gateway.app import build as build_gateway
from services.gateway.settings import GatewaySettings
from services.matchmaking.app import build as build_matchmaking
from services.matchmaking.settings import MatchmakingSettings
from tests.integration.gateway.little import LittleGame, LittleView, serving
from tests.kit.browser import Browser

if TYPE_CHECKING:
    from tests.integration.gateway.club import Club


@dataclass
class Secrets:
    """The files that the services read."""

    token: Path
    session: Path


@pytest.fixture
def secret_files(tmp_path: Path) -> Secrets:
    files = Secrets(tmp_path / "token-secret", tmp_path / "session-secret")
    for path, letter in ((files.token, b"t"), (files.session, b"s")):
        path.write_bytes(letter * 32)
        path.chmod(0o600)
    return files


@dataclass
class Gateway:
    """A running gateway."""

    running: Running[GatewaySettings]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.running._context.announcement['http_port']}"

    def metric(self, name: str, **labels: str) -> float:
        """A sample's value; 0.0 before the first."""
        registry = self.running._context.metrics.registry
        return registry.get_sample_value(f"tandemfog_gateway_{name}", labels) or 0.0


@asynccontextmanager
async def gateway_of(secret_files: Secrets, **settings: Any) -> AsyncIterator[Gateway]:
    chosen = {"page_dir": Path("/nowhere"), "drain_grace_ms": 3000, **settings}
    async with running_service(
        GatewaySettings(
            http_port=0,
            session_secret_file=secret_files.session,
            **chosen,
        ),
        build_gateway,
    ) as running:
        yield Gateway(running)


@dataclass
class Little:
    """A gateway's surroundings: real matchmaking, and `game` and `view` for the test to play with."""

    game: LittleGame
    view: LittleView
    view_port: int
    view_server: AsyncExitStack
    gateways: AsyncExitStack
    start: Callable[..., Awaitable[Gateway]]

    async def started_table(self, browser: Browser) -> str:
        """The table of a match that the browser has just begun against bots."""
        ok = await browser.command("play_now", variant="tandem")
        await browser.wait_for(lambda page: page.match)
        return str(ok["table"])


@pytest.fixture
async def little(valkey_url: str, secret_files: Secrets) -> AsyncIterator[Little]:
    game, view = LittleGame(), LittleView()
    async with AsyncExitStack() as stack:
        view_server = await stack.enter_async_context(AsyncExitStack())
        view_port = await view_server.enter_async_context(serving(view))
        game_port = await stack.enter_async_context(serving(game))
        matchmaking = await stack.enter_async_context(
            running_service(
                MatchmakingSettings(
                    store_url=valkey_url,
                    token_secret_file=secret_files.token,
                    peers_game=f"127.0.0.1:{game_port}",
                    countdown_ms=50,
                    sweep_ms=20,
                    drain_grace_ms=500,
                ),
                build_matchmaking,
            )
        )
        gateways = await stack.enter_async_context(AsyncExitStack())

        async def start(**settings: Any) -> Gateway:
            peers = {
                "peers_matchmaking": matchmaking.address,
                "peers_game": f"127.0.0.1:{game_port}",
                "peers_visibility": f"127.0.0.1:{view_port}",
            }
            return await gateways.enter_async_context(gateway_of(secret_files, **{**peers, **settings}))

        yield Little(game, view, view_port, view_server, gateways, start)


@pytest.fixture
async def gateway(little: Little) -> Gateway:
    return await little.start()


@pytest.fixture
async def club(valkey_url: str, secret_files: Secrets) -> AsyncIterator[Club]:
    """The real services behind two gateways."""
    from tests.integration.gateway.club import club_of

    async with club_of(valkey_url, secret_files) as club:
        yield club
