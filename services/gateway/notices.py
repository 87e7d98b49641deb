"""What operators have decided for all gateways: addresses that are blocked, and a restart to come."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

import grpc
from grpc.aio import Channel

from gen.tandemfog.game.v1.game_pb2_grpc import OperatorServiceStub
from gen.tandemfog.operations.v1.operations_pb2 import (
    BlockedAddress,
    BlockRequest,
    GetNoticesRequest,
    GetNoticesResponse,
    UnblockRequest,
)
from gen.tandemfog.operations.v1.operations_pb2_grpc import OperationsServiceStub
from libs.runtime.logs import get_logger
from libs.runtime.peers import Peers
from libs.runtime.refusals import Refusal
from services.gateway.addresses import ADDRESSES, TELL_EVERY_S, UNKNOWN
from services.gateway.backends import ask
from services.gateway.frames import encode
from services.gateway.pushed import Announcement
from services.gateway.rate import TokenBuckets

EVERY_S = 1.0
TIMEOUT_S = 2.0
KEY = "operator"
SEAT = "t/"
MOST_WORDS = 100
"""As many as the page lets an operator write; a program's may be longer."""
Request = TypeVar("Request")
Answer = TypeVar("Answer")
log = get_logger()


def seat_path(table_id: str, seat: int) -> str:
    """A seat among the blocked addresses: that of who is connected there is to be blocked."""
    return f"{SEAT}{table_id}/{seat}"


class OperatorStubs:
    """What game serves for operators."""

    def __init__(self, channel: Channel) -> None:
        self.operations = OperationsServiceStub(channel)
        self.reports = OperatorServiceStub(channel)


class NoticeSink(Protocol):
    """A connection: who is shown announcements, whence it comes, and its seat as `seat_path` has it."""

    address: str

    @property
    def seat_path(self) -> str: ...

    def show_announcement(self, frame: bytes) -> None: ...


class Notices:
    """Asked for once a second; while game does not answer, what it said last holds."""

    def __init__(self, peers: Peers[OperatorStubs]) -> None:
        self._peers = peers
        self._blocked: dict[str, BlockedAddress] = {}
        self._restart_at_ms = 0
        self._sinks: set[NoticeSink] = set()
        self._told = TokenBuckets(1, 1 / TELL_EVERY_S, ADDRESSES)

    def blocks(self, address: str) -> bool:
        """Whether the address may not connect now. One that is not known is everybody's of that kind."""
        entry = None if address == UNKNOWN else self._blocked.get(address)
        return entry is not None and _now_ms() < entry.until_ms

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
                self.take(await self._ask(lambda stub: stub.operations.GetNotices, GetNoticesRequest()))
                await self._catch()
            except Refusal as refusal:
                log.debug("notices_not_known", reason=refusal.reason)
            await asyncio.sleep(EVERY_S)

    def take(self, notices: GetNoticesResponse) -> None:
        """What holds from now on."""
        self._blocked = {entry.address: entry for entry in notices.blocked}
        if notices.restart_at_ms != self._restart_at_ms:
            self._restart_at_ms = notices.restart_at_ms
            frame = self._frame()
            for sink in tuple(self._sinks):
                sink.show_announcement(frame)

    async def _catch(self) -> None:
        """Who sits where somebody is to be blocked has an address: it is blocked instead of the seat."""
        if not any(address.startswith(SEAT) for address in self._blocked):
            return
        sitting: defaultdict[str, set[str]] = defaultdict(set)
        for sink in self._sinks:
            if sink.seat_path in self._blocked:
                sitting[sink.seat_path].add(sink.address)
        for seat, addresses in sitting.items():
            known = addresses - {UNKNOWN}
            if not known:
                self._tell(seat, "the address is not known")
                continue
            try:
                await self._block_instead(self._blocked[seat], known)
            except Refusal as refusal:  # the others' do not wait for it
                self._tell(seat, refusal.reason)

    async def _block_instead(self, wanted: BlockedAddress, addresses: Iterable[str]) -> None:
        words = f"{wanted.words[:MOST_WORDS]} ({wanted.address})"
        for address in addresses:
            blocked = BlockedAddress(address=address, until_ms=wanted.until_ms, who=wanted.who, words=words)
            await self._ask(lambda stub: stub.operations.Block, BlockRequest(blocked=blocked))
        unblocking = UnblockRequest(who=wanted.who, address=wanted.address)
        try:
            await self._ask(lambda stub: stub.operations.Unblock, unblocking)
        except Refusal as refusal:
            # bad_request: the seat is not listed any more, another gateway was first.
            if refusal.reason != "bad_request":
                raise

    def _tell(self, seat: str, reason: str) -> None:
        """It is tried again every second, and told once a minute."""
        if self._told.take(seat, time.monotonic()):
            log.warning("seat_not_blocked", seat=seat, reason=reason)

    async def _ask(
        self,
        method: Callable[[OperatorStubs], grpc.aio.UnaryUnaryMultiCallable[Request, Answer]],
        request: Request,
    ) -> Answer:
        return await ask(self._peers, KEY, method, request, timeout_s=TIMEOUT_S, patience_ms=0)

    def _frame(self) -> bytes:
        if not self._restart_at_ms:
            return encode(Announcement("", 0))
        return encode(Announcement("restart", max(0, self._restart_at_ms - _now_ms())))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
