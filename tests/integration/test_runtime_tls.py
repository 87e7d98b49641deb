"""TLS between services: who proves its name is asked, who shows a certificate is answered, nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from pydantic import ValidationError

from libs.runtime.peers import NoPeer, Peers
from libs.runtime.secrets import SecretError
from libs.runtime.service import Running, running_service
from libs.runtime.settings import SERVICES
from libs.runtime.tls import Tls, load_tls
from tests.kit.browser import Browser
from tests.kit.certificates import Authority, Files
from tests.kit.echo import EchoSettings, EchoStub, build
from tests.kit.service import ServiceProcess
from tests.kit.whole import Whole


def tls_of(files: Files, mutual: bool = True) -> Tls | None:
    return load_tls(files.certificate, files.key, files.authority, mutual)


@asynccontextmanager
async def echo(files: Files, mutual: bool = True) -> AsyncIterator[Running[EchoSettings]]:
    settings: dict[str, Any] = files.settings(mutual)
    async with running_service(EchoSettings(drain_grace_ms=200, **settings), build) as running:
        yield running


async def answer(address: str, tls: Tls | None, name: str = "game") -> str:
    """What the service says to a caller with these certificates; raises NoPeer when nobody is believed."""
    async with Peers(address, EchoStub, name=name, tls=tls) as peers:
        if not await peers.wait_ready(1_000):
            raise NoPeer
        return await peers.call("", lambda stub: stub.say("hello"))


async def test_two_services_of_one_authority_talk(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with echo(authority.sign("game")) as running:
        assert await answer(running.address, tls_of(authority.sign("gateway"))) == "hello"


@pytest.mark.parametrize("case", ["no_tls", "foreign_caller", "foreign_authority", "expired_caller"])
async def test_a_caller_that_proves_nothing_is_not_answered(tmp_path: Path, case: str) -> None:
    authority, stranger = Authority(tmp_path), Authority(tmp_path, "stranger")
    foreign, own = stranger.sign("gateway"), authority.sign("gateway")
    callers = {
        "no_tls": None,
        "foreign_caller": tls_of(Files(foreign.certificate, foreign.key, own.authority)),
        "foreign_authority": tls_of(foreign),
        "expired_caller": tls_of(authority.sign("gateway", days=-1)),
    }
    async with echo(authority.sign("game")) as running:
        with pytest.raises(NoPeer):
            await answer(running.address, callers[case])


async def test_a_service_under_another_name_is_not_believed(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with echo(authority.sign("bots")) as running:
        with pytest.raises(NoPeer):
            await answer(running.address, tls_of(authority.sign("gateway")))


async def test_without_mutual_tls_a_caller_needs_no_certificate(tmp_path: Path) -> None:
    files = Authority(tmp_path).sign("game")
    async with echo(files, mutual=False) as running:
        credentials = grpc.ssl_channel_credentials(files.authority.read_bytes())
        options = (("grpc.ssl_target_name_override", "game"),)
        async with grpc.aio.secure_channel(running.address, credentials, options=options) as channel:
            assert await EchoStub(channel).say("hello") == "hello"
    async with (
        echo(files) as running,
        grpc.aio.secure_channel(running.address, credentials, options=options) as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError):
            await EchoStub(channel).say("hello")


def test_the_three_files_belong_together(tmp_path: Path) -> None:
    files = Authority(tmp_path).sign("game")
    with pytest.raises(ValidationError, match="belong together"):
        EchoSettings(tls_cert=files.certificate)


@pytest.mark.parametrize("fault", ["missing", "readable"])
async def test_a_key_that_is_missing_or_open_to_all_is_named_and_refused(tmp_path: Path, fault: str) -> None:
    files = Authority(tmp_path).sign("game")
    if fault == "missing":
        files.key.unlink()
    else:
        files.key.chmod(0o644)
    with pytest.raises(SecretError, match=files.key.name):
        tls_of(files)
    process = ServiceProcess("tests.kit.echo", files.environment())
    await process.launch()
    assert await process.wait() == 2
    assert files.key.name in process.log()


async def test_the_whole_runs_and_plays_under_mutual_tls(tmp_path: Path) -> None:
    files = Authority(tmp_path).sign(*SERVICES)
    environment = {**files.environment(), "TANDEMFOG_BOTS_PACE": "0"}
    async with Whole(tmp_path / "var", environment) as whole:
        async with grpc.aio.insecure_channel(whole.address("game")) as channel:
            with pytest.raises(grpc.aio.AioRpcError):
                await EchoStub(channel).say("hello")
        async with Browser(whole.url) as kari:
            await kari.command("play_now", variant="fog", seat=0)
            await kari.wait_for(lambda page: page.match)
            await kari.move("e2e4")
            await kari.wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] >= 2)
