"""gRPC health (grpc.health.v1): whether a service takes calls, asked once or watched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

Status = health_pb2.HealthCheckResponse
ServicerContext = grpc.aio.ServicerContext[Any, Any]


class HealthServicer(health_pb2_grpc.HealthServicer):
    """Answers for the services it is told of and, under the empty name, for the whole process.

    Unlike the servicer that comes with gRPC it ends its watchers' streams when the process drains: an open
    stream would hold up the stop for the whole grace.
    """

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._drained = asyncio.Event()

    def serve(self, names: Iterable[str]) -> None:
        """From now on these services, and the process, are SERVING."""
        self._names = frozenset(names) | {""}

    def drain(self) -> None:
        """From now on, and for good, everything is NOT_SERVING."""
        self._drained.set()

    def status(self, name: str) -> int:
        """The status of one service, SERVICE_UNKNOWN for one that is not served here."""
        if self._drained.is_set():
            return Status.NOT_SERVING
        return Status.SERVING if name in self._names else Status.SERVICE_UNKNOWN

    async def Check(self, request: Any, context: ServicerContext) -> Any:  # noqa: N802 - gRPC's name
        status = self.status(request.service)
        if status == Status.SERVICE_UNKNOWN:
            await context.abort(grpc.StatusCode.NOT_FOUND, "unknown_service: It is not served here.")
        return health_pb2.HealthCheckResponse(status=status)

    async def List(self, _request: Any, _context: ServicerContext) -> Any:  # noqa: N802
        statuses = {name: health_pb2.HealthCheckResponse(status=self.status(name)) for name in self._names}
        return health_pb2.HealthListResponse(statuses=statuses)  # type: ignore[attr-defined]

    async def Watch(self, request: Any, _context: ServicerContext) -> AsyncIterator[Any]:  # noqa: N802
        yield health_pb2.HealthCheckResponse(status=self.status(request.service))
        if not self._drained.is_set():
            await self._drained.wait()
            yield health_pb2.HealthCheckResponse(status=Status.NOT_SERVING)
