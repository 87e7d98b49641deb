"""A process checks in every few seconds; whoever does not is away."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from prometheus_client import CollectorRegistry

from gen.tandemfog.operations.v1.operations_pb2 import CheckInRequest, Figure, Process
from gen.tandemfog.operations.v1.operations_pb2_grpc import OperationsServiceStub
from libs.roll.figures import NAMES, Figures, read
from libs.runtime.context import Context
from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers
from libs.runtime.refusals import Refusal

EVERY_S = 5.0
WINDOW = 13
"""So many totals are kept, the oldest a minute old."""
TIMEOUT_S = 2.0
log = get_logger()


class RollCall:
    """Tells who this process is and what it counts; `tell` may raise Refusal, and is tried again later."""

    def __init__(self, context: Context[Any], tell: Callable[[Process], Awaitable[None]]) -> None:
        self._service = context.service
        self._build = context.build
        self._registry = context.metrics.registry
        self._tell = tell
        self._name = f"{context.service}-{secrets.token_hex(6)}"
        self._since_ms = time.time_ns() // 1_000_000
        self._totals: deque[Figures] = deque(maxlen=WINDOW)

    async def run(self) -> None:
        """Check in until cancelled."""
        while True:
            try:
                await self._tell(self._process())
            except Refusal as refusal:
                log.debug("not_checked_in", reason=refusal.reason)
            await asyncio.sleep(EVERY_S)

    def _process(self) -> Process:
        return Process(
            service=self._service,
            name=self._name,
            version=self._build.version,
            commit=self._build.commit,
            rules=self._build.rules,
            since_ms=self._since_ms,
            figures=[Figure(name=name, value=value) for name, value in sorted(self._figures().items())],
        )

    def _figures(self) -> Figures:
        now, totals = read(chosen(self._registry))
        self._totals.append(totals)
        oldest = self._totals[0] if len(self._totals) == WINDOW else {}
        return now | {name: value - oldest.get(name, 0.0) for name, value in totals.items()}


def chosen(registry: CollectorRegistry) -> Any:
    """The families that are told, and no others: the rest is not even gathered."""
    return registry.restricted_registry(NAMES).collect()


async def check_in_with_game(context: Context[Any], peers_game: str) -> None:
    """Has this process check in over gRPC for as long as it lives."""
    peers = await context.enter(
        Peers(peers_game, OperationsServiceStub, name="game", tls=context.tls, probed=False)
    )

    async def tell(process: Process) -> None:
        request = CheckInRequest(process=process)
        try:
            await peers.call(process.name, lambda stub: stub.CheckIn(request, timeout=TIMEOUT_S))
        except (NoPeer, grpc.aio.AioRpcError):
            raise Refusal("unavailable") from None

    context.add_task("roll", RollCall(context, tell).run)
