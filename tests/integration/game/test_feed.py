"""What visibility follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import redis.asyncio

from gen.tandemfog.feed.v1 import feed_pb2
from gen.tandemfog.game.v1.game_pb2 import TalkRequest
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import call
from services.game.keys import shard_keys
from tests.integration.game.kit import (
    Caller,
    StoreClock,
    game_service,
    game_settings,
    start_match,
    until,
)

DAY_MS = 24 * 3_600_000


class Following:
    """An open Follow stream, item by item."""

    def __init__(self, caller: Caller) -> None:
        self._stream = caller.feed.Follow()
        self.joined: list[int] = []
        self._items: list[feed_pb2.FeedItem] = []

    async def want(self, *shards: int) -> None:
        await self._stream.write(feed_pb2.FollowRequest(shards=shards))
        while not set(shards) <= set(self.joined):
            await self._take()

    async def rejoined(self, shard: int) -> None:
        """Wait until the shard is said to be joined once more."""
        before = self.joined.count(shard)
        while self.joined.count(shard) == before:
            await self._take()

    async def _take(self) -> None:
        response = await asyncio.wait_for(self._stream.read(), 10)
        assert isinstance(response, feed_pb2.FollowResponse)
        self.joined.extend(response.joined)
        self._items.extend(response.items)

    async def next(self) -> feed_pb2.FeedItem:
        while not self._items:
            await self._take()
        return self._items.pop(0)

    def close(self) -> None:
        self._stream.cancel()


@asynccontextmanager
async def following(caller: Caller, *shards: int) -> AsyncIterator[Following]:
    stream = Following(caller)
    await stream.want(*shards)
    try:
        yield stream
    finally:
        stream.close()


async def test_a_follower_gets_every_event_of_its_shards_in_order(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    async with following(caller, 7, 8) as stream:
        other = await start_match(caller, tmp_path, shard=9)
        arena = await start_match(caller, tmp_path)
        clock.advance(2_000_000)
        await arena.move(0, 0, "e2e4")
        clock.advance(1_000_000)
        await arena.move(2, 0, "d2d4")
        items = [(await stream.next()).event for _ in range(3)]
        assert {item.event.match_id for item in items} == {arena.match_id} != {other.match_id}
        assert [item.event.version for item in items] == [1, 2, 3]
        assert [item.state.version for item in items] == [1, 2, 3]
        assert [item.event.WhichOneof("what") for item in items] == [None, "moved", "moved"]
        assert items[1].event.moved.remaining_us == 178_000_000
        assert items[1].event.at_us == 2_000_000
        left = [clock.remaining_us for clock in items[2].state.clocks]
        assert left == [178_000_000, 179_000_000, 177_000_000, 180_000_000]
        assert [clock.running for clock in items[2].state.clocks] == [False, True, False, True]
        assert items[2].state == await arena.state()


async def test_two_followers_of_different_shards_get_each_their_own(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    async with following(caller, 7) as seven, following(caller, 9) as nine:
        first = await start_match(caller, tmp_path, shard=7)
        second = await start_match(caller, tmp_path, shard=9)
        assert (await seven.next()).event.event.match_id == first.match_id
        assert (await nine.next()).event.event.match_id == second.match_id
        await nine.want(7, 9)
        await first.move(0, 0, "e2e4")
        assert (await nine.next()).event.event.match_id == first.match_id
        assert (await seven.next()).event.event.moved.uci == "e2e4"


async def test_a_shard_that_there_is_not_is_refused(caller: Caller, clock: StoreClock) -> None:
    assert clock.now_us
    stream = caller.feed.Follow()
    await stream.write(feed_pb2.FollowRequest(shards=[16]))
    assert await stream.code() is not None
    assert dict(await stream.trailing_metadata() or ())["reason"] == "bad_request"


async def test_talk_reaches_the_feed_outside_the_version(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    async with following(caller, 7) as stream:
        said = TalkRequest(request_id="t1", token=arena.token(0), quick=types_pb2.QUICK_MESSAGE_SIT)
        assert (await call(caller.game.Talk, said)).number == 1
        talk = (await stream.next()).talk
        assert (talk.team, talk.line.number, talk.line.seat) == (1, 1, 0)
        assert talk.line.quick == types_pb2.QUICK_MESSAGE_SIT
        assert (await arena.state()).version == 1


async def test_what_was_said_is_in_the_feed_only_for_a_while_and_followers_go_on(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path, feed_keep_ms=DAY_MS, talk_keep_ms=50)
    async with (
        redis.asyncio.from_url(valkey_url) as client,
        game_service(settings) as caller,
        following(caller, 7) as stream,
    ):
        feed: Any = shard_keys(7).feed
        arena = await start_match(caller, tmp_path)
        said = TalkRequest(request_id="t1", token=arena.token(0), text="the queen is yours")
        assert (await call(caller.game.Talk, said)).number == 1
        assert [(await stream.next()).WhichOneof("item") for _ in range(2)] == ["event", "talk"]

        async def is_empty() -> bool:
            return int(await client.xlen(feed)) == 0

        await until(is_empty)
        await arena.move(0, 0, "e2e4")
        assert (await stream.next()).event.event.moved.uci == "e2e4"
        assert stream.joined == [7], "nobody has to take a full view for it"
