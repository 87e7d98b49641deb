"""The archive as a file beside the services of one machine."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from libs.archive.archive import ArchiveError, Entry

T = TypeVar("T")
BUSY_S, SCRUB_BUSY_MS = 5.0, 100
SCHEMA = """
create table if not exists matches (
    match_id text primary key, ended_at_ms integer not null, named integer not null, body blob not null
) without rowid;
create index if not exists matches_ended on matches (ended_at_ms);
create index if not exists matches_named on matches (ended_at_ms) where named;
"""
PUT = "insert or replace into matches values (?, ?, ?, ?)"
GET = "select match_id, ended_at_ms, named, body from matches where match_id = ?"
NAMED = """
select match_id, ended_at_ms, named, body from matches where named and ended_at_ms < ?
order by ended_at_ms limit ?
"""
FORGET = "delete from matches where ended_at_ms < ?"


class SqliteArchive:
    """One file. Several processes of one machine may share it; one thread of this one speaks to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="archive")
        self._connection: sqlite3.Connection | None = None

    async def put(self, entry: Entry) -> None:
        row = (entry.match_id, entry.ended_at_ms, int(entry.named), entry.body)
        await self._do(lambda file: file.execute(PUT, row))

    async def get(self, match_id: str) -> Entry | None:
        found = await self._entries(GET, match_id)
        return found[0] if found else None

    async def named_before(self, ended_at_ms: int, most: int) -> list[Entry]:
        return await self._entries(NAMED, ended_at_ms, most)

    async def forget_before(self, ended_at_ms: int) -> int:
        return await self._do(lambda file: file.execute(FORGET, (ended_at_ms,)).rowcount)

    async def scrub(self) -> None:
        # What was overwritten is in the log of writes until that is emptied; another process may be reading
        # it just now, and the next time will do.
        def scrub(file: sqlite3.Connection) -> None:
            file.execute(f"pragma busy_timeout = {SCRUB_BUSY_MS}")  # whoever writes meanwhile waits as long
            try:
                file.execute("pragma wal_checkpoint(truncate)").fetchall()
            finally:
                file.execute(f"pragma busy_timeout = {round(BUSY_S * 1000)}")

        await self._do(scrub)

    async def close(self) -> None:
        def close() -> None:
            if self._connection is not None:
                self._connection.close()

        await asyncio.get_running_loop().run_in_executor(self._thread, close)
        self._thread.shutdown()

    async def _entries(self, question: str, *values: str | int) -> list[Entry]:
        rows = await self._do(lambda file: file.execute(question, values).fetchall())
        return [Entry(name, ended_at_ms, bool(named), body) for name, ended_at_ms, named, body in rows]

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does something in one transaction, in the archive's own thread."""

        def do() -> T:
            with self._open() as file:
                return work(file)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, do)
        except sqlite3.Error as error:
            raise ArchiveError(str(error)) from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(self._path, timeout=BUSY_S, check_same_thread=False)
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = full")
            connection.execute("pragma secure_delete = on")  # not every build of SQLite has it so by itself
            connection.executescript(SCHEMA)
            self._connection = connection
        return self._connection
