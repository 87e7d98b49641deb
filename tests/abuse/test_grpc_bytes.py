"""Bytes and odd messages to every method of every service: named refusals, no crash, no state change."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from gen.tandemfog.feed.v1 import feed_pb2, feed_pb2_grpc
from gen.tandemfog.game.v1 import game_pb2
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2
from gen.tandemfog.view.v1 import view_pb2
from libs.identity.tokens import SeatToken, mint_seat_token
from libs.runtime.service import running_service
from services.bots.app import build as build_bots
from services.bots.settings import BotsSettings
from tests.abuse.mutations import fill, spoiled_bytes
from tests.integration.gateway.club import Club

EACH = 40
"""Messages of each kind (noise, odd values, spoiled) to each method."""
# Those that answer a call with an error of ours, or that say that nobody answers.
FAILURES = {"INTERNAL", "UNKNOWN", "DATA_LOSS", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED"}
# A call between services: whoever may make it is believed.
TRUSTED = {"ReportPresence"}


def methods_of(*files: Any) -> list[MethodDescriptor]:
    return [
        method
        for file in files
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ]


EVERYWHERE = methods_of(health_pb2, reflection_pb2)
SERVED = {
    "game": methods_of(game_pb2, feed_pb2),
    "matchmaking": methods_of(matchmaking_pb2),
    "visibility": methods_of(view_pb2),
    "bots": [],
    "gateway": [],
}


def messages(method: MethodDescriptor, dice: Random, table: str) -> list[bytes]:
    """What to send: noise, requests with odd values, and requests about a real match that were spoiled."""
    kind: Any = GetMessageClass(method.input_type)
    forged = mint_seat_token(b"x" * 32, SeatToken(table, 0, 0, 2_000_000_000))
    sent = [b"", *(dice.randbytes(dice.randrange(120)) for _ in range(EACH))]
    for _ in range(EACH):
        odd = fill(kind(), dice)
        sent.append(odd.SerializeToString())
        for name, value in (("token", forged), ("match_id", table), ("table_id", table)):
            if name in kind.DESCRIPTOR.fields_by_name and method.name not in TRUSTED:
                setattr(odd, name, value)
        sent += [odd.SerializeToString(), spoiled_bytes(odd.SerializeToString(), dice)]
    return sent


async def answer(channel: Any, method: MethodDescriptor, message: bytes) -> str:
    """The code with which a method answers these bytes; a stream is told no more after them."""
    path = f"/{method.containing_service.full_name}/{method.name}"

    async def once() -> AsyncIterator[bytes]:
        yield message

    try:
        if method.client_streaming:
            stream: Any = channel.stream_stream(path)(once(), timeout=20)
            async for _ in stream:
                pass
        elif method.server_streaming:
            watch: Any = channel.unary_stream(path)(message, timeout=20)
            async for _ in watch:
                watch.cancel()
        else:
            await channel.unary_unary(path)(message, timeout=20)
    except grpc.aio.AioRpcError as error:
        return error.code().name
    except asyncio.CancelledError:
        return "OK"  # we have seen enough of an endless stream
    return "OK"


async def state_of(club: Club, table: str) -> Any:
    """The whole truth about a match, times apart."""
    async with grpc.aio.insecure_channel(club.addresses["game"]) as channel:
        stub: Any = feed_pb2_grpc.FeedServiceStub(channel)
        match = await stub.GetMatch(feed_pb2.GetMatchRequest(match_id=table))
    return match.state.version, len(match.log), list(match.talk_one), list(match.talk_two)


@pytest.mark.parametrize("service", sorted(SERVED))
@pytest.mark.timeout(300)
async def test_no_bytes_whatever_are_more_than_a_bad_request(club: Club, service: str) -> None:
    table, seats = await club.seated("tandem", 4)
    before = await state_of(club, table)
    dice, codes = Random(service), Counter[str]()
    addresses = {**club.addresses, "gateway": club.gateways[0].running.address}
    async with running_service(BotsSettings(), build_bots) as bots:
        addresses["bots"] = bots.address
        async with grpc.aio.insecure_channel(addresses[service]) as channel:
            for method in [*SERVED[service], *EVERYWHERE]:
                for message in messages(method, dice, table):
                    code = await answer(channel, method, message)
                    assert code not in FAILURES, (method.full_name, message, code)
                    codes[code] += 1
            health: Any = health_pb2_grpc.HealthStub(channel)
            status = (await health.Check(health_pb2.HealthCheckRequest())).status
            assert status == health_pb2.HealthCheckResponse.SERVING
    print(f"{service}: {dict(codes)}")  # noqa: T201
    assert codes["INVALID_ARGUMENT"]
    assert await state_of(club, table) == before
    assert (await seats[0].move("e2e4"))["version"] == before[0] + 1
