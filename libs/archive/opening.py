"""From a URL to an archive: sqlite:///folder/archive.db (four slashes from the root) or postgresql://..."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from libs.archive.archive import Archive
from libs.archive.postgres import PostgresArchive
from libs.archive.sqlite import SqliteArchive
from libs.runtime.urls import check_hosts

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")


def check_url(url: str) -> str:
    """The URL, if it names an archive that there can be; raises ValueError for any other."""
    if not (url.startswith(POSTGRES) or (url.startswith(SQLITE) and url != SQLITE)):
        raise ValueError("an archive is sqlite:///path or postgresql://user@host/database")
    if url.startswith(POSTGRES):
        check_hosts(url)
    return url


@asynccontextmanager
async def open_archive(url: str) -> AsyncIterator[Archive]:
    """The archive that a URL names; it is connected when it is first asked. Raises ValueError."""
    check_url(url)
    archive: Archive = (
        PostgresArchive(url) if url.startswith(POSTGRES) else SqliteArchive(Path(url.removeprefix(SQLITE)))
    )
    try:
        yield archive
    finally:
        await archive.close()
