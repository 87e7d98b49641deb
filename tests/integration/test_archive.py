"""The archive's questions, asked of a file and of a real PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from libs.archive.archive import Archive, ArchiveError, Entry
from libs.archive.opening import check_url, open_archive
from libs.archive.postgres import PostgresArchive
from tests.kit.postgres import running_postgres

FIRST = Entry("07aaaaaaaaaaaaaaaaaaaaaaaa", 1_000, True, b"one\x00body")
SECOND = Entry("07bbbbbbbbbbbbbbbbbbbbbbbb", 2_000, True, b"two")
THIRD = Entry("07cccccccccccccccccccccccc", 3_000, False, b"three")


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with running_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/archive.db"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def archive(url: str) -> AsyncIterator[Archive]:
    async with open_archive(url) as archive:
        await archive.forget_before(1 << 62)
        yield archive


async def test_what_is_put_is_there_for_everybody_and_after_it_is_opened_again(
    archive: Archive, url: str
) -> None:
    assert await archive.get(FIRST.match_id) is None
    await archive.put(FIRST)
    assert await archive.get(FIRST.match_id) == FIRST
    async with open_archive(url) as another:
        assert await another.get(FIRST.match_id) == FIRST
        assert await another.get(SECOND.match_id) is None


async def test_a_match_that_is_put_twice_is_there_once_and_as_it_was_put_last(archive: Archive) -> None:
    await archive.put(FIRST)
    again = Entry(FIRST.match_id, FIRST.ended_at_ms, False, b"other")
    await archive.put(again)
    assert await archive.get(FIRST.match_id) == again
    assert await archive.named_before(9_999, 10) == []


async def test_those_with_names_are_found_oldest_first_and_the_old_ones_are_forgotten(
    archive: Archive,
) -> None:
    for entry in (SECOND, THIRD, FIRST):
        await archive.put(entry)
    assert await archive.named_before(2_001, 10) == [FIRST, SECOND]
    assert await archive.named_before(9_999, 1) == [FIRST]
    assert await archive.named_before(1_000, 10) == []
    assert await archive.forget_before(2_000) == 1
    assert await archive.get(FIRST.match_id) is None
    assert await archive.get(SECOND.match_id) == SECOND


async def test_two_services_may_make_it_and_write_to_it_at_once(archive: Archive, url: str) -> None:
    async with open_archive(url) as one, open_archive(url) as two:
        await asyncio.gather(*(each.put(entry) for each in (one, two) for entry in (FIRST, SECOND, THIRD)))
    assert len(await archive.named_before(9_999, 10)) == 2


async def test_an_archive_that_is_not_there_says_so_in_its_own_word(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/no/such/folder/a.db", "postgresql://archive@127.0.0.1:1/postgres"):
        async with open_archive(url) as archive:
            with pytest.raises(ArchiveError):
                await archive.get(FIRST.match_id)


@pytest.mark.parametrize("url", ["", "sqlite://", "sqlite:///", "mysql://host/a", "archive.db"])
def test_a_url_that_names_no_archive_is_refused_before_anything_starts(url: str) -> None:
    with pytest.raises(ValueError, match="archive"):
        check_url(url)


async def test_an_url_that_cannot_be_read_is_told_without_its_password() -> None:
    archive = PostgresArchive("postgresql://user:Secr/et9word@127.0.0.1:1/database")
    with pytest.raises(ArchiveError) as caught:
        await archive.get(FIRST.match_id)
    assert "Secr" not in str(caught.value)
    assert "et9word" not in str(caught.value)
    await archive.close()
