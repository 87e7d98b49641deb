"""A game service that keeps no board: it starts matches, notes the requests, and ends matches when told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from grpc_health.v1 import health_pb2_grpc

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from libs.runtime.health import HealthServicer
from libs.runtime.refusals import Refusal, refuse


class LittleGame(game_pb2_grpc.GameServiceServicer):
    """``refuses`` refuses every start with "busy", ``silent`` makes it and does not answer.

    ``over`` names the matches that have ended.
    """

    def __init__(self) -> None:
        self.refuses = self.silent = False
        self.requests: list[game_pb2.CreateMatchRequest] = []
        self.over: set[str] = set()
        self.asked = asyncio.Event()

    async def CreateMatch(self, request: game_pb2.CreateMatchRequest, context: Any) -> Any:  # noqa: N802
        self.requests.append(request)
        if self.refuses:
            await refuse(context, Refusal("busy"))
        if self.silent:
            await asyncio.Event().wait()
        return game_pb2.CreateMatchResponse(version=1)

    async def GetRetention(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "")

    async def Attend(self, _request: Any, _context: Any) -> AsyncIterator[Any]:  # noqa: N802
        yield game_pb2.AttendResponse()

    async def Attest(self, _request: Any, _context: Any) -> Any:  # noqa: N802
        return game_pb2.AttestResponse()

    async def GetStatus(self, request: game_pb2.GetStatusRequest, context: Any) -> Any:  # noqa: N802
        self.asked.set()
        if self.refuses or not any(made.match_id == request.match_id for made in self.requests):
            await refuse(context, Refusal("unknown_match"))
        return game_pb2.GetStatusResponse(over=request.match_id in self.over)

    async def Act(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await refuse(context, Refusal("unknown_match"))

    async def ActTogether(self, _requests: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "")
        yield game_pb2.ActTogetherResponse()

    async def Talk(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await refuse(context, Refusal("unknown_match"))

    async def Mute(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await refuse(context, Refusal("unknown_match"))

    async def ReportTalk(self, _request: Any, context: Any) -> Any:  # noqa: N802
        await refuse(context, Refusal("unknown_match"))

    async def ReportPresence(self, _request: Any, _context: Any) -> Any:  # noqa: N802
        return game_pb2.ReportPresenceResponse()

    def seats_of(self, match_id: str) -> list[Any]:
        """The seats that the match was started with."""
        return next(list(made.seats) for made in self.requests if made.match_id == match_id)


@asynccontextmanager
async def little_game(port: int = 0) -> AsyncIterator[tuple[LittleGame, str]]:
    """The service and its address."""
    servicer, health = LittleGame(), HealthServicer()
    server = grpc.aio.server()
    game_pb2_grpc.add_GameServiceServicer_to_server(servicer, server)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    health.serve([])
    try:
        yield servicer, f"127.0.0.1:{bound}"
    finally:
        health.drain()
        await server.stop(0.2)
