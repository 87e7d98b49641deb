"""What may stand in a URL that has a password."""

from __future__ import annotations

import pytest

from libs.archive.opening import check_url as check_archive
from libs.store.connect import check_url as check_store

STORES = (
    "redis://127.0.0.1:6379/0",
    "rediss://:pass%2Fword@redis.example:6380/1",
    "redis://user:p.w-1@[::1]:6379/0",
    "redis+cluster://:secret@a:7000,b:7001,[2001:db8::1]:7002",
)
ARCHIVES = (
    "sqlite:////var/lib/a@b#c/archive.db",
    "postgresql://user@host/database",
    "postgresql://user:pass%23word@one:5432,two:5433/database?sslmode=require",
    "postgresql:///database?host=/run/postgresql",
)
WRONG = (
    "redis://:Secr/et9word@redis:6379/0",
    "redis://:Secr#et9word@redis:6379/0",
    "redis://:Secr?et9word@redis:6379/0",
    "redis://u:12/et9word@redis:6379/0",
    "redis+cluster://:Secr/et9word@a:7000,b:7000",
    "redis+cluster://a,b:7000",
    "redis://:Secr[et9word]x@redis:6379/0",
    "redis://:Secr\u2100et9word@redis:6379/0",
    "redis://",
    "http://redis:6379",
)


@pytest.mark.parametrize("url", STORES)
def test_a_store_that_can_be_is_taken_as_it_is(url: str) -> None:
    assert check_store(url) == url


@pytest.mark.parametrize("url", ARCHIVES)
def test_an_archive_that_can_be_is_taken_as_it_is(url: str) -> None:
    assert check_archive(url) == url


@pytest.mark.parametrize("url", WRONG)
def test_a_password_that_ends_the_hosts_too_early_is_refused_and_never_quoted(url: str) -> None:
    for check, text in ((check_store, url), (check_archive, url.replace("redis", "postgresql", 1))):
        if text in ("postgresql://", "postgresql+cluster://a,b:7000") or "[" in text or "\u2100" in text:
            continue  # PostgreSQL's library has a host of its own in mind, or reads it otherwise
        with pytest.raises(ValueError, match=r"host|archive") as caught:
            check(text)
        assert "Secr" not in str(caught.value)
        assert "et9word" not in str(caught.value)
