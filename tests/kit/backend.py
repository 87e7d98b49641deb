"""All services but the bots inside the test's own process, over a real store: quick to start, and real."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libs.runtime.service import running_service
from services.game.app import build as build_game
from services.game.settings import GameSettings
from services.gateway.app import build as build_gateway
from services.gateway.settings import GatewaySettings
from services.matchmaking.app import build as build_matchmaking
from services.matchmaking.settings import MatchmakingSettings
from services.visibility.app import build as build_visibility
from services.visibility.settings import VisibilitySettings
from tests.kit.browser import Browser


@dataclass(frozen=True)
class Backend:
    """Two gateways' URLs, and the address of the game service behind them."""

    urls: tuple[str, str]
    game: str

    async def match(self, stack: AsyncExitStack, variant: str = "tandem", people: int = 4) -> list[Browser]:
        """People on the first seats of a table of their own, bots (that nobody plays) on the others, the
        match running; every other one over the second gateway."""
        browsers = [
            await stack.enter_async_context(Browser(self.urls[number % 2])) for number in range(people)
        ]
        table = (await browsers[0].command("create_table", variant=variant))["table"]
        for seat in range(people):
            await browsers[seat].command("take_seat", table=table, seat=seat, name=f"Seat {seat}")
        for seat in range(people, 4 if variant == "tandem" else 2):
            await browsers[0].command("set_bot", seat=seat, level=1)
        for browser in browsers:
            await browser.wait_for(lambda page: page.match)
        return browsers


@asynccontextmanager
async def backend(
    store_url: str,
    folder: Path,
    game: Mapping[str, Any] = {},
    matchmaking: Mapping[str, Any] = {},
    gateway: Mapping[str, Any] = {},
) -> AsyncIterator[Backend]:
    """Starts them; `game`, `matchmaking` and `gateway` are settings of theirs."""
    secret = folder / "secret"
    secret.write_bytes(b"0123456789abcdef0123456789abcdef")
    secret.chmod(0o600)
    common: dict[str, Any] = {"token_secret_file": secret, "drain_grace_ms": 500}
    async with AsyncExitStack() as stack:
        games = await stack.enter_async_context(
            running_service(GameSettings(store_url=store_url, **common, **game), build_game)
        )
        views = await stack.enter_async_context(
            running_service(VisibilitySettings(peers_game=games.address, **common), build_visibility)
        )
        tables = await stack.enter_async_context(
            running_service(
                MatchmakingSettings(
                    store_url=store_url,
                    peers_game=games.address,
                    **{"countdown_ms": 50, "sweep_ms": 20, **common, **matchmaking},
                ),
                build_matchmaking,
            )
        )
        urls = []
        for _ in range(2):
            started = await stack.enter_async_context(
                running_service(
                    GatewaySettings(
                        http_port=0,
                        session_secret_file=secret,
                        page_dir=Path("/nowhere"),
                        peers_game=games.address,
                        peers_matchmaking=tables.address,
                        peers_visibility=views.address,
                        drain_grace_ms=3_000,
                        **gateway,
                    ),
                    build_gateway,
                )
            )
            urls.append(f"http://127.0.0.1:{started._context.announcement['http_port']}")
        yield Backend((urls[0], urls[1]), games.address)
