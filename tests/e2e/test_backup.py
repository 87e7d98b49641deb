"""A backup taken in mid-match is a folder that a second `make play` goes on from."""

from __future__ import annotations

import asyncio
import fcntl
import json
import sys
from pathlib import Path

import pytest
import redis

from services.allinone.store import unused_port
from tests.kit.browser import Browser
from tests.kit.service import ROOT
from tests.kit.table import full_table, played, real_game, replay
from tests.kit.whole import Whole

pytestmark = pytest.mark.alone

BACKED_UP, LATER = 12, 18
REWRITE_KEY = "auto-aof-rewrite-percentage"


async def backup(var: Path, target: Path) -> tuple[int, str]:
    """The backup's exit code and what it said."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "scripts/backup.py", str(target)),
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "TANDEMFOG_VAR": str(var)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return process.returncode or 0, said.decode()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_match_goes_on_from_a_backup_that_was_taken_while_it_was_played(tmp_path: Path) -> None:
    record = real_game("game_13").record
    moves = [(move.board, move.uci) for move in record.moves]
    copy = tmp_path / "copy"
    async with Whole(tmp_path / "var") as whole, full_table(whole.url, variant="tandem") as browsers:
        await replay(browsers, record, last=BACKED_UP)
        code, said = await backup(tmp_path / "var", copy)
        assert code == 0, said
        await replay(browsers, record, first=BACKED_UP, last=LATER)
        places = [browser.place for browser in browsers]
    async with Whole(copy) as again:
        come_back = []
        for place in places:
            assert place is not None
            browser = Browser(again.url)
            await browser.connect()
            come_back.append(browser)
            await browser.join(place[0], place[2])
            await browser.wait_for(lambda page: page.match)
            assert played(browser) == moves[:BACKED_UP], "all that was acknowledged, and nothing later"
        await replay(come_back, record, first=BACKED_UP, last=LATER)
        for browser in come_back:
            await browser.wait_for(lambda page: page.match and len(page.match["moves"]) == LATER)
            await browser.disconnect()


async def test_a_backup_that_is_killed_costs_the_next_one_nothing_and_two_never_run_at_once(
    tmp_path: Path,
) -> None:
    async with Whole(tmp_path / "var") as whole:
        with redis.Redis.from_url(whole.processes["store"]["url"], decode_responses=True) as store:
            store.config_set(REWRITE_KEY, 0)  # all that one leaves that is killed half-way
            with (tmp_path / "var" / "backup.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                code, said = await backup(tmp_path / "var", tmp_path / "copy")
                assert (code, "Another backup" in said) == (1, True), said
            code, said = await backup(tmp_path / "var", tmp_path / "copy")
            assert code == 0, said
            assert store.config_get(REWRITE_KEY)[REWRITE_KEY] == "100"


async def test_a_backup_says_when_the_archive_is_elsewhere_and_not_in_it(tmp_path: Path) -> None:
    elsewhere = {"TANDEMFOG_GAME_ARCHIVE_URL": f"sqlite:///{tmp_path}/elsewhere.db"}
    async with Whole(tmp_path / "var", elsewhere):
        (tmp_path / "var" / "archive.db").write_text("of long ago")
        code, said = await backup(tmp_path / "var", tmp_path / "copy")
        assert (code, "TANDEMFOG_GAME_ARCHIVE_URL" in said) == (0, True), said
        assert "archive.db" not in names_in(tmp_path / "copy")


async def test_a_backup_of_nothing_or_onto_something_says_so_and_writes_nothing(tmp_path: Path) -> None:
    code, said = await backup(tmp_path / "nothing", tmp_path / "copy")
    assert code == 1
    assert "Nothing runs" in said
    assert not (tmp_path / "copy").exists()
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in ("secret", "session-secret"):
        (crashed / name).write_text("x")
    note = {"launcher": 1, "own_archive": True, "store": {"url": f"redis://127.0.0.1:{unused_port()}/0"}}
    (crashed / "ports.json").write_text(json.dumps(note))
    code, said = await backup(crashed, tmp_path / "copy")
    assert (code, "Nothing runs" in said) == (1, True), said
    assert names_in(tmp_path) == ["crashed"]
    (tmp_path / "there").mkdir()
    code, said = await backup(tmp_path, tmp_path / "there")
    assert code == 1
    assert "there already" in said
