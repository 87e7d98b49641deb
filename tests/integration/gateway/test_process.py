"""The gateway as a process: it starts without the others, and stops when it is asked to."""

from __future__ import annotations

import asyncio

import pytest

from tests.integration.gateway.conftest import Secrets
from tests.kit.browser import Browser
from tests.kit.service import ServiceProcess


def environment(secret_files: Secrets) -> dict[str, str]:
    return {
        "TANDEMFOG_PEERS_MATCHMAKING": "127.0.0.1:1",
        "TANDEMFOG_PEERS_GAME": "127.0.0.1:1",
        "TANDEMFOG_PEERS_VISIBILITY": "127.0.0.1:1",
        "TANDEMFOG_SESSION_SECRET_FILE": str(secret_files.session),
        "TANDEMFOG_GATEWAY_HTTP_PORT": "0",
    }


@pytest.mark.scenario("R11")
async def test_a_stop_says_goodbye_to_every_browser_and_ends_within_its_grace(secret_files: Secrets) -> None:
    async with ServiceProcess("gateway", environment(secret_files)) as gateway:
        url = f"http://127.0.0.1:{gateway.ready['http_port']}"
        async with Browser(url) as kari, Browser(url) as ola:
            await kari.command("ping")
            assert (await kari.get("/healthz"))[0] == 503
            async with asyncio.timeout(5):
                code, *closed = await asyncio.gather(
                    gateway.terminate(), kari.wait_closed(), ola.wait_closed()
                )
            assert (code, closed) == (0, [1001, 1001])
            assert kari.frames[-1] == ola.frames[-1] == {"t": "bye", "reason": "draining"}


async def test_a_stop_does_not_wait_for_a_browser_that_is_gone(secret_files: Secrets) -> None:
    async with (
        ServiceProcess("gateway", environment(secret_files)) as gateway,
        Browser(f"http://127.0.0.1:{gateway.ready['http_port']}") as kari,
    ):
        await kari.command("ping")
        kari.drop()
        async with asyncio.timeout(5):
            assert await gateway.terminate() == 0


async def test_a_secret_that_is_missing_is_named_and_refused(secret_files: Secrets) -> None:
    secret_files.session.unlink()
    gateway = ServiceProcess("gateway", environment(secret_files))
    await gateway.launch()
    assert await gateway.wait() == 2
    assert "session-secret" in gateway.log()
