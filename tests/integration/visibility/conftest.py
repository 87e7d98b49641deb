"""What visibility's integration tests share: a real game service on a real store, and visibility over it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gen.tandemfog.game.v1.game_pb2 import ReportPresenceRequest
from libs.runtime.service import running_service
from services.game.app import build as build_game
from services.game.settings import GameSettings
from tests.integration.game.kit import Caller, calling, secret_file
from tests.integration.visibility.kit import House, visibility


@pytest.fixture
async def game_address(valkey_url: str, tmp_path: Path) -> AsyncIterator[str]:
    """A game service inside this process, by its address."""
    settings = GameSettings(store_url=valkey_url, token_secret_file=secret_file(tmp_path), drain_grace_ms=500)
    async with running_service(settings, build_game) as running:
        yield running.address


@pytest.fixture
async def game(game_address: str) -> AsyncIterator[Caller]:
    """Somebody who calls the game service and counts as a gateway, so that match time runs."""
    async with calling(game_address) as caller:
        await caller.game.ReportPresence(ReportPresenceRequest(gateway_id="test"))
        yield caller


@pytest.fixture
async def house(game_address: str, tmp_path: Path) -> AsyncIterator[House]:
    """Visibility over that game service."""
    async with visibility(game_address, tmp_path) as house:
        yield house
