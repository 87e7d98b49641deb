"""The whole stack behind the gateway, each service in earnest, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from gen.tandemfog.game.v1 import game_pb2_grpc
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2_grpc
from gen.tandemfog.view.v1 import view_pb2_grpc
from libs.runtime.service import running_service
from services.game.app import build as build_game
from services.game.settings import GameSettings
from services.matchmaking.app import build as build_matchmaking
from services.matchmaking.settings import MatchmakingSettings
from services.visibility.app import build as build_visibility
from services.visibility.settings import VisibilitySettings
from tests.integration.bots.harness import Stack, keep_reporting


@pytest.fixture
async def stack(valkey_url: str, tmp_path: Path) -> AsyncIterator[Stack]:
    """Game, visibility and matchmaking, and a gateway's sign of life; no bots yet."""
    secret = tmp_path / "token-secret"
    secret.write_bytes(b"0123456789abcdef0123456789abcdef")
    secret.chmod(0o600)
    async with AsyncExitStack() as opened:

        async def channel(address: str) -> grpc.aio.Channel:
            return await opened.enter_async_context(grpc.aio.insecure_channel(address))

        game = await opened.enter_async_context(
            running_service(
                GameSettings(store_url=valkey_url, token_secret_file=secret, drain_grace_ms=300), build_game
            )
        )
        visibility = await opened.enter_async_context(
            running_service(
                VisibilitySettings(peers_game=game.address, token_secret_file=secret, drain_grace_ms=300),
                build_visibility,
            )
        )
        matchmaking = await opened.enter_async_context(
            running_service(
                MatchmakingSettings(
                    store_url=valkey_url,
                    token_secret_file=secret,
                    peers_game=game.address,
                    countdown_ms=50,
                    sweep_ms=20,
                    drain_grace_ms=300,
                ),
                build_matchmaking,
            )
        )
        found = Stack(
            game_address=game.address,
            visibility_address=visibility.address,
            matchmaking_address=matchmaking.address,
            games=game_pb2_grpc.GameServiceStub(await channel(game.address)),
            views=view_pb2_grpc.ViewServiceStub(await channel(visibility.address)),
            tables=matchmaking_pb2_grpc.TableServiceStub(await channel(matchmaking.address)),
            leases=matchmaking_pb2_grpc.LeaseServiceStub(await channel(matchmaking.address)),
        )
        reporting = asyncio.create_task(keep_reporting(found))
        try:
            yield found
        finally:
            reporting.cancel()
