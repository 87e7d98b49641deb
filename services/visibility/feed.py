"""The feed: for each shard with viewers, a stream from the game replica that prefers it, or another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

import grpc

from gen.tandemfog.feed.v1.feed_pb2 import FeedItem, FollowRequest
from gen.tandemfog.feed.v1.feed_pb2_grpc import FeedServiceStub
from libs.identity.ids import shard_tag
from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers, raise_if_cancelled
from services.visibility.metrics import VisibilityMetrics

log = get_logger()

PAUSE_FIRST_S = 0.02
PAUSE_LAST_S = 0.25


class Listener(Protocol):
    """Who is told what the feed brings."""

    def on_joined(self, shard: int) -> None:
        """All later events of the shard will come: who asks for a match from now on misses nothing.

        Said again after each loss.
        """

    def on_item(self, item: FeedItem) -> None:
        """An event or a line of talk, in order within a match."""


class Follower:
    """One stream to one game replica: the shards asked of it, and those whose events have begun to arrive."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.shards: frozenset[int] = frozenset()
        self.joined: set[int] = set()
        self.task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._streams = 0

    def ask(self, shards: frozenset[int]) -> None:
        """From now on these shards."""
        if shards != self.shards:
            self.shards = shards
            self._changed.set()

    def has_joined(self, shard: int) -> bool:
        """Whether the events of a shard that is asked for arrive."""
        return shard in self.shards and shard in self.joined

    def stream_ended(self) -> None:
        """Nothing more is to be said on it: gRPC's reader of the requests would wait for ever."""
        self._streams += 1
        self._changed.set()

    async def requests(self) -> AsyncIterator[FollowRequest]:
        """What a stream says to game: the whole set, again at each change, until the stream has ended."""
        self._streams += 1
        own = self._streams
        while own == self._streams:
            self._changed.clear()
            # Only now game hears what is wanted no more. What was asked for again in the meantime it goes on
            # sending, and does not say so anew.
            self.joined &= self.shards
            yield FollowRequest(shards=sorted(self.shards))
            await self._changed.wait()


class Feed:
    """Follows the wanted shards."""

    def __init__(self, peers: Peers[FeedServiceStub], metrics: VisibilityMetrics) -> None:
        self._peers = peers
        self._metrics = metrics
        self._wanted: frozenset[int] = frozenset()
        self._followers: dict[str, Follower] = {}
        self._news = asyncio.Event()

    def want(self, shards: frozenset[int]) -> None:
        """Follow these shards and no others."""
        if shards != self._wanted:
            self._wanted = shards
            self._news.set()

    def has_joined(self, shard: int) -> bool:
        """Whether the events of the shard arrive now."""
        return any(follower.has_joined(shard) for follower in self._followers.values())

    async def run(self, hear: Listener) -> None:
        """Keeps the streams to what is wanted and who is there, until cancelled."""
        try:
            while True:
                self._news.clear()
                self._assign(hear)
                changed = asyncio.ensure_future(self._peers.changed())
                news = asyncio.ensure_future(self._news.wait())
                try:
                    await asyncio.wait((changed, news), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    changed.cancel()
                    news.cancel()
        finally:
            for follower in self._followers.values():
                if follower.task is not None:
                    follower.task.cancel()

    def _assign(self, hear: Listener) -> None:
        """Gives each wanted shard to the replica that prefers it among those that are well."""
        shares: dict[str, set[int]] = {}
        if self._peers.members():
            for shard in self._wanted:
                shares.setdefault(self._peers.prefer(shard_tag(shard)), set()).add(shard)
        for address in self._followers.keys() - shares.keys():
            task = self._followers.pop(address).task
            if task is not None:
                task.cancel()
            if address not in self._peers.members():  # its health told us before the stream did
                self._metrics.feed_lost.inc()
        for address, shards in shares.items():
            follower = self._followers.get(address)
            if follower is None:
                follower = self._followers[address] = Follower(address)
                follower.ask(frozenset(shards))
                follower.task = asyncio.create_task(self._follow(follower, hear), name=f"feed {address}")
            else:
                follower.ask(frozenset(shards))
        self._count()

    async def _follow(self, follower: Follower, hear: Listener) -> None:
        """Reads one replica's stream, and opens it again when it breaks, until the replica is given up."""
        pause_s = PAUSE_FIRST_S
        while True:
            try:
                async for response in self._peers.stub(follower.address).Follow(follower.requests()):
                    pause_s = PAUSE_FIRST_S
                    for shard in response.joined:
                        self._join(follower, shard, hear)
                    for item in response.items:
                        hear.on_item(item)
                log.info("feed_ended", address=follower.address)
            except NoPeer:
                log.info("feed_peer_gone", address=follower.address)
            except asyncio.CancelledError:
                raise_if_cancelled()
                log.info("feed_peer_gone", address=follower.address)
            except grpc.aio.AioRpcError as error:
                log.warning("feed_lost", address=follower.address, code=error.code().name)
            except Exception:  # never leave the shards without a stream because of one bad message
                log.exception("feed_failed", address=follower.address)
            finally:
                follower.stream_ended()
            self._metrics.feed_lost.inc()
            follower.joined.clear()
            self._count()
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, PAUSE_LAST_S)

    def _join(self, follower: Follower, shard: int, hear: Listener) -> None:
        follower.joined.add(shard)
        self._count()
        if shard in follower.shards:  # else it was given up in the meantime
            hear.on_joined(shard)

    def _count(self) -> None:
        self._metrics.shards.set(
            sum(len(follower.joined & follower.shards) for follower in self._followers.values())
        )
