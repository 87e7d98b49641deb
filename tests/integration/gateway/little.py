"""Game and visibility without a board: they note what they are asked, and show what a test tells them to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from grpc_health.v1 import health_pb2_grpc

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.view.v1 import view_pb2, view_pb2_grpc
from libs.runtime.health import HealthServicer
from libs.runtime.refusals import Refusal, refuse


class LittleGame(game_pb2_grpc.GameServiceServicer):
    """Starts every match but the first `refuses_starts`, and takes every command, unless `refusal` says what
    to answer instead. `bundles` are the messages with commands that came over streams, `replies` is how many
    messages with answers went back."""

    def __init__(self) -> None:
        self.acts: list[game_pb2.ActRequest] = []
        self.talks: list[game_pb2.TalkRequest] = []
        self.reports: list[game_pb2.ReportPresenceRequest] = []
        self.refusal: Refusal | None = None
        self.refuses_starts = 0
        self.refused: set[str] = set()
        self.bundles: list[game_pb2.ActTogetherRequest] = []
        self.replies = 0
        self.never_held: set[str] = set()
        self.held = asyncio.Event()
        self.held.set()

    async def CreateMatch(self, request: Any, context: Any) -> Any:  # noqa: N802 - gRPC's name
        if len(self.refused) < self.refuses_starts:
            self.refused.add(request.match_id)
        if request.match_id in self.refused:
            await refuse(context, Refusal("busy"))
        return game_pb2.CreateMatchResponse(version=1)

    async def Act(self, request: game_pb2.ActRequest, context: Any) -> Any:  # noqa: N802
        try:
            return await self._act(request)
        except Refusal as refusal:
            await refuse(context, refusal)

    async def ActTogether(self, requests: Any, _context: Any) -> AsyncIterator[Any]:  # noqa: N802
        ready: asyncio.Queue[game_pb2.CommandAnswer] = asyncio.Queue()
        reader = asyncio.create_task(self._obey(requests, ready))
        try:
            while True:
                answers = [await ready.get()]
                while not ready.empty():
                    answers.append(ready.get_nowait())
                self.replies += 1
                yield game_pb2.ActTogetherResponse(answers=answers)
        finally:
            reader.cancel()

    async def _obey(self, requests: Any, ready: asyncio.Queue[game_pb2.CommandAnswer]) -> None:
        async def answer(command: game_pb2.Command) -> None:
            answer = game_pb2.CommandAnswer(number=command.number)
            try:
                answer.done.CopyFrom(await self._act(command.act))
            except Refusal as refusal:
                answer.refused.reason, answer.refused.detail = refusal.reason, refusal.detail
            ready.put_nowait(answer)

        async with asyncio.TaskGroup() as group:
            async for request in requests:
                self.bundles.append(request)
                for command in request.commands:
                    group.create_task(answer(command))

    async def _act(self, request: game_pb2.ActRequest) -> game_pb2.ActResponse:
        self.acts.append(request)
        if request.request_id not in self.never_held:
            await self.held.wait()
        if self.refusal is not None:
            raise self.refusal
        same = [act for act in self.acts if act.request_id == request.request_id]
        return game_pb2.ActResponse(version=7, duplicate=len(same) > 1)

    async def Talk(self, request: game_pb2.TalkRequest, _context: Any) -> Any:  # noqa: N802
        self.talks.append(request)
        return game_pb2.TalkResponse(number=len(self.talks))

    async def Mute(self, _request: Any, _context: Any) -> Any:  # noqa: N802
        return game_pb2.MuteResponse()

    async def ReportTalk(self, _request: Any, _context: Any) -> Any:  # noqa: N802
        return game_pb2.ReportTalkResponse()

    async def GetRetention(self, _request: Any, _context: Any) -> Any:  # noqa: N802
        return game_pb2.GetRetentionResponse(match_ms=1_000, archived=True, names_ms=2_000, talk_ms=500)

    async def ReportPresence(self, request: game_pb2.ReportPresenceRequest, _context: Any) -> Any:  # noqa: N802
        self.reports.append(request)
        return game_pb2.ReportPresenceResponse()

    async def Attend(self, _request: Any, _context: Any) -> AsyncIterator[Any]:  # noqa: N802
        yield game_pb2.AttendResponse()
        await asyncio.Event().wait()

    async def Attest(self, _request: Any, _context: Any) -> Any:  # noqa: N802
        return game_pb2.AttestResponse()

    async def GetStatus(self, request: Any, context: Any) -> Any:  # noqa: N802
        if request.match_id in self.refused:
            await refuse(context, Refusal("unknown_match"))
        return game_pb2.GetStatusResponse()

    def connections(self, match_id: str, seat: int) -> int | None:
        """The last word on a seat; None when it was never reported."""
        counts = [
            presence.connections
            for report in self.reports
            for presence in report.seats
            if (presence.match_id, presence.seat) == (match_id, seat)
        ]
        return counts[-1] if counts else None


class LittleView(view_pb2_grpc.ViewServiceServicer):
    """Answers a join by a full view, or by `refuses`; `change` sends a delta to every viewer."""

    def __init__(self) -> None:
        self.joins: list[tuple[int, view_pb2.Join]] = []
        self.refuses = ""
        self.version = 1
        self.padding = ""
        self._viewers: dict[int, tuple[asyncio.Queue[view_pb2.Frame], view_pb2.Join]] = {}

    async def Watch(self, requests: Any, _context: Any) -> AsyncIterator[view_pb2.WatchResponse]:  # noqa: N802
        frames: asyncio.Queue[view_pb2.Frame] = asyncio.Queue()
        reader = asyncio.create_task(self._obey(requests, frames))
        try:
            while True:
                batch = [await frames.get()]
                while not frames.empty():
                    batch.append(frames.get_nowait())
                yield view_pb2.WatchResponse(frames=batch)
        finally:
            reader.cancel()
            for number in [number for number, (queue, _) in self._viewers.items() if queue is frames]:
                del self._viewers[number]

    async def _obey(self, requests: Any, frames: asyncio.Queue[view_pb2.Frame]) -> None:
        async for request in requests:
            if request.HasField("leave"):
                self._viewers.pop(request.viewer, None)
                continue
            self.joins.append((request.viewer, request.join))
            if self.refuses:
                frames.put_nowait(view_pb2.Frame(viewers=[request.viewer], refused=self.refuses))
                continue
            self._viewers[request.viewer] = (frames, request.join)
            frames.put_nowait(view_pb2.Frame(viewers=[request.viewer], view=self._full(request.join)))

    def _full(self, join: view_pb2.Join) -> view_pb2.View:
        setup = view_pb2.Setup(
            variant=types_pb2.VARIANT_TANDEM,
            seated=bool(join.token),
            seat=int(join.token.split(".")[2]) if join.token else 0,
        )
        boards = [view_pb2.BoardView(board=board, fen="8/8 w", hands=["", ""]) for board in (0, 1)]
        return view_pb2.View(
            match_id=join.match_id, version=self.version, full=True, setup=setup, boards=boards
        )

    def change(self) -> None:
        """One more version, with the move list a move longer; each viewer's own stream brings it."""
        self.version += 1
        for number, (frames, join) in self._viewers.items():
            move = view_pb2.MoveEntry(ply=self.version, san="e4" + self.padding, uci="e2e4")
            shown = view_pb2.View(match_id=join.match_id, version=self.version, moves=[move])
            frames.put_nowait(view_pb2.Frame(viewers=[number], view=shown))

    def say(self, number: int, text: str) -> None:
        """A line of talk for all viewers with a seat."""
        line = types_pb2.TalkLine(number=number, seat=0, text=text)
        for viewer, (frames, join) in self._viewers.items():
            if join.token:
                frames.put_nowait(view_pb2.Frame(viewers=[viewer], talk=line))

    async def ExportMatch(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await refuse(context, Refusal("still_running"))

    async def ReplayMatch(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await refuse(context, Refusal("still_running"))

    async def ReadGame(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await refuse(context, Refusal("unavailable"))


@asynccontextmanager
async def serving(servicer: LittleGame | LittleView, port: int = 0) -> AsyncIterator[int]:
    """Serves it; the port. It may be served again, at the same port, afterwards."""
    server, health = grpc.aio.server(options=(("grpc.so_reuseport", 0),)), HealthServicer()
    if isinstance(servicer, LittleGame):
        game_pb2_grpc.add_GameServiceServicer_to_server(servicer, server)
    else:
        view_pb2_grpc.add_ViewServiceServicer_to_server(servicer, server)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    health.serve([])
    try:
        yield bound
    finally:
        health.drain()
        await server.stop(0)
