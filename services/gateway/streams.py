"""Streams shared by many: one to each replica of a service, carrying every interest that hashing sends there.

An interest (a viewer, a followed table) has a key that names its shard and a way to ask for it.
When a stream ends, its interests are asked for again, at another replica or at the same one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

import grpc
from prometheus_client import Counter

from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers

StubT = TypeVar("StubT")
Name = TypeVar("Name", bound=Hashable)
Request = TypeVar("Request")
Response = TypeVar("Response")

RETRY_FIRST_S = 0.05
RETRY_LAST_S = 0.25
log = get_logger()


@dataclass(slots=True)
class Interest(Generic[Request]):
    """What is asked for, and the address of the replica that was asked.

    A request is made whenever it is sent: thousands that lie ready take more memory than their viewers.
    """

    key: str
    ask: Callable[[], Request]
    address: str | None = None


class Stream(Generic[Name, Request]):
    """What waits to be sent on one stream: the latest request of each interest, in the order of asking.

    So it never holds more than one request for each interest.
    """

    def __init__(self) -> None:
        self._waiting: dict[Name, Request] = {}
        self._some = asyncio.Event()
        self._ended = False

    def end(self) -> None:
        """No more requests: gRPC's reader of them would wait for ever after its stream has broken."""
        self._ended = True
        self._some.set()

    def send(self, name: Name, request: Request) -> None:
        self._waiting.pop(name, None)
        self._waiting[name] = request
        self._some.set()

    async def requests(self) -> AsyncIterator[Request]:
        while not self._ended:
            await self._some.wait()
            self._some.clear()
            while self._waiting and not self._ended:
                yield self._waiting.pop(next(iter(self._waiting)))


class SharedStreams(Generic[StubT, Name, Request, Response]):
    """All streams of the gateway to one service, and their interests by name."""

    def __init__(
        self,
        peers: Peers[StubT],
        open_stream: Callable[[StubT, AsyncIterator[Request]], AsyncIterable[Response]],
        receive: Callable[[Response], None],
        lost: Counter,
    ) -> None:
        self._peers = peers
        self._open_stream = open_stream
        self._receive = receive
        self._lost = lost
        self._interests: dict[Name, Interest[Request]] = {}
        self._streams: dict[str, Stream[Name, Request]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._pauses_s: dict[str, float] = {}

    def add(self, name: Name, key: str, ask: Callable[[], Request]) -> None:
        """Asks for it from now on; again for the same name: asks once more."""
        interest = self._interests.get(name)
        if interest is None:
            interest = self._interests[name] = Interest(key, ask)
        interest.ask = ask
        if interest.address is not None:
            self._streams[interest.address].send(name, ask())
        else:
            self._place(name, interest)

    def remove(self, name: Name, farewell: Request) -> None:
        """Asks for it no more."""
        interest = self._interests.pop(name, None)
        if interest is not None and interest.address is not None:
            self._streams[interest.address].send(name, farewell)

    async def run(self) -> None:
        """Finds a replica for those interests that have none whenever replicas come; until cancelled."""
        try:
            while True:
                await self._peers.changed()
                self._place_all()
        finally:
            for task in self._tasks:
                task.cancel()

    def _place_all(self) -> None:
        for name, interest in self._interests.items():
            if interest.address is None:
                self._place(name, interest)

    def _place(self, name: Name, interest: Interest[Request]) -> None:
        try:
            address = self._peers.prefer(interest.key)
            stream = self._streams.get(address) or self._open(address)
        except NoPeer:
            return
        interest.address = address
        stream.send(name, interest.ask())

    def _open(self, address: str) -> Stream[Name, Request]:
        stub = self._peers.stub(address)
        stream: Stream[Name, Request] = Stream()
        self._streams[address] = stream
        task = asyncio.create_task(self._carry(address, stub, stream), name=f"stream to {address}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return stream

    async def _carry(self, address: str, stub: StubT, stream: Stream[Name, Request]) -> None:
        """Reads one stream until it or its replica is gone; then its interests are placed anew."""
        reading = asyncio.create_task(self._read(address, stub, stream))
        leaving = asyncio.create_task(self._peers.gone(address))
        try:
            await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            reading.cancel()
            leaving.cancel()
        self._lost.inc()
        # It stays listed during the pause, so that nobody asks a replica that has just failed in a loop.
        pause_s = self._pauses_s.get(address, RETRY_FIRST_S)
        self._pauses_s[address] = min(2 * pause_s, RETRY_LAST_S)
        await asyncio.sleep(pause_s)
        del self._streams[address]
        for interest in self._interests.values():
            if interest.address == address:
                interest.address = None
        self._place_all()

    async def _read(self, address: str, stub: StubT, stream: Stream[Name, Request]) -> None:
        """Hands on what comes over one stream until it ends."""
        try:
            async for response in self._open_stream(stub, stream.requests()):
                self._pauses_s.pop(address, None)
                self._receive(response)
        except grpc.aio.AioRpcError as error:
            log.info("stream_lost", address=address, code=error.code().name)
        except Exception:
            # A response that cannot be shown must cost this stream only, and be seen in the log.
            log.exception("stream_failed", address=address)
        finally:
            stream.end()
