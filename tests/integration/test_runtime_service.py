"""How a service process lives: ready, health, reflection, metrics, drain, failure."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

import aiohttp
import grpc
import pytest
from google.protobuf import wrappers_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from libs.runtime.logs import REQUEST_ID_HEADER
from tests.kit.echo import SERVICE, EchoStub
from tests.kit.service import ServiceProcess

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
async def echo():
    async with ServiceProcess("tests.kit.echo", {}) as process:
        yield process


@pytest.fixture
async def channel(echo):
    async with grpc.aio.insecure_channel(echo.address) as channel:
        yield channel


async def text_of(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, await answer.text()


async def test_the_ready_line_names_the_bound_ports(echo, channel):
    assert echo.ready["service"] == "game"
    assert echo.ready["motto"] == "hello"
    assert await EchoStub(channel).say("hello") == "hello"
    status, _ = await text_of(f"http://127.0.0.1:{echo.ready['metrics_port']}/metrics")
    assert status == 200


async def test_health_answers_for_the_process_and_for_each_service(channel):
    health: Any = health_pb2_grpc.HealthStub(channel)
    for name in ("", SERVICE):
        answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == SERVING
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await health.Check(health_pb2.HealthCheckRequest(service="tandemfog.nothing.v1.NoService"))
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND


async def test_reflection_lists_the_services_and_describes_them(channel):
    reflect: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    questions = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE),
    ]
    listing, file = [answer async for answer in reflect.ServerReflectionInfo(iter(questions))]
    names = {service.name for service in listing.list_services_response.service}
    assert {SERVICE, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"} <= names
    assert file.file_descriptor_response.file_descriptor_proto


async def test_metrics_count_calls_by_method_and_code(echo, channel):
    stub = EchoStub(channel)
    await stub.say("hello")
    for word in ("refuse", "fail"):
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.say(word)
    wanted = [
        f'tandemfog_game_rpc_seconds_count{{code="{code}",method="Say"}} 1.0'
        for code in ("OK", "INVALID_ARGUMENT", "INTERNAL")
    ]
    async with asyncio.timeout(5):  # a call is counted just after its caller has the answer
        page = ""
        while not all(line in page for line in wanted):
            _, page = await text_of(f"http://127.0.0.1:{echo.ready['metrics_port']}/metrics")
    assert "tandemfog_game_event_loop_lag_seconds_bucket" in page
    assert "process_resident_memory_bytes" in page


async def test_metrics_count_streams_that_fail_but_none_that_is_refused(echo, channel):
    for word in ("refuse", "fail"):
        with pytest.raises(grpc.aio.AioRpcError):
            async for _ in EchoStub(channel).count(wrappers_pb2.StringValue(value=word)):
                pass
    line = await echo.wait_for("stream_failed")
    assert "private matter" in line["exception"]
    _, page = await text_of(f"http://127.0.0.1:{echo.ready['metrics_port']}/metrics")
    assert 'tandemfog_game_rpc_stream_failures_total{method="Count"} 1.0' in page


async def test_the_caller_s_request_id_is_in_every_line_of_its_call(echo, channel):
    await EchoStub(channel).say("hello", metadata=((REQUEST_ID_HEADER, "r-17"),))
    await EchoStub(channel).say("hello")
    await echo.wait_for("said")
    while len([line for line in echo.lines if line["event"] == "said"]) < 2:
        await asyncio.sleep(0.01)
    first, second = (line for line in echo.lines if line["event"] == "said")
    assert first["request_id"] == "r-17"
    assert "request_id" not in second


async def test_an_unexpected_error_is_logged_and_not_told_to_the_caller(echo, channel):
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await EchoStub(channel).say("fail")
    assert caught.value.code() == grpc.StatusCode.INTERNAL
    assert "private" not in str(caught.value.details())
    line = await echo.wait_for("call_failed")
    assert "private matter" in line["exception"]


async def test_a_stop_finishes_the_call_in_progress_and_leaves_with_zero(echo, channel):
    health: Any = health_pb2_grpc.HealthStub(channel)
    watch = health.Watch(health_pb2.HealthCheckRequest(service=""))
    assert (await watch.read()).status == SERVING
    slow = asyncio.create_task(EchoStub(channel).say("slow"))
    await echo.wait_for("slow_call_started")
    started = time.monotonic()
    code = asyncio.create_task(echo.terminate())
    assert (await watch.read()).status == NOT_SERVING
    assert await slow == "slow"
    assert await code == 0
    assert time.monotonic() - started < 4, "a watcher's open stream must not hold up the stop"
    events = [line["event"] for line in echo.lines]
    assert events.index("draining") < events.index("goodbye") < events.index("stopped")


async def test_a_stream_sees_the_drain_and_ends_by_itself(echo, channel):
    stream = EchoStub(channel).count(wrappers_pb2.StringValue())
    await stream.read()
    assert await echo.terminate() == 0
    async with asyncio.timeout(5):
        while await stream.read() is not grpc.aio.EOF:
            pass
    assert await stream.code() == grpc.StatusCode.OK


async def test_a_service_leaves_when_its_parent_is_gone():
    reading, writing = os.pipe()
    async with ServiceProcess("tests.kit.echo", {"TANDEMFOG_PARENT_FD": str(reading)}, (reading,)) as echo:
        os.close(reading)
        os.close(writing)
        assert await echo.wait() == 0
    assert any(line["event"] == "stop_asked" and line["by"] == "parent" for line in echo.lines)


async def test_a_background_task_that_breaks_ends_the_process_with_one():
    echo = ServiceProcess("tests.kit.echo", {"TANDEMFOG_GAME_BREAKS_AFTER_MS": "1"})
    await echo.launch()
    assert await echo.wait() == 1
    line = next(line for line in echo.lines if line["event"] == "task_failed")
    assert line["task"] == "break_down"


async def test_a_background_task_that_somebody_else_has_cancelled_ends_the_process_too():
    told = {"TANDEMFOG_GAME_BREAKS_AFTER_MS": "1", "TANDEMFOG_GAME_BREAKS_CANCELLED": "true"}
    echo = ServiceProcess("tests.kit.echo", told)
    await echo.launch()
    assert await echo.wait() == 1
    assert "break_down" in {line["task"] for line in echo.lines if line["event"] == "task_cancelled"}


async def test_an_unknown_variable_ends_the_process_with_two_and_is_named():
    echo = ServiceProcess("tests.kit.echo", {"TANDEMFOG_GAME_PROT": "1"})
    await echo.launch()
    assert await echo.wait() == 2
    line = next(line for line in echo.lines if line["event"] == "bad_settings")
    assert "TANDEMFOG_GAME_PROT" in line["problems"][0]


async def test_a_taken_port_ends_the_process_with_one(echo):
    second = ServiceProcess("tests.kit.echo", {"TANDEMFOG_GAME_PORT": str(echo.port)})
    await second.launch()
    assert await second.wait() == 1
    line = next(line for line in second.lines if line["event"] == "start_failed")
    assert str(echo.port) in line["exception"]
