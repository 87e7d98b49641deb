"""The real services behind two gateways, with wires between them that a test can cut."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import redis.asyncio

from libs.runtime.service import running_service
from services.game.app import build as build_game
from services.game.keys import SHARDS, shard_keys
from services.game.settings import GameSettings
from services.matchmaking.app import build as build_matchmaking
from services.matchmaking.settings import MatchmakingSettings
from services.visibility.app import build as build_visibility
from services.visibility.settings import VisibilitySettings
from tests.integration.gateway.conftest import Gateway, Secrets, gateway_of
from tests.kit.browser import Browser
from tests.kit.wire import Wire

HEARD_WITHIN_S = 20.0


@dataclass
class Club:
    """Two gateways before one game, one matchmaking and one visibility service.

    `feed` is the wire from visibility to game, `store` the one from game to the store. `addresses` are where
    the services listen, `secrets` the files that they read.
    """

    gateways: tuple[Gateway, Gateway]
    feed: Wire
    store: Wire
    addresses: dict[str, str]
    secrets: Secrets
    stack: AsyncExitStack

    async def browser(self, gateway: int = 0) -> Browser:
        return await self.stack.enter_async_context(Browser(self.gateways[gateway].url))

    async def seated(self, variant: str, seats: int, **fields: Any) -> tuple[str, list[Browser]]:
        """A table that has just started, with a browser on each seat, at either gateway."""
        browsers = [await self.browser(seat % 2) for seat in range(seats)]
        table = (await browsers[0].command("create_table", variant=variant, **fields))["table"]
        for seat, browser in enumerate(browsers):
            await browser.command("take_seat", table=table, seat=seat, name=f"Player {seat}")
        for browser in browsers:
            await browser.wait_for(lambda page: page.match)
        return table, browsers


async def heard(valkey_url: str, since_us: int) -> bool:
    """Whether game has heard of a gateway in every shard since: until then no time passes in matches."""
    async with redis.asyncio.from_url(valkey_url) as client:
        store: Any = client
        beats = [await store.hget(shard_keys(shard).time, "beat") for shard in SHARDS]
    return all(beat is not None and int(beat) >= since_us for beat in beats)


@asynccontextmanager
async def club_of(
    valkey_url: str,
    secret_files: Secrets,
    game_settings: dict[str, Any] | None = None,
    gateway_settings: dict[str, Any] | None = None,
) -> AsyncIterator[Club]:
    shared: dict[str, Any] = {"token_secret_file": secret_files.token, "drain_grace_ms": 500}
    began_us = time.time_ns() // 1000
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(Wire(urlsplit(valkey_url).netloc))
        game = await stack.enter_async_context(
            running_service(
                GameSettings(store_url=f"redis://{store.address}/0", **{**shared, **(game_settings or {})}),
                build_game,
            )
        )
        feed = await stack.enter_async_context(Wire(game.address))
        visibility = await stack.enter_async_context(
            running_service(VisibilitySettings(peers_game=feed.address, **shared), build_visibility)
        )
        matchmaking = await stack.enter_async_context(
            running_service(
                MatchmakingSettings(store_url=valkey_url, peers_game=game.address, countdown_ms=50, **shared),
                build_matchmaking,
            )
        )
        addresses = {
            "matchmaking": matchmaking.address,
            "game": game.address,
            "visibility": visibility.address,
        }
        settings: dict[str, Any] = {f"peers_{name}": address for name, address in addresses.items()}
        settings.update(gateway_settings or {})
        one = await stack.enter_async_context(gateway_of(secret_files, **settings))
        two = await stack.enter_async_context(gateway_of(secret_files, **settings))
        async with asyncio.timeout(HEARD_WITHIN_S):
            while not await heard(valkey_url, began_us):
                await asyncio.sleep(0.01)
        browsers = await stack.enter_async_context(AsyncExitStack())
        yield Club((one, two), feed, store, addresses, secret_files, browsers)


async def all_at(browsers: list[Browser], version: int) -> None:
    """Waits until each of them has been shown the match at that version."""
    for browser in browsers:
        await browser.wait_for(lambda page: page.match and page.match["version"] >= version)
