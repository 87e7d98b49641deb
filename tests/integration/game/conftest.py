"""What game's integration tests share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.integration.game.kit import Caller, StoreClock, game_service, game_settings


@pytest.fixture
def clock(valkey_url: str) -> Iterator[StoreClock]:
    """The store's time, turned by the test."""
    clock = StoreClock(valkey_url)
    yield clock
    clock.close()


@pytest.fixture
async def caller(clock: StoreClock, valkey_url: str, tmp_path: Path) -> AsyncIterator[Caller]:
    """Somebody connected to a game service that sweeps hardly ever."""
    assert clock.now_us
    async with game_service(game_settings(valkey_url, tmp_path)) as caller:
        yield caller
