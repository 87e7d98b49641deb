"""Peers: who is there to be asked, and whom to ask first."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from libs.runtime.peers import NoPeer, Peers, resolve
from libs.runtime.refusals import refusal_of
from libs.runtime.service import running_service
from services.allinone.store import unused_port
from tests.kit.echo import EchoSettings, EchoStub, build


async def until_members(peers, count):
    async with asyncio.timeout(10):
        while len(peers.members()) != count:
            await peers.changed()


async def test_a_member_that_dies_leaves_the_list_and_comes_back():
    ports = [unused_port(), unused_port()]
    spec = ",".join(f"127.0.0.1:{port}" for port in ports)
    async with Peers(spec, EchoStub, name="echo") as peers:
        assert peers.members() == ()
        async with running_service(EchoSettings(port=ports[0]), build):
            async with running_service(EchoSettings(port=ports[1]), build):
                await until_members(peers, 2)
                assert peers.members() == tuple(sorted(spec.split(",")))
            await until_members(peers, 1)
            assert peers.members() == (f"127.0.0.1:{ports[0]}",)
            async with running_service(EchoSettings(port=ports[1]), build):
                await until_members(peers, 2)


async def test_a_call_goes_on_to_the_next_member_when_one_is_unavailable():
    async with (
        running_service(EchoSettings(), build) as one,
        running_service(EchoSettings(), build) as two,
        Peers(f"{one.address},{two.address}", EchoStub, name="echo") as peers,
        grpc.aio.insecure_channel(f"127.0.0.1:{unused_port()}") as nobody,
    ):
        await until_members(peers, 2)
        asked = []

        async def ask(stub):
            asked.append(stub)
            return await (EchoStub(nobody) if len(asked) == 1 else stub).say("hello")

        assert await peers.call("s07", ask) == "hello"
        assert asked == [peers.stub(address) for address in peers.ranked("s07")]


async def test_a_call_waits_for_a_member_to_come():
    port = unused_port()
    async with Peers(f"127.0.0.1:{port}", EchoStub, name="echo") as peers:
        call = asyncio.create_task(peers.call("s07", lambda stub: stub.say("hello"), patience_ms=10_000))
        async with running_service(EchoSettings(port=port), build):
            assert await call == "hello"


async def test_a_call_without_members_is_no_peer():
    async with Peers("", EchoStub, name="echo") as peers:
        with pytest.raises(NoPeer):
            peers.prefer("s07")
        with pytest.raises(NoPeer):
            await peers.call("s07", lambda stub: stub.say("hello"))
        assert not await peers.wait_ready(timeout_ms=10)


async def test_an_error_that_the_member_answers_is_the_caller_s():
    async with running_service(EchoSettings(), build) as echo, Peers(echo.address, EchoStub, "echo") as peers:
        assert await peers.wait_ready(timeout_ms=10_000)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await peers.call("s07", lambda stub: stub.say("refuse"))
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_named_refusal_is_an_answer_though_its_status_is_unavailable():
    async with running_service(EchoSettings(), build) as echo, Peers(echo.address, EchoStub, "echo") as peers:
        assert await peers.wait_ready(timeout_ms=10_000)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await peers.call("s07", lambda stub: stub.say("busy"), patience_ms=2_000)
        assert refusal_of(caught.value).reason == "busy"


async def test_each_address_of_a_dns_name_is_a_member():
    assert "127.0.0.1:7000" in await resolve("dns://localhost:7000")
    assert await resolve("10.0.0.1:7000, 10.0.0.2:7000") == {"10.0.0.1:7000", "10.0.0.2:7000"}


@pytest.mark.parametrize("spec", ["game", "game:", ":7000", "http://game:7000"])
async def test_a_malformed_list_is_refused(spec):
    with pytest.raises(ValueError, match="host:port"):
        await resolve(spec)


async def test_a_change_between_the_question_and_the_wait_for_it_is_not_missed():
    port = unused_port()
    async with Peers(f"127.0.0.1:{port}", EchoStub, name="echo") as peers:
        change = peers.changed()
        async with running_service(EchoSettings(port=port), build):
            await until_members(peers, 1)
            async with asyncio.timeout(1):
                await change


async def test_a_call_to_a_member_that_leaves_meanwhile_goes_on_to_the_next_one(monkeypatch):
    """Its channel is closed, which cancels the call and must not end the caller, too."""
    async with running_service(EchoSettings(), build) as one, running_service(EchoSettings(), build) as two:
        listed = {one.address, two.address}

        async def listing(_spec):
            return frozenset(listed)

        monkeypatch.setattr("libs.runtime.peers.resolve", listing)
        monkeypatch.setattr("libs.runtime.peers.RESOLVE_EVERY_S", 0.05)
        async with Peers("dns://echo:1", EchoStub, name="echo", probed=False) as peers:
            await until_members(peers, 2)
            leaving = peers.ranked("s07")[0]
            asked = asyncio.Event()

            async def ask(stub):
                if leaving in peers.members() and stub is peers.stub(leaving):
                    asked.set()
                    async for _ in stub.count(StringValue(value="for ever")):
                        pass
                return await stub.say("hello")

            call = asyncio.create_task(peers.call("s07", ask))
            await asked.wait()
            listed.remove(leaving)
            async with asyncio.timeout(10):
                assert await call == "hello"


async def test_who_is_cancelled_while_calling_is_cancelled():
    async with running_service(EchoSettings(), build) as echo, Peers(echo.address, EchoStub, "echo") as peers:
        assert await peers.wait_ready(timeout_ms=10_000)
        call = asyncio.create_task(peers.call("s07", lambda stub: stub.say("slow"), patience_ms=5_000))
        await asyncio.sleep(0.05)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
