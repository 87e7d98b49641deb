"""Fixtures: matchmaking services on a real store, with a game service that keeps no board."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from libs.runtime.service import running_service
from services.matchmaking.app import build
from services.matchmaking.settings import MatchmakingSettings
from tests.integration.matchmaking.harness import Matchmaking, Run, connect
from tests.integration.matchmaking.little_game import little_game


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "token-secret"
    path.write_bytes(b"0123456789abcdef0123456789abcdef")
    path.chmod(0o600)
    return path


@pytest.fixture
async def run(valkey_url: str, secret_file: Path) -> AsyncIterator[Run]:
    """``await run(absent_ms=100)`` starts a service with these settings; again: another replica."""
    async with AsyncExitStack() as stack:
        game, game_address = await stack.enter_async_context(little_game())

        async def start(**settings: int) -> Matchmaking:
            chosen: dict[str, Any] = {"countdown_ms": 100, "sweep_ms": 20, **settings}
            service = await stack.enter_async_context(
                running_service(
                    MatchmakingSettings(
                        store_url=valkey_url,
                        token_secret_file=secret_file,
                        peers_game=game_address,
                        drain_grace_ms=500,
                        **chosen,
                    ),
                    build,
                )
            )
            found = await stack.enter_async_context(connect(service.address, game))
            found.registry = service._context.metrics.registry
            return found

        yield start


@pytest.fixture
async def matchmaking(run: Run) -> Matchmaking:
    return await run()
