"""A matchmaking service on a real store, and what the tests ask of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from prometheus_client import CollectorRegistry

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2_grpc
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import Refusal, call
from tests.integration.matchmaking.little_game import LittleGame

TANDEM = messages.TableSettings(variant=types_pb2.VARIANT_TANDEM)
FOG = messages.TableSettings(variant=types_pb2.VARIANT_FOG)
OPEN, COUNTDOWN = messages.TABLE_STATE_OPEN, messages.TABLE_STATE_COUNTDOWN
STARTING, STARTED = messages.TABLE_STATE_STARTING, messages.TABLE_STATE_STARTED
CLOSED = messages.TABLE_STATE_CLOSED


@dataclass
class Matchmaking:
    """A running service: its stubs, the game behind it, and what it shows to its operator."""

    tables: matchmaking_pb2_grpc.TableServiceStub
    leases: matchmaking_pb2_grpc.LeaseServiceStub
    queue: matchmaking_pb2_grpc.QueueServiceStub
    game: LittleGame
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    def metric(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(f"tandemfog_matchmaking_{name}", labels) or 0.0

    async def create(
        self, guest: str = "maker", request: str = "r1", settings: messages.TableSettings = TANDEM
    ) -> messages.Table:
        answer = await call(
            self.tables.CreateTable,
            messages.CreateTableRequest(request_id=request, guest_id=guest, settings=settings),
        )
        return answer.table

    async def take(
        self, table_id: str, seat: int | None, guest: str, name: str = ""
    ) -> messages.TakeSeatResponse:
        request = messages.TakeSeatRequest(
            table_id=table_id, seat=seat or 0, any_seat=seat is None, guest_id=guest, name=name
        )
        return await call(self.tables.TakeSeat, request)

    async def bot(self, table_id: str, seat: int, level: int = 3, guest: str = "maker") -> messages.Table:
        request = messages.SetBotRequest(guest_id=guest, table_id=table_id, seat=seat, level=level)
        return (await call(self.tables.SetBot, request)).table

    async def get(self, table_id: str) -> messages.Table:
        return (await call(self.tables.GetTable, messages.GetTableRequest(table_id=table_id))).table

    async def play_now(
        self, guest: str = "maker", request: str = "p1", settings: messages.TableSettings = TANDEM
    ) -> messages.PlayNowResponse:
        return await call(
            self.tables.PlayNow,
            messages.PlayNowRequest(request_id=request, guest_id=guest, settings=settings, name="Kari"),
        )

    async def until(self, table_id: str, state: messages.TableState.ValueType) -> messages.Table:
        """The table once it stands there."""
        async with asyncio.timeout(10):
            while True:
                table = await self.get(table_id)
                if table.state == state:
                    return table
                await asyncio.sleep(0.02)

    async def lease(self, worker: str, free: int = 0, **leases: list[messages.SeatLease]) -> Any:
        request = messages.LeaseRequest(worker_id=worker, free_seats=free, **leases)
        return await call(self.leases.Lease, request)


Run = Callable[..., Awaitable[Matchmaking]]
"""Starts a replica with these settings."""


@asynccontextmanager
async def connect(address: str, game: LittleGame) -> AsyncIterator[Matchmaking]:
    async with grpc.aio.insecure_channel(address) as channel:
        yield Matchmaking(
            matchmaking_pb2_grpc.TableServiceStub(channel),
            matchmaking_pb2_grpc.LeaseServiceStub(channel),
            matchmaking_pb2_grpc.QueueServiceStub(channel),
            game,
        )


class Follower:
    """What a gateway has been told on one stream."""

    def __init__(self) -> None:
        self.requests: asyncio.Queue[messages.FollowTablesRequest] = asyncio.Queue()
        self.tables: list[messages.Table] = []
        self.unknown: list[str] = []
        self.news = asyncio.Condition()

    def ask(self, **interest: list[str]) -> None:
        self.requests.put_nowait(messages.FollowTablesRequest(**interest))

    async def sent(self) -> AsyncIterator[messages.FollowTablesRequest]:
        while True:
            yield await self.requests.get()

    async def read(self, matchmaking: Matchmaking) -> None:
        async for response in matchmaking.tables.FollowTables(self.sent()):
            async with self.news:
                self.tables += response.tables
                self.unknown += response.unknown
                self.news.notify_all()

    async def until(self, table_id: str, state: messages.TableState.ValueType) -> messages.Table:
        def newest() -> messages.Table | None:
            return next((table for table in reversed(self.tables) if table.table_id == table_id), None)

        async with asyncio.timeout(10), self.news:
            while (table := newest()) is None or table.state != state:
                await self.news.wait()
            return table


@asynccontextmanager
async def following(matchmaking: Matchmaking) -> AsyncIterator[Follower]:
    follower = Follower()
    task = asyncio.create_task(follower.read(matchmaking))
    try:
        yield follower
    finally:
        task.cancel()


async def reason_of(asked: Awaitable[Any]) -> str:
    """The name of the refusal that the call ends with."""
    with pytest.raises(Refusal) as caught:
        await asked
    return caught.value.reason
