"""The archive in PostgreSQL, for services on several machines."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import asyncpg

from libs.archive.archive import ArchiveError, Entry

T = TypeVar("T")
CONNECTIONS = 4
ANSWER_WITHIN_S = 5.0
SCHEMA = """
create table if not exists matches (
    match_id text primary key, ended_at_ms bigint not null, named boolean not null, body bytea not null
);
create index if not exists matches_ended on matches (ended_at_ms);
create index if not exists matches_named on matches (ended_at_ms) where named;
"""
SCHEMA_LOCK = 7_412_053  # any number, the same for all: two services must not make the table at once
PUT = """
insert into matches (match_id, ended_at_ms, named, body) values ($1, $2, $3, $4) on conflict (match_id)
do update set ended_at_ms = excluded.ended_at_ms, named = excluded.named, body = excluded.body
"""
GET = "select match_id, ended_at_ms, named, body from matches where match_id = $1"
NAMED = """
select match_id, ended_at_ms, named, body from matches where named and ended_at_ms < $1
order by ended_at_ms limit $2
"""


class PostgresArchive:
    """One table; the pool of connections is made when it is first needed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: Any = None
        self._opening = asyncio.Lock()

    async def put(self, entry: Entry) -> None:
        row = (entry.match_id, entry.ended_at_ms, entry.named, entry.body)
        await self._ask(lambda pool: pool.execute(PUT, *row))

    async def get(self, match_id: str) -> Entry | None:
        row = await self._ask(lambda pool: pool.fetchrow(GET, match_id))
        return None if row is None else Entry(*row)

    async def named_before(self, ended_at_ms: int, most: int) -> list[Entry]:
        rows = await self._ask(lambda pool: pool.fetch(NAMED, ended_at_ms, most))
        return [Entry(*row) for row in rows]

    async def forget_before(self, ended_at_ms: int) -> int:
        said = await self._ask(
            lambda pool: pool.execute("delete from matches where ended_at_ms < $1", ended_at_ms)
        )
        return int(str(said).rpartition(" ")[2])

    async def scrub(self) -> None:
        """Nothing: its files are the database's own, and so is when it writes over what was dropped."""

    async def close(self) -> None:
        if self._pool is not None:
            self._pool.terminate()

    async def _ask(self, work: Callable[[Any], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                return await work(await self._opened())
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            raise ArchiveError(str(error) or type(error).__name__) from error

    async def _opened(self) -> Any:
        async with self._opening:
            if self._pool is None:
                pool = await asyncpg.create_pool(self._url, min_size=0, max_size=CONNECTIONS)
                try:
                    async with pool.acquire() as connection, connection.transaction():
                        await connection.execute("select pg_advisory_xact_lock($1)", SCHEMA_LOCK)
                        await connection.execute(SCHEMA)
                except ValueError:  # of the URL, read only now, which it quotes, password and all
                    pool.terminate()
                    raise ArchiveError("the archive's URL cannot be read") from None
                except BaseException:  # the next question tries anew; nothing of this one may stay open
                    pool.terminate()
                    raise
                self._pool = pool
        return self._pool
