"""The question that a container's health check asks: well, draining, gone; over gRPC, TLS and HTTP."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from aiohttp import web

from libs.runtime.probe import named_by
from libs.runtime.service import running_service
from libs.runtime.settings import SERVICES
from tests.kit.certificates import Authority
from tests.kit.echo import EchoSettings, build
from tests.kit.service import ROOT


async def probe(name: str, **variables: object) -> int:
    """The exit code of the program, as a container engine runs it."""
    told = {f"TANDEMFOG_{variable}": str(value) for variable, value in variables.items()}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "libs.runtime.probe", name), cwd=ROOT, env={**os.environ, **told}
    )
    return await process.wait()


async def test_a_service_that_serves_is_well_and_one_that_has_stopped_is_not() -> None:
    async with running_service(EchoSettings(drain_grace_ms=200), build) as running:
        port = running.port
        assert await probe("game", GAME_PORT=port) == 0
    assert await probe("game", GAME_PORT=port) == 1


async def test_a_service_behind_mutual_tls_is_asked_with_its_own_certificate(tmp_path: Path) -> None:
    files = Authority(tmp_path).sign("game")
    told = {"TLS_CERT": files.certificate, "TLS_KEY": files.key, "TLS_CA": files.authority}
    settings: dict[str, Any] = files.settings(True)
    async with running_service(EchoSettings(drain_grace_ms=200, **settings), build) as running:
        assert await probe("game", GAME_PORT=running.port, **told) == 0
        assert await probe("game", GAME_PORT=running.port) == 1  # plain text is not answered


async def test_the_gateway_is_asked_over_http() -> None:
    status = 200

    async def health(_request: web.Request) -> web.Response:
        return web.Response(status=status)

    application = web.Application()
    application.add_routes([web.get("/healthz", health)])
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        assert await probe("gateway", GATEWAY_HTTP_PORT=port) == 0
        status = 503
        assert await probe("gateway", GATEWAY_HTTP_PORT=port) == 1
    finally:
        await runner.cleanup()
    assert await probe("gateway", GATEWAY_HTTP_PORT=port) == 1


def test_the_first_process_says_which_service_it_is() -> None:
    assert named_by(b"/app/serve/bin/python\0-m\0services\0game\0") == "game"
    assert named_by(b"/sbin/docker-init\0--\0/app/serve/bin/python\0-m\0services\0bots\0") == "bots"


async def test_the_entry_point_takes_services_and_nothing_else() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services", "allinone"),
        cwd=ROOT,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    for name in SERVICES:
        assert name in said.decode()


async def test_the_entry_point_starts_the_service_that_is_named() -> None:
    """Bots told wrongly: it is their own judge of settings that speaks, as `python -m services.bots` does."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services", "bots"),
        cwd=ROOT,
        env={**os.environ, "TANDEMFOG_BOTS_NO_SUCH_THING": "1"},
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert process.returncode == 2
    assert '"service": "bots"' in said.decode()
    assert "TANDEMFOG_BOTS_NO_SUCH_THING" in said.decode()
