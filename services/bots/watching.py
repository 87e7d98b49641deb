"""Views of all seats of the worker, over one stream for each visibility replica."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

import grpc

from gen.tandemfog.view.v1 import view_pb2, view_pb2_grpc
from libs.identity.ids import shard_of, shard_tag
from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers, raise_if_cancelled
from services.bots.metrics import BotsMetrics

log = get_logger()
ViewPeers = Peers[view_pb2_grpc.ViewServiceStub]
RETRY_S = 0.2


class Watcher(Protocol):
    """Who wants to see a match: a seat's token, and where its frames go."""

    viewer: int
    match_id: str
    token: str

    def frame(self, frame: view_pb2.Frame) -> None:
        """Take a frame; called in the event loop, must not wait."""


class _Stream:
    """One stream to one replica. What is to be sent waits in a queue as long as the list of seats."""

    def __init__(self) -> None:
        self.requests: asyncio.Queue[view_pb2.WatchRequest | None] = asyncio.Queue()
        self.viewers: dict[int, Watcher] = {}
        self.task: asyncio.Task[None] | None = None

    async def sent(self) -> AsyncIterator[view_pb2.WatchRequest]:
        """What is asked for, until None: gRPC's reader of it would wait for ever after the stream broke."""
        while (request := await self.requests.get()) is not None:
            yield request


class Watching:
    """Keeps every watcher on the replica that hashing names for its match, also when replicas come and go."""

    def __init__(self, peers: ViewPeers, metrics: BotsMetrics) -> None:
        self._peers = peers
        self._metrics = metrics
        self._streams: dict[str, _Stream] = {}
        self._where: dict[int, str] = {}
        self._watchers: dict[int, Watcher] = {}

    def watch(self, watcher: Watcher) -> None:
        """Send the watcher a full view, and every change from then on; again: a fresh full view."""
        self._watchers[watcher.viewer] = watcher
        self._place(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Send the watcher nothing more."""
        self._watchers.pop(watcher.viewer, None)
        self._take_off(watcher.viewer)

    async def run(self) -> None:
        """Follow the changes of the list of replicas until cancelled."""
        try:
            while True:
                change = asyncio.ensure_future(self._peers.changed())
                for watcher in tuple(self._watchers.values()):
                    if self._where.get(watcher.viewer) != self._wanted(watcher):
                        self._place(watcher)
                await change
        finally:
            for stream in self._streams.values():
                if stream.task is not None:
                    stream.task.cancel()

    def _wanted(self, watcher: Watcher) -> str | None:
        try:
            return self._peers.prefer(shard_tag(shard_of(watcher.match_id)))
        except NoPeer:
            return None

    def _place(self, watcher: Watcher) -> None:
        address = self._wanted(watcher)
        if self._where.get(watcher.viewer, address) != address:
            self._take_off(watcher.viewer)
        if address is None:
            return  # run() places it when a replica is there
        stream = self._streams.get(address)
        if stream is None:
            stream = self._streams[address] = _Stream()
            stream.task = asyncio.create_task(self._serve(address, stream))
            self._metrics.streams.set(len(self._streams))
        self._where[watcher.viewer] = address
        stream.viewers[watcher.viewer] = watcher
        join = view_pb2.Join(match_id=watcher.match_id, token=watcher.token)
        stream.requests.put_nowait(view_pb2.WatchRequest(viewer=watcher.viewer, join=join))

    def _take_off(self, viewer: int) -> None:
        stream = self._streams.get(self._where.pop(viewer, ""))
        if stream is not None and stream.viewers.pop(viewer, None) is not None:
            stream.requests.put_nowait(view_pb2.WatchRequest(viewer=viewer, leave=view_pb2.Leave()))

    async def _serve(self, address: str, stream: _Stream) -> None:
        """Hand out the frames of one stream; when it breaks, its watchers are placed anew."""
        try:
            async for response in self._peers.stub(address).Watch(stream.sent()):
                for frame in response.frames:
                    for viewer in frame.viewers:
                        watcher = stream.viewers.get(viewer)
                        if watcher is not None:
                            watcher.frame(frame)
        except NoPeer:
            pass
        except asyncio.CancelledError:
            raise_if_cancelled()
        except grpc.aio.AioRpcError as error:
            log.info("watch_broken", address=address, code=error.code().name)
        except Exception:
            log.exception("watch_failed", address=address)
        finally:
            stream.requests.put_nowait(None)
        del self._streams[address]
        self._metrics.streams.set(len(self._streams))
        orphans = tuple(stream.viewers.values())
        for watcher in orphans:
            self._where.pop(watcher.viewer, None)
        await asyncio.sleep(RETRY_S)
        for watcher in orphans:
            if watcher.viewer in self._watchers and watcher.viewer not in self._where:
                self._place(watcher)
