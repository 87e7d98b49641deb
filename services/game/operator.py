"""gRPC for whoever runs the service."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

import grpc

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from gen.tandemfog.operations.v1 import operations_pb2 as operations
from gen.tandemfog.operations.v1 import operations_pb2_grpc
from libs.runtime.refusals import Refusal, refuse
from services.game.commands import CloseCommand
from services.game.operating import Operating
from services.game.referee import Referee
from services.game.reports import Reports
from services.game.requests import checked_match_id
from services.game.store import GAME_ITSELF

LISTED, MOST_LISTED = 100, 1_000
Context = grpc.aio.ServicerContext[Any, Any]
T = TypeVar("T")


async def _told(work: Awaitable[T], context: Context) -> T:
    """What the work gives; a Refusal becomes the call's status."""
    try:
        return await work
    except Refusal as refusal:
        await refuse(context, refusal)


class OperatorServicer(game_pb2_grpc.OperatorServiceServicer):
    """Reports of talk."""

    def __init__(self, reports: Reports) -> None:
        self._reports = reports

    async def ListReports(  # noqa: N802 - gRPC's name
        self, request: game_pb2.ListReportsRequest, context: Context
    ) -> game_pb2.ListReportsResponse:
        limit = min(request.limit or LISTED, MOST_LISTED)
        return game_pb2.ListReportsResponse(reports=await _told(self._reports.listed(limit), context))


class OperationsServicer(operations_pb2_grpc.OperationsServiceServicer):
    """What is going on, and what an operator does."""

    def __init__(self, operating: Operating, referee: Referee) -> None:
        self._operating = operating
        self._referee = referee

    async def CloseMatch(  # noqa: N802
        self, request: operations.CloseMatchRequest, context: Context
    ) -> operations.CloseMatchResponse:
        async def close() -> None:
            await self._referee.act(checked_match_id(request.match_id), GAME_ITSELF, CloseCommand())

        await _told(close(), context)
        return operations.CloseMatchResponse()

    async def Announce(  # noqa: N802
        self, request: operations.AnnounceRequest, context: Context
    ) -> operations.AnnounceResponse:
        await _told(self._operating.announce(request.who, request.in_ms), context)
        return operations.AnnounceResponse()

    async def Block(  # noqa: N802
        self, request: operations.BlockRequest, context: Context
    ) -> operations.BlockResponse:
        await _told(self._operating.block(request.blocked), context)
        return operations.BlockResponse()

    async def Unblock(  # noqa: N802
        self, request: operations.UnblockRequest, context: Context
    ) -> operations.UnblockResponse:
        await _told(self._operating.unblock(request.who, request.address), context)
        return operations.UnblockResponse()

    async def Record(  # noqa: N802
        self, request: operations.RecordRequest, context: Context
    ) -> operations.RecordResponse:
        await _told(self._operating.record(request.act), context)
        return operations.RecordResponse()

    async def GetNotices(  # noqa: N802
        self, _request: operations.GetNoticesRequest, context: Context
    ) -> operations.GetNoticesResponse:
        return await _told(self._operating.notices(), context)

    async def CheckIn(  # noqa: N802
        self, request: operations.CheckInRequest, context: Context
    ) -> operations.CheckInResponse:
        await _told(self._operating.check_in(request.process), context)
        return operations.CheckInResponse()

    async def GetState(  # noqa: N802
        self, _request: operations.GetStateRequest, context: Context
    ) -> operations.GetStateResponse:
        return await _told(self._state(), context)

    async def _state(self) -> operations.GetStateResponse:
        operating = self._operating
        return operations.GetStateResponse(
            processes=await operating.roll(),
            store=await operating.store_nodes(),
            outages=await operating.outages(),
            notices=await operating.notices(),
            acts=await operating.acts(),
        )
