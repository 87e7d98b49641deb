"""Finished matches outlive the store: written to the archive, served from it, forgotten in their time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchResponse
from gen.tandemfog.game.v1.game_pb2 import GetRetentionRequest, MuteRequest
from libs.archive.opening import open_archive
from libs.runtime.metrics import Metrics
from libs.runtime.refusals import Refusal, call
from services.game.archiving import Archiving
from services.game.keys import match_keys, shard_keys
from services.game.metrics import GameMetrics
from tests.integration.game.kit import (
    Arena,
    Caller,
    StoreClock,
    game_service,
    game_settings,
    start_match,
    until,
)
from tests.integration.game.test_talk import say

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


def archive_file(folder: Path) -> Path:
    return folder / "archive.db"


@pytest.fixture
async def keeper(clock: StoreClock, valkey_url: str, tmp_path: Path) -> AsyncIterator[Caller]:
    """Somebody connected to a game service that has an archive."""
    assert clock.now_us
    settings = game_settings(
        valkey_url, tmp_path, archive_url=f"sqlite:///{archive_file(tmp_path)}", archive_every_ms=20
    )
    async with game_service(settings) as caller:
        yield caller


async def is_archived(folder: Path, match_id: str) -> bool:
    async with open_archive(f"sqlite:///{archive_file(folder)}") as archive:
        return await archive.get(match_id) is not None


async def forget_in_store(url: str, match_id: str) -> None:
    """As the store does when the match has been kept long enough."""
    async with redis.asyncio.from_url(url) as client:
        store: Any = client
        keys = match_keys(match_id)
        await store.delete(
            keys.clock, keys.state, keys.log, keys.answers, keys.presence, keys.talk_one, keys.talk_two
        )


async def finished(caller: Caller, folder: Path) -> tuple[Arena, GetMatchResponse]:
    """A match with a few moves and words that has just been resigned, and all of it."""
    arena = await start_match(caller, folder)
    await arena.play("A:e2e4 B:d2d4 A:e7e5")
    await say(arena, 0, "a word between partners")
    await arena.gesture(1, "resign")
    return arena, await arena.whole()


async def test_a_finished_match_is_served_when_the_store_has_forgotten_it_but_for_what_was_said(
    keeper: Caller, valkey_url: str, tmp_path: Path
) -> None:
    arena, whole = await finished(keeper, tmp_path)
    assert len(whole.talk_one) == 1
    await until(lambda: is_archived(tmp_path, arena.match_id))
    await forget_in_store(valkey_url, arena.match_id)
    again = await arena.whole()
    assert (again.state, list(again.log)) == (whole.state, list(whole.log))
    assert not again.talk_one
    assert b"a word between partners" not in archive_file(tmp_path).read_bytes()


async def test_a_running_match_is_never_archived_and_an_unknown_one_is_still_unknown(
    keeper: Caller, valkey_url: str, tmp_path: Path
) -> None:
    running = await start_match(keeper, tmp_path)
    await running.play("A:e2e4")
    ended, _ = await finished(keeper, tmp_path)
    await until(lambda: is_archived(tmp_path, ended.match_id))
    assert not await is_archived(tmp_path, running.match_id)
    await forget_in_store(valkey_url, running.match_id)
    with pytest.raises(Refusal, match="unknown_match"):
        await running.whole()


async def test_a_match_that_ends_while_the_archive_is_away_is_archived_once_it_is_back(
    keeper: Caller, tmp_path: Path
) -> None:
    first, _ = await finished(keeper, tmp_path)
    await until(lambda: is_archived(tmp_path, first.match_id))
    blocker = sqlite3.connect(archive_file(tmp_path), isolation_level=None)
    blocker.execute("begin exclusive")  # nobody else writes to the file now
    second, whole = await finished(keeper, tmp_path)
    assert (await second.whole()).state.outcome == whole.state.outcome, (
        "the end does not wait for the archive"
    )
    blocker.execute("rollback")
    blocker.close()
    await until(lambda: is_archived(tmp_path, second.match_id))


async def test_a_match_ended_by_a_service_that_died_is_archived_by_the_next_one(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    """The list of what waits is in the store."""
    assert clock.now_us
    url = f"sqlite:///{archive_file(tmp_path)}"
    async with game_service(
        game_settings(valkey_url, tmp_path, archive_url=url, archive_every_ms=DAY_MS)
    ) as dying:
        await dying.channel.channel_ready()
        async with redis.asyncio.from_url(valkey_url) as client:
            store: Any = client
            arena, _ = await finished(dying, tmp_path)
            assert await store.zscore(shard_keys(7).ended, arena.match_id) is not None
    async with game_service(game_settings(valkey_url, tmp_path, archive_url=url, archive_every_ms=20)):
        await until(lambda: is_archived(tmp_path, arena.match_id))
    without, _ = await finished(caller, tmp_path)
    async with redis.asyncio.from_url(valkey_url) as client:
        store = client
        assert await store.zscore(shard_keys(7).ended, without.match_id) is None, "nobody would ever take it"


async def test_names_and_matches_are_forgotten_when_their_time_has_come(
    keeper: Caller, valkey_url: str, tmp_path: Path
) -> None:
    arena, whole = await finished(keeper, tmp_path)
    assert [seat.name for seat in whole.state.seats] == [f"Player {number}" for number in range(4)]
    await until(lambda: is_archived(tmp_path, arena.match_id))
    url = f"sqlite:///{archive_file(tmp_path)}"
    settings = game_settings(
        valkey_url, tmp_path, archive_url=url, names_keep_ms=30 * DAY_MS, archive_keep_ms=365 * DAY_MS
    )
    async with open_archive(url) as archive:
        entry = await archive.get(arena.match_id)
        assert entry is not None
        now_ms = entry.ended_at_ms

        def archiving() -> Archiving:
            unused: Any = None
            return Archiving(unused, unused, archive, settings, GameMetrics(Metrics("game")), lambda: now_ms)

        now_ms += 30 * DAY_MS
        await archiving().forget()
        assert b"Player 1" in (await archiving().get(arena.match_id)).SerializeToString()
        now_ms += 1
        assert b"Player 1" not in (await archiving().get(arena.match_id)).SerializeToString(), "not shown"
        await archiving().forget()
        kept = await archive.get(arena.match_id)
        assert kept is not None
        assert b"Player 1" not in kept.body, "not kept either"
        assert GetMatchResponse.FromString(kept.body).log == whole.log
        now_ms = entry.ended_at_ms + 365 * DAY_MS + 1
        await archiving().forget()
        assert await archive.get(arena.match_id) is None


async def test_what_was_said_is_kept_for_its_own_time_after_the_end(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path, keep_ms=DAY_MS, talk_keep_ms=HOUR_MS)
    async with game_service(settings) as caller, redis.asyncio.from_url(valkey_url) as client:
        store: Any = client
        arena, _ = await finished(caller, tmp_path)
        keys = match_keys(arena.match_id)
        assert HOUR_MS - 60_000 < await store.pttl(keys.talk_one) <= HOUR_MS
        assert DAY_MS - 60_000 < await store.pttl(keys.log) <= DAY_MS


async def test_what_is_told_of_retention_is_what_is_set(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path, keep_ms=DAY_MS, talk_keep_ms=HOUR_MS)
    async with game_service(settings) as caller:
        told = await call(caller.game.GetRetention, GetRetentionRequest())
        assert (told.match_ms, told.talk_ms, told.archived) == (DAY_MS, HOUR_MS, False)


async def test_a_match_waits_for_an_archive_that_is_away_for_longer_than_matches_are_kept(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    url = f"sqlite:///{archive_file(tmp_path)}"
    settings = game_settings(
        valkey_url, tmp_path, archive_url=url, archive_every_ms=20, keep_ms=HOUR_MS, archive_wait_ms=DAY_MS
    )
    async with game_service(settings) as caller, redis.asyncio.from_url(valkey_url) as client:
        store: Any = client
        first, _ = await finished(caller, tmp_path)
        await until(lambda: is_archived(tmp_path, first.match_id))
        blocker = sqlite3.connect(archive_file(tmp_path), isolation_level=None)
        blocker.execute("begin exclusive")
        second, _ = await finished(caller, tmp_path)
        keys = match_keys(second.match_id)
        kept = (keys.clock, keys.state, keys.log, keys.answers)
        assert all([DAY_MS - 60_000 < await store.pttl(key) <= DAY_MS for key in kept])
        blocker.execute("rollback")
        blocker.close()
        await until(lambda: is_archived(tmp_path, second.match_id))

        async def is_kept_as_any_other() -> bool:
            return all([0 < await store.pttl(key) <= HOUR_MS for key in kept])

        await until(is_kept_as_any_other)
        assert await store.zcard(keys.shard.ended) == 0


async def test_nothing_that_comes_after_the_end_stays_for_ever(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    """A match that ends by itself has remembered no answer yet; what does so later ends with the rest."""
    arena = await start_match(caller, tmp_path)
    clock.advance(200_000_000)
    assert await arena.outcome() is not None
    assert await arena.move_refusal(0, 0, "e2e4") == "over"
    await call(caller.game.Mute, MuteRequest(request_id="m", token=arena.token(0), on=True))
    async with redis.asyncio.from_url(valkey_url) as client:
        store: Any = client
        keys = [key async for key in store.scan_iter(f"*{arena.match_id}*")]
        assert keys
        assert [key for key in keys if await store.pttl(key) < 0] == []


async def test_forgotten_names_are_in_no_file_of_the_archive(
    keeper: Caller, valkey_url: str, tmp_path: Path
) -> None:
    arena, _ = await finished(keeper, tmp_path)
    await until(lambda: is_archived(tmp_path, arena.match_id))
    url = f"sqlite:///{archive_file(tmp_path)}"
    settings = game_settings(valkey_url, tmp_path, archive_url=url, names_keep_ms=1)

    def files() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.glob("archive.db*"))

    assert b"Player 1" in files()
    async with open_archive(url) as archive:  # beside the one that game has open
        unused: Any = None
        later = lambda: time.time_ns() // 1_000_000 + DAY_MS  # noqa: E731
        await Archiving(unused, unused, archive, settings, GameMetrics(Metrics("game")), later).forget()
        assert b"Player 1" not in files()
