"""What the tests of the bots ask of the stack."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.view.v1 import view_pb2, view_pb2_grpc
from libs.runtime.refusals import call
from libs.runtime.service import running_service
from services.bots.app import build as build_bots
from services.bots.match_view import MatchView
from services.bots.settings import BotsSettings

REQUESTS = itertools.count(1)
TANDEM, FOG = types_pb2.VARIANT_TANDEM, types_pb2.VARIANT_FOG


@dataclass
class Stack:
    """The running services; ``connected`` are the people's seats that a gateway would report."""

    game_address: str
    visibility_address: str
    matchmaking_address: str
    games: game_pb2_grpc.GameServiceStub
    views: view_pb2_grpc.ViewServiceStub
    tables: matchmaking_pb2_grpc.TableServiceStub
    leases: matchmaking_pb2_grpc.LeaseServiceStub
    connected: set[tuple[str, int]] = field(default_factory=set)

    @asynccontextmanager
    async def bots(self, pace: float = 0.0) -> AsyncIterator[None]:
        """A worker."""
        settings = BotsSettings(
            peers_matchmaking=self.matchmaking_address,
            peers_game=self.game_address,
            peers_visibility=self.visibility_address,
            pace=pace,
            lease_every_ms=50,
            drain_grace_ms=500,
        )
        async with running_service(settings, build_bots):
            yield

    async def bots_table(self, variant: types_pb2.Variant.ValueType, level: int = 3) -> str:
        """A table with bots on all seats; its id."""
        settings = matchmaking_pb2.TableSettings(variant=variant)
        if variant == TANDEM:
            settings.time.initial_ms = 60_000
        request = matchmaking_pb2.CreateTableRequest(request_id="t", guest_id="maker", settings=settings)
        table = (await call(self.tables.CreateTable, request)).table
        for seat in range(len(table.seats)):
            place = matchmaking_pb2.SetBotRequest(
                guest_id="maker", table_id=table.table_id, seat=seat, level=level
            )
            await call(self.tables.SetBot, place)
        return table.table_id

    async def play_now(self, variant: types_pb2.Variant.ValueType) -> matchmaking_pb2.PlayNowResponse:
        """A person on seat 0, bots on the others; returned once the match runs."""
        request = matchmaking_pb2.PlayNowRequest(
            request_id="p",
            guest_id="kari",
            name="Kari",
            settings=matchmaking_pb2.TableSettings(variant=variant),
        )
        answer = await call(self.tables.PlayNow, request)
        self.connected.add((answer.table.table_id, 0))
        await self.started(answer.table.table_id)
        return answer

    async def started(self, table_id: str) -> None:
        """Wait until the match runs."""
        async with asyncio.timeout(10):
            while True:
                request = matchmaking_pb2.GetTableRequest(table_id=table_id)
                table = (await call(self.tables.GetTable, request)).table
                if table.state == matchmaking_pb2.TABLE_STATE_STARTED:
                    return
                await asyncio.sleep(0.02)

    async def finished(self, match_id: str, within_s: float = 60.0) -> types_pb2.Outcome:
        """Wait for the end of the match; its outcome."""
        async with asyncio.timeout(within_s):
            while True:
                status = await call(self.games.GetStatus, game_pb2.GetStatusRequest(match_id=match_id))
                if status.over:
                    return status.outcome
                await asyncio.sleep(0.05)

    async def lease(self, worker: str) -> list[matchmaking_pb2.LeaseGrant]:
        """Lease what waits for a worker."""
        request = matchmaking_pb2.LeaseRequest(worker_id=worker, free_seats=10)
        return list((await call(self.leases.Lease, request)).granted)

    @asynccontextmanager
    async def seat(self, match_id: str, seat: int, token: str) -> AsyncIterator[Seat]:
        """A person's seat, with its view."""
        person = Seat(self, match_id, seat, token)
        following = asyncio.create_task(person.follow())
        try:
            yield person
        finally:
            following.cancel()


async def keep_reporting(stack: Stack) -> None:
    """Say what a gateway says: that it lives, and who is connected."""
    while True:
        seats = [
            types_pb2.SeatPresence(match_id=match_id, seat=seat, connections=1)
            for match_id, seat in stack.connected
        ]
        request = game_pb2.ReportPresenceRequest(gateway_id="g1", seats=seats, complete=True)
        await stack.games.ReportPresence(request, timeout=5.0)
        await asyncio.sleep(0.5)


class Seat:
    """A person who sees what the seat sees."""

    def __init__(self, stack: Stack, match_id: str, seat: int, token: str) -> None:
        self.view = MatchView(seat)
        self.talk: list[types_pb2.TalkLine] = []
        self.moves: list[view_pb2.MoveEntry] = []
        self._stack = stack
        self._match_id = match_id
        self._token = token
        self._news = asyncio.Condition()

    async def follow(self) -> None:
        """Take the frames until cancelled."""

        async def wants() -> AsyncIterator[view_pb2.WatchRequest]:
            join = view_pb2.Join(match_id=self._match_id, token=self._token)
            yield view_pb2.WatchRequest(viewer=1, join=join)
            await asyncio.Event().wait()

        async for response in self._stack.views.Watch(wants()):
            async with self._news:
                for frame in response.frames:
                    if frame.HasField("talk"):
                        self.talk.append(frame.talk)
                    elif frame.HasField("view"):
                        assert self.view.take(frame.view, asyncio.get_running_loop().time() * 1000)
                        self.moves += frame.view.moves
                self._news.notify_all()

    async def until(self, holds: Callable[[], bool], within_s: float = 20.0) -> None:
        """Wait for frames until something holds."""
        async with asyncio.timeout(within_s), self._news:
            await self._news.wait_for(holds)

    async def until_ply(self, ply: int) -> None:
        """Wait until so many moves were made on the own board."""
        await self.until(lambda: self.view.seen and self.view.ply >= ply)

    def heard(self) -> list[types_pb2.QuickMessage.ValueType]:
        """What the partner has said."""
        return [line.quick for line in self.talk if line.seat != self.view.seat]

    def ply_on(self, board: int) -> int:
        """Single moves made on a board."""
        return max((move.ply for move in self.moves if move.board == board), default=0)

    async def act(self, uci: str = "", gesture: game_pb2.Gesture.ValueType | None = None) -> None:
        """Send a move, or a gesture."""
        request = game_pb2.ActRequest(request_id=f"r{next(REQUESTS)}", token=self._token)
        if gesture is None:
            move = game_pb2.Move(board=self.view.board.board, ply=self.view.ply, uci=uci)
            request.move.CopyFrom(move)
        else:
            request.gesture = gesture
        await call(self._stack.games.Act, request)

    async def say(self, quick: types_pb2.QuickMessage.ValueType) -> None:
        """Say something to the partner."""
        request = game_pb2.TalkRequest(request_id=f"r{next(REQUESTS)}", token=self._token, quick=quick)
        await call(self._stack.games.Talk, request)
