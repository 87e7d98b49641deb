"""What operators have decided for all gateways: addresses that are blocked, and a restart to come."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

from grpc.aio import Channel

from gen.tandemfog.game.v1.game_pb2_grpc import OperatorServiceStub
from gen.tandemfog.operations.v1.operations_pb2 import GetNoticesRequest, GetNoticesResponse
from gen.tandemfog.operations.v1.operations_pb2_grpc import OperationsServiceStub
from libs.runtime.logs import get_logger
from libs.runtime.peers import Peers
from libs.runtime.refusals import Refusal
from services.gateway.backends import ask
from services.gateway.frames import encode
from services.gateway.pushed import Announcement

EVERY_S = 1.0
TIMEOUT_S = 2.0
KEY = "operator"
log = get_logger()


class OperatorStubs:
    """What game serves for operators."""

    def __init__(self, channel: Channel) -> None:
        self.operations = OperationsServiceStub(channel)
        self.reports = OperatorServiceStub(channel)


class NoticeSink(Protocol):
    """Who is shown announcements."""

    def show_announcement(self, frame: bytes) -> None: ...


class Notices:
    """Asked for once a second; while game does not answer, what it said last holds."""

    def __init__(self, peers: Peers[OperatorStubs]) -> None:
        self._peers = peers
        self._blocked_until_ms: dict[str, int] = {}
        self._restart_at_ms = 0
        self._sinks: set[NoticeSink] = set()

    def blocks(self, address: str) -> bool:
        """Whether the address may not connect now."""
        until_ms = self._blocked_until_ms.get(address)
        return until_ms is not None and _now_ms() < until_ms

    def watch(self, sink: NoticeSink) -> None:
        """Shows what is announced, now and whenever it changes."""
        self._sinks.add(sink)
        if self._restart_at_ms:
            sink.show_announcement(self._frame())

    def unwatch(self, sink: NoticeSink) -> None:
        """Shows it no more."""
        self._sinks.discard(sink)

    async def run(self) -> None:
        """Keeps up to date until cancelled."""
        while True:
            try:
                self.take(
                    await ask(
                        self._peers,
                        KEY,
                        lambda stub: stub.operations.GetNotices,
                        GetNoticesRequest(),
                        timeout_s=TIMEOUT_S,
                        patience_ms=0,
                    )
                )
            except Refusal as refusal:
                log.debug("notices_not_known", reason=refusal.reason)
            await asyncio.sleep(EVERY_S)

    def take(self, notices: GetNoticesResponse) -> None:
        """What holds from now on."""
        self._blocked_until_ms = {entry.address: entry.until_ms for entry in notices.blocked}
        if notices.restart_at_ms != self._restart_at_ms:
            self._restart_at_ms = notices.restart_at_ms
            frame = self._frame()
            for sink in tuple(self._sinks):
                sink.show_announcement(frame)

    def _frame(self) -> bytes:
        if not self._restart_at_ms:
            return encode(Announcement("", 0))
        return encode(Announcement("restart", max(0, self._restart_at_ms - _now_ms())))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
