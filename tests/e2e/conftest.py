"""One whole tandemfog for the tests that leave it standing; those that stop parts of it start their own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser as Chromium

from tests.kit.page import chromium
from tests.kit.whole import Whole

OPERATOR_TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="session")
def operator_token() -> str:
    """The token of the whole's operator."""
    return OPERATOR_TOKEN


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def whole(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    """Everything that `make play` starts, on a folder of its own, with an operator's token in `operators`."""
    folder = tmp_path_factory.mktemp("whole")
    tokens = folder / "operators"
    tokens.write_text(f"kari {OPERATOR_TOKEN}\n")
    tokens.chmod(0o600)
    async with Whole(folder, {"TANDEMFOG_GATEWAY_OPS_TOKEN_FILE": str(tokens)}) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Chromium]:
    """One Chromium for the tests that need no browser of their own; contexts keep them apart."""
    async with chromium() as running:
        yield running
