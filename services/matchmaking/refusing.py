"""Refusals on their way out: counted, and turned into their gRPC status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Protocol, TypeVar

import grpc

from libs.runtime.refusals import Refusal, refuse
from services.matchmaking.metrics import MatchmakingMetrics

ServicerContext = grpc.aio.ServicerContext[Any, Any]
RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")


class Measured(Protocol):
    """A servicer that counts."""

    metrics: MatchmakingMetrics


ServicerT = TypeVar("ServicerT", bound=Measured)
Answer = Callable[[ServicerT, RequestT, ServicerContext], Awaitable[ResponseT]]


def refusing(answer: Answer[ServicerT, RequestT, ResponseT]) -> Answer[ServicerT, RequestT, ResponseT]:
    """End the call with the status of a Refusal that leaves the method."""

    @wraps(answer)
    async def answer_or_refuse(self: ServicerT, request: RequestT, context: ServicerContext) -> ResponseT:
        try:
            return await answer(self, request, context)
        except Refusal as refusal:
            self.metrics.refusals.labels(refusal.reason).inc()
            await refuse(context, refusal)

    return answer_or_refuse
