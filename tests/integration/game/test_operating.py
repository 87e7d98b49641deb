"""What is kept of operators' doings, and for how long."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
import redis

from gen.tandemfog.operations.v1.operations_pb2 import Act, BlockedAddress
from libs.runtime.metrics import Metrics
from libs.runtime.refusals import Refusal
from services.game.keys import OPERATOR_KEYS, shard_keys
from services.game.metrics import GameMetrics
from services.game.operating import Operating
from services.game.store import open_store
from tests.integration.game.kit import StoreClock, game_service, game_settings, until

KEPT_MS = 300


def block(address: str, lasts_ms: int) -> BlockedAddress:
    until_ms = time.time_ns() // 1_000_000 + lasts_ms
    return BlockedAddress(address=address, until_ms=until_ms, who="kari", words="floods")


async def test_a_block_that_has_ended_leaves_no_address_behind(valkey_url: str, tmp_path: Path) -> None:
    settings = game_settings(valkey_url, tmp_path)
    async with open_store(settings, GameMetrics(Metrics("game"))) as store:
        operating = Operating(store, settings.acts_keep_ms)
        await operating.block(block("203.0.113.7", 100))
        await operating.block(block("203.0.113.8", 60_000))
        assert len((await operating.notices()).blocked) == 2
        await asyncio.sleep(0.15)
        assert [entry.address for entry in (await operating.notices()).blocked] == ["203.0.113.8"]
        with redis.Redis.from_url(valkey_url) as client:
            assert client.hkeys(OPERATOR_KEYS.blocked) == [b"203.0.113.8"]


async def test_a_block_that_was_renewed_meanwhile_is_not_forgotten(valkey_url: str, tmp_path: Path) -> None:
    settings = game_settings(valkey_url, tmp_path)
    async with open_store(settings, GameMetrics(Metrics("game"))) as store:
        operating = Operating(store, settings.acts_keep_ms)
        await operating.block(block("203.0.113.7", 60_000))
        old = block("203.0.113.7", -1).SerializeToString()
        assert await store.run("forget", (OPERATOR_KEYS.blocked,), ("203.0.113.7", old)) == [0]
        assert len((await operating.notices()).blocked) == 1


async def test_what_is_not_blocked_is_not_unblocked_and_that_is_no_act(
    valkey_url: str, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path)
    async with open_store(settings, GameMetrics(Metrics("game"))) as store:
        operating = Operating(store, settings.acts_keep_ms)
        await operating.block(block("203.0.113.7", 60_000))
        await operating.block(block("203.0.113.8", 50))
        await asyncio.sleep(0.1)
        for address in ("203.0.113.8", "203.0.113.9", "203.0.113.07", ""):  # the first one's time is over
            with pytest.raises(Refusal, match=r"bad_request: .*not blocked"):
                await operating.unblock("kari", address)
        await operating.unblock("kari", "203.0.113.7")
        with pytest.raises(Refusal):
            await operating.unblock("kari", "203.0.113.7")
        acts = [(act.what, act.target) for act in await operating.acts()]
        assert acts == [("unblock", "203.0.113.7"), ("block", "203.0.113.8"), ("block", "203.0.113.7")]


async def test_what_operators_have_done_is_kept_for_its_time_and_no_longer(
    valkey_url: str, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path, acts_keep_ms=KEPT_MS)
    async with open_store(settings, GameMetrics(Metrics("game"))) as store:
        operating = Operating(store, settings.acts_keep_ms)
        await operating.record(Act(who="kari", what="block", target="203.0.113.7"))
        assert [act.target for act in await operating.acts()] == ["203.0.113.7"]
        await asyncio.sleep(KEPT_MS / 1000 + 0.05)
        assert await operating.acts() == []
        await operating.record(Act(who="ola", what="sign_in"))
        assert [act.who for act in await operating.acts()] == ["ola"]
        with redis.Redis.from_url(valkey_url) as client:
            assert client.xlen(OPERATOR_KEYS.acts) == 1


async def test_addresses_and_words_go_when_their_time_has_come_though_nothing_else_happens(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path, acts_keep_ms=KEPT_MS, reports_keep_ms=KEPT_MS)
    streams = (OPERATOR_KEYS.acts, shard_keys(7).reports)
    with redis.Redis.from_url(valkey_url) as client:
        for stream in streams:
            client.xadd(stream, {"a": "203.0.113.7"})
        async with game_service(settings):

            async def are_empty() -> bool:
                return not any(client.xlen(stream) for stream in streams)

            await until(are_empty)
