"""Followers of tables: one reader of the store for the whole replica, one queue for each stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from typing import Any

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2
from libs.identity.ids import is_table_id, shard_of
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from libs.store.answers import answered
from libs.store.connect import StoreClient, asked_together
from services.matchmaking.forms import read
from services.matchmaking.keys import SHARDS, changes_key
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.store import ANSWER_WITHIN_S, Store
from services.matchmaking.table import Table

log = get_logger()
BLOCK_MS = 1_000
BATCH = 256
RETRY_S = 0.2
Positions = dict[bytes | str | memoryview, int | bytes | str | memoryview]
"""The last entry read, by the key of the stream."""


class Follower:
    """One stream's tables. Only the newest state of each waits, so the list of tables bounds the queue."""

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}
        self._tables: dict[str, Table] = {}
        self._unknown: set[str] = set()
        self._news = asyncio.Event()
        self.closed = False

    def offer(self, table: Table) -> None:
        """Queue a table unless it, or a newer state of it, was queued before."""
        if table.version > self.versions.get(table.table_id, table.version):
            self.versions[table.table_id] = table.version
            self._tables[table.table_id] = table
            self._news.set()

    def miss(self, table_id: str) -> None:
        """Queue the news that there is no such table."""
        self._unknown.add(table_id)
        self._news.set()

    def close(self) -> None:
        """No more news: the stream ends."""
        self.closed = True
        self._news.set()

    async def news(self) -> tuple[list[Table], list[str]]:
        """Wait for news: tables that changed and ids without one; both empty at the end."""
        await self._news.wait()
        self._news.clear()
        tables, self._tables = list(self._tables.values()), {}
        unknown, self._unknown = sorted(self._unknown), set()
        return tables, unknown

    def forget(self, table_id: str) -> None:
        """Drop what waits of a table."""
        self.versions.pop(table_id, None)
        self._tables.pop(table_id, None)
        self._unknown.discard(table_id)


class Following:
    """Hands each change to those who follow the table."""

    def __init__(self, store: Store, client: StoreClient, metrics: MatchmakingMetrics) -> None:
        self._store = store
        self._client = client
        self._metrics = metrics
        self._by_table: dict[str, set[Follower]] = {}
        self._followers: set[Follower] = set()
        self._closed = False

    def open(self) -> Follower:
        """A new stream."""
        follower = Follower()
        self._followers.add(follower)
        self._metrics.followers.set(len(self._followers))
        if self._closed:
            follower.close()
        return follower

    def leave(self, follower: Follower) -> None:
        """The stream has ended."""
        self.unfollow(follower, list(follower.versions))
        self._followers.discard(follower)
        self._metrics.followers.set(len(self._followers))

    async def follow(self, follower: Follower, table_ids: Iterable[str]) -> None:
        """Follow the tables from now on; each one's state is queued at once, also for one followed before."""
        wanted = list(dict.fromkeys(table_ids))
        for table_id in wanted:
            # First listen, then look: a change in between is seen twice rather than missed.
            follower.versions[table_id] = -1
            self._by_table.setdefault(table_id, set()).add(follower)
        found = await self._store.load_many(wanted)
        for table_id in wanted:
            if table_id in found:
                follower.offer(found[table_id].table)
            else:
                self.unfollow(follower, [table_id])
                follower.miss(table_id)

    def unfollow(self, follower: Follower, table_ids: Iterable[str]) -> None:
        """Follow these tables no more."""
        for table_id in table_ids:
            follower.forget(table_id)
            others = self._by_table.get(table_id)
            if others is not None:
                others.discard(follower)
                if not others:
                    del self._by_table[table_id]

    async def obey(
        self, requests: AsyncIterator[matchmaking_pb2.FollowTablesRequest], follower: Follower
    ) -> None:
        """Do what the client says until it says no more; then its stream ends."""
        try:
            async for request in requests:
                self.unfollow(follower, request.unfollow)
                await self.follow(follower, request.follow)
        finally:
            follower.close()

    async def close(self) -> None:
        """End all streams: the replica drains, and gateways turn to another one."""
        self._closed = True
        for follower in self._followers:
            follower.close()

    async def run(self) -> None:
        """Read the changes of all shards until cancelled, in a cluster each shard's by itself."""
        async with asyncio.TaskGroup() as readers:
            for shards in asked_together(self._client, SHARDS):
                readers.create_task(self._keep_reading(shards))

    async def _keep_reading(self, shards: Sequence[int]) -> None:
        """After an outage look at every followed table of these shards."""
        positions: Positions | None = None
        while True:
            try:
                if positions is None:
                    positions = await self._newest(shards)
                    await self._look_at_all(shards)
                await self._read(positions)
            except Refusal as refusal:
                log.warning("changes_unreadable", shards=list(shards), reason=refusal.reason)
                positions = None
                await asyncio.sleep(RETRY_S)

    async def _newest(self, shards: Sequence[int]) -> Positions:
        positions: Positions = {}
        for shard in shards:
            asked = self._client.xrevrange(changes_key(shard), count=1)
            newest: Any = await answered(asked, ANSWER_WITHIN_S)
            positions[changes_key(shard)] = newest[0][0].decode() if newest else "0-0"
        return positions

    async def _look_at_all(self, shards: Sequence[int]) -> None:
        self._metrics.resyncs.inc()
        followed = [name for name in self._by_table if is_table_id(name) and shard_of(name) in shards]
        for table_id, loaded in (await self._store.load_many(followed)).items():
            self._spread(table_id, loaded.table)

    async def _read(self, positions: Positions) -> None:
        asked = self._client.xread(positions, count=BATCH, block=BLOCK_MS)
        answer: Any = await answered(asked, ANSWER_WITHIN_S + BLOCK_MS / 1000)
        entries = answer.items() if isinstance(answer, dict) else answer or ()
        for key, changes in entries:
            for position, fields in _flat(changes):
                positions[key.decode()] = position.decode()
                table_id = fields[b"id"].decode()
                if table_id in self._by_table:
                    # One of a newer form is left out: its followers go to a newer replica when we leave.
                    with suppress(Refusal):
                        self._spread(table_id, read(fields[b"body"], Table))

    def _spread(self, table_id: str, table: Table) -> None:
        for follower in self._by_table.get(table_id, ()):
            follower.offer(table)


def _flat(changes: Any) -> Any:
    """The entries of one stream; RESP3 puts them into one more list."""
    return changes[0] if changes and isinstance(changes[0], list) else changes
