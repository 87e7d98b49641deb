"""Fixtures: the real services behind two gateways, and a match whose state must not change."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.gateway.club import Club, club_of
from tests.integration.gateway.conftest import Secrets


@pytest.fixture
def fuzz_frames() -> int:
    """How many frames to send: a few thousand in every run, FUZZ_FRAMES in the nightly one."""
    return int(os.environ.get("FUZZ_FRAMES", "6000"))


@pytest.fixture
def secret_files(tmp_path: Path) -> Secrets:
    files = Secrets(tmp_path / "token-secret", tmp_path / "session-secret")
    for path, letter in ((files.token, b"t"), (files.session, b"s")):
        path.write_bytes(letter * 32)
        path.chmod(0o600)
    return files


@pytest.fixture
async def club(valkey_url: str, secret_files: Secrets, tmp_path: Path) -> AsyncIterator[Club]:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html><title>page</title>")
    settings = {
        "page_dir": page,
        "messages_per_address_s": 1_000_000,
        "bytes_per_address_s": 1_000_000_000,
    }
    async with club_of(valkey_url, secret_files, gateway_settings=settings) as club:
        yield club
