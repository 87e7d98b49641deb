"""The feed: what the store's streams say, read once for this process and handed to all who follow."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from redis.exceptions import RedisError

from gen.tandemfog.feed.v1.feed_pb2 import FeedItem, FollowResponse, TeamTalk
from libs.runtime.logs import get_logger
from libs.runtime.pace import Pace
from libs.store.connect import StoreClient, asked_together
from libs.store.passing import is_passing
from services.game.keys import SHARDS, shard_keys
from services.game.metrics import GameMetrics
from services.game.scripts import ANSWER_WITHIN_S
from services.game.stamps import stamp_both
from services.game.talk import talk_line

BLOCK_MS = 200  # also how long a shard that nobody followed takes to be joined, at most
READ_AT_ONCE = 500
QUEUE_LIMIT = 10_000
BATCH_BYTES = 256 * 1024
RETRY_S = 0.2
log = get_logger()


class Follower:
    """One visibility replica: the shards it wants and what it has not been sent yet.

    When its queue is full everything in it is dropped and its shards are joined anew, so that it takes full
    views; ``feed_rejoins`` counts that.
    """

    def __init__(self, wanted_changed: asyncio.Event, metrics: GameMetrics) -> None:
        self.wanted: frozenset[int] = frozenset()
        self.joined: set[int] = set()
        self._wanted_changed = wanted_changed
        self._metrics = metrics
        self._queue: deque[FeedItem | int] = deque()
        self._news = asyncio.Event()
        self._pace = Pace()
        self._closed = False

    def want(self, shards: Iterable[int]) -> None:
        """From now on these shards and no others."""
        self.wanted = frozenset(shards)
        self.joined &= self.wanted
        self._wanted_changed.set()

    def join(self, shard: int) -> None:
        """Everything of the shard comes from this point on."""
        self.joined.add(shard)
        self._queue.append(shard)
        self._news.set()

    def put(self, shard: int, item: FeedItem) -> None:
        """Queue an item of a shard, if it is joined."""
        if shard not in self.joined:
            return
        if len(self._queue) >= QUEUE_LIMIT:
            self._metrics.feed_rejoins.labels("slow").inc()
            self._queue.clear()
            for joined in sorted(self.joined):
                self.join(joined)
        self._queue.append(item)
        self._news.set()

    def close(self) -> None:
        """End the stream once the queue is empty."""
        self._closed = True
        self._news.set()

    async def batch(self) -> FollowResponse | None:
        """Wait for what gathers next, at most BATCH_BYTES or one item; None at the end.

        Shards that are joined come before the items of the same batch.
        """
        while not self._queue:
            if self._closed:
                return None
            self._news.clear()
            await self._news.wait()
        await self._pace.turn()
        response = FollowResponse()
        size = 0
        while self._queue and size < BATCH_BYTES:
            entry = self._queue[0]
            if isinstance(entry, int):
                if response.items:
                    break
                response.joined.append(entry)
            else:
                response.items.append(entry)
                size += entry.ByteSize()
            self._queue.popleft()
        self._metrics.feed_items.inc(len(response.items))
        return response


class Feed:
    """Reads the streams of the shards that some follower wants, with a blocking connection for each slot."""

    def __init__(self, open_client: Callable[[], StoreClient], metrics: GameMetrics) -> None:
        self._open_client = open_client
        self._metrics = metrics
        self._followers: set[Follower] = set()
        self._wanted_changed = asyncio.Event()

    def follow(self) -> Follower:
        """A new follower, to be given back to ``unfollow``."""
        follower = Follower(self._wanted_changed, self._metrics)
        self._followers.add(follower)
        self._metrics.followers.set(len(self._followers))
        return follower

    def unfollow(self, follower: Follower) -> None:
        """It is gone."""
        self._followers.discard(follower)
        self._metrics.followers.set(len(self._followers))

    async def close(self) -> None:
        """End all streams: they are to go to another replica."""
        for follower in self._followers:
            follower.close()

    async def run(self) -> None:
        """Read until cancelled."""
        client = self._open_client()
        try:
            async with asyncio.TaskGroup() as readers:
                for shards in asked_together(client, SHARDS):
                    readers.create_task(self._keep_reading(client, shards))
        finally:
            await client.aclose()

    async def _keep_reading(self, client: StoreClient, shards: Sequence[int]) -> None:
        """After a failure of the store everybody joins these shards anew: events may be missing."""
        while True:
            try:
                await self._read(client, shards)
            except (RedisError, OSError) as error:
                if not is_passing(error):
                    raise
                log.warning("feed_interrupted", shards=list(shards), error=type(error).__name__)
                self._metrics.feed_rejoins.labels("store").inc()
                for follower in self._followers:
                    follower.joined.difference_update(shards)
                await asyncio.sleep(RETRY_S)

    async def _read(self, client: Any, own: Sequence[int]) -> None:
        positions: dict[int, bytes] = {}
        shards = {shard_keys(shard).feed.encode(): shard for shard in own}
        while True:
            wanted = frozenset().union(*(follower.wanted for follower in self._followers)) & frozenset(own)
            positions = {shard: positions[shard] for shard in positions.keys() & wanted}
            for shard in sorted(wanted - positions.keys()):
                newest = await bounded(client.xrevrange(shard_keys(shard).feed, count=1))
                positions[shard] = newest[0][0] if newest else b"0-0"
            for follower in self._followers:
                for shard in sorted((follower.wanted & positions.keys()) - follower.joined):
                    follower.join(shard)
            if not positions:
                self._wanted_changed.clear()
                await self._wanted_changed.wait()
                continue
            streams = {shard_keys(shard).feed: position for shard, position in positions.items()}
            for name, entries in await bounded(client.xread(streams, count=READ_AT_ONCE, block=BLOCK_MS)):
                shard = shards[name]
                for position, fields in entries:
                    positions[shard] = position
                    item = feed_item(position, fields)
                    self._metrics.commit_to_feed_seconds.observe(
                        max(0.0, time.time() - item.committed_at_us / 1e6)
                    )
                    for follower in self._followers:
                        follower.put(shard, item)


async def bounded(answer: Awaitable[Any]) -> Any:
    """What the store answers; TimeoutError when it does not in time."""
    async with asyncio.timeout(ANSWER_WITHIN_S):
        return await answer


def feed_item(position: bytes, fields: dict[bytes, bytes]) -> FeedItem:
    """An entry of a feed stream as followers get it; its position begins with when it was written."""
    committed_at_us = int(position.partition(b"-")[0]) * 1000
    if b"l" in fields:
        told = talk_line(fields[b"l"])
        talk = TeamTalk(
            match_id=fields[b"m"].decode(), team=int(fields[b"w"]), line=told.line, muted=told.muted
        )
        return FeedItem(talk=talk, committed_at_us=committed_at_us)
    item = FeedItem(committed_at_us=committed_at_us)
    stamp_both(item.event, fields[b"e"], fields[b"s"], fields[b"t"])
    return item
