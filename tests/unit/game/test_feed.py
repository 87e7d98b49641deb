"""A follower's queue."""

from __future__ import annotations

import asyncio

from gen.tandemfog.feed.v1.feed_pb2 import FeedItem, TeamTalk
from gen.tandemfog.types.v1.types_pb2 import TalkLine
from libs.runtime.metrics import Metrics
from services.game.feed import BATCH_BYTES, QUEUE_LIMIT, Follower
from services.game.metrics import GameMetrics


def item(number: int, text: str = "") -> FeedItem:
    return FeedItem(talk=TeamTalk(match_id="m", team=1, line=TalkLine(number=number, text=text)))


def follower(*shards: int) -> tuple[Follower, Metrics]:
    metrics = Metrics("game")
    made = Follower(asyncio.Event(), GameMetrics(metrics))
    made.want(shards)
    return made, metrics


async def test_items_of_a_shard_come_only_once_it_is_joined() -> None:
    queue, _ = follower(3)
    queue.put(3, item(1))
    queue.join(3)
    queue.put(3, item(2))
    queue.put(4, item(3))
    batch = await queue.batch()
    assert batch is not None
    assert list(batch.joined) == [3]
    assert [entry.talk.line.number for entry in batch.items] == [2]


async def test_a_shard_joined_after_items_starts_a_batch_of_its_own() -> None:
    queue, _ = follower(3, 4)
    queue.join(3)
    queue.put(3, item(1))
    queue.join(4)
    queue.put(4, item(2))
    first, second = await queue.batch(), await queue.batch()
    assert first is not None
    assert second is not None
    assert (list(first.joined), len(first.items)) == ([3], 1)
    assert (list(second.joined), len(second.items)) == ([4], 1)


async def test_a_full_queue_is_dropped_and_everything_joined_anew() -> None:
    queue, metrics = follower(3, 4)
    queue.join(3)
    queue.join(4)
    for number in range(QUEUE_LIMIT + 5):
        queue.put(3, item(number))
    batch = await queue.batch()
    assert batch is not None
    assert list(batch.joined) == [3, 4]
    assert batch.items[-1].talk.line.number == QUEUE_LIMIT + 4
    assert len(batch.items) < QUEUE_LIMIT
    name = "tandemfog_game_feed_rejoins_total"
    assert metrics.registry.get_sample_value(name, {"cause": "slow"}) == 1


async def test_a_batch_ends_at_its_size() -> None:
    queue, _ = follower(3)
    queue.join(3)
    for number in range(20):
        queue.put(3, item(number, "x" * 30_000))
    sizes = []
    taken = 0
    while taken < 20:
        batch = await queue.batch()
        assert batch is not None
        taken += len(batch.items)
        sizes.append(batch.ByteSize())
    assert max(sizes) <= BATCH_BYTES + 31_000
    assert len(sizes) >= 2


async def test_a_closed_follower_is_sent_the_rest_and_then_ends() -> None:
    queue, _ = follower(3)
    queue.join(3)
    queue.put(3, item(1))
    queue.close()
    assert await queue.batch() is not None
    assert await queue.batch() is None
