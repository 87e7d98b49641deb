"""The launcher: one command for the whole, and what becomes of it when parts of it end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from typing import Any

import grpc
import pytest
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.allinone.plan import START_ORDER
from services.allinone.store import NOTE
from tests.kit.whole import Whole, WholeFailed

pytestmark = pytest.mark.slow


def alive(pid) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def all_pids(whole: Whole) -> list[int | None]:
    return [whole.pid(name) for name in ("store", *START_ORDER)]


async def until(condition, seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.05)


async def healthy(address: str) -> bool:
    async with grpc.aio.insecure_channel(address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1)
        except grpc.aio.AioRpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def test_everything_is_well_at_the_printed_url_and_goes_with_ctrl_c(tmp_path):
    async with Whole(tmp_path) as whole:
        assert whole.url == whole.processes["url"]
        host, port = whole.url.removeprefix("http://").rstrip("/").split(":")
        assert host == "127.0.0.1"
        with socket.create_connection((host, int(port)), timeout=5):
            pass
        for name in START_ORDER:
            assert await healthy(whole.address(name)), name
        for secret in ("secret", "session-secret", "ports.json", "store/store.conf"):
            assert (tmp_path / secret).stat().st_mode & 0o077 == 0, secret
        pids = all_pids(whole)
        assert await whole.stop(signal.SIGINT) == 0
        assert not any(alive(pid) for pid in pids)
        stdout = whole.process.stdout
        assert stdout is not None
        assert await stdout.read() == b"", "only the URL goes to stdout"
        assert not (tmp_path / "ports.json").exists()


async def test_what_the_store_was_told_survives_a_stop_and_a_crash_of_the_store(tmp_path):
    async with Whole(tmp_path) as whole:
        with redis.from_url(whole.processes["store"]["url"]) as client:
            client.set("kept", "through the stop")
        secret = (tmp_path / "secret").read_text()
    async with Whole(tmp_path) as whole:
        assert (tmp_path / "secret").read_text() == secret
        with redis.from_url(whole.processes["store"]["url"]) as client:
            assert client.get("kept") == b"through the stop"
            client.set("kept", "through the crash")
        crashed = whole.pid("store")
        whole.kill("store")
        await until(lambda: whole.pid("store") not in (None, crashed))
        with redis.from_url(whole.processes["store"]["url"]) as client:

            def answers() -> bool:
                try:
                    return bool(client.get("kept") == b"through the crash")
                except redis.exceptions.RedisError:
                    return False

            await until(answers)


async def test_a_service_that_crashes_is_started_anew_where_the_others_look_for_it(tmp_path):
    async with Whole(tmp_path) as whole:
        address, crashed = whole.address("game"), whole.pid("game")
        whole.kill("game")
        await until(lambda: whole.pid("game") not in (None, crashed))
        async with asyncio.timeout(20):
            while not await healthy(address):
                await asyncio.sleep(0.05)
        assert whole.address("game") == address
        events = [json.loads(line) for line in (tmp_path / "log" / "launcher.log").read_text().splitlines()]
        assert any(line["event"] == "ended" and line["program"] == "game" for line in events)


async def test_nothing_outlives_a_launcher_that_is_killed(tmp_path):
    async with Whole(tmp_path) as whole:
        pids = all_pids(whole)
        whole.process.kill()
        await whole.process.wait()
        await until(lambda: not any(alive(pid) for pid in pids))


async def test_a_second_launcher_on_the_same_folder_is_refused(tmp_path):
    async with Whole(tmp_path) as whole:
        with pytest.raises(WholeFailed, match=f"Another launcher \\(process {whole.process.pid}\\)"):
            async with Whole(tmp_path):
                pass
        assert all(alive(pid) for pid in all_pids(whole))


async def test_a_taken_port_is_named_before_anything_is_started(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(WholeFailed, match=f"Port {port} cannot be used.*TANDEMFOG_PORT="):
            async with Whole(tmp_path, {"TANDEMFOG_PORT": str(port)}):
                pass
    assert not (tmp_path / "log" / "store.log").exists()


async def test_data_that_another_server_wrote_is_refused(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / NOTE).write_text(json.dumps({"name": "valkey", "version": [99, 0, 0]}))
    with pytest.raises(WholeFailed, match=r"written by valkey 99\.0\.0"):
        async with Whole(tmp_path):
            pass


@pytest.mark.parametrize("name", ["TANDEMFOG_PROT", "TANDEMFOG_BOTS_NO_SUCH_SETTING"])
async def test_a_variable_that_nobody_knows_is_named_and_nothing_stays_running(tmp_path, name):
    with pytest.raises(WholeFailed, match=name):
        async with Whole(tmp_path, {name: "1"}):
            pass
    with pytest.raises(FileNotFoundError):
        (tmp_path / "ports.json").read_text()


async def test_a_store_of_one_s_own_is_used_when_its_url_is_given(tmp_path, valkey_url):
    async with Whole(tmp_path, {"TANDEMFOG_STORE_URL": valkey_url}) as whole:
        assert whole.processes["store"] is None
        assert not (tmp_path / "log" / "store.log").exists()
        assert await healthy(whole.address("game"))
