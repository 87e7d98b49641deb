"""`make bots N=2`: workers that join what runs, and go again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from tests.integration.bots.harness import FOG, Stack
from tests.kit.service import ROOT


def note(stack: Stack, var: Path, launcher: int) -> None:
    """What the launcher notes about who runs."""
    addresses = {
        "game": stack.game_address,
        "visibility": stack.visibility_address,
        "matchmaking": stack.matchmaking_address,
    }
    services = {name: {"port": int(address.rsplit(":", 1)[1])} for name, address in addresses.items()}
    (var / "ports.json").write_text(json.dumps({"launcher": launcher, "services": services}))


async def started(var: Path, *arguments: str) -> asyncio.subprocess.Process:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TANDEMFOG_")}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "scripts/more_bots.py", *arguments),
        cwd=ROOT,
        env={**inherited, "TANDEMFOG_VAR": str(var), "TANDEMFOG_BOTS_PACE": "0"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pids: list[int]) -> list[int]:
    """Those of the processes that have not ended."""
    return [pid for pid in pids if Path(f"/proc/{pid}/cmdline").exists()]


async def test_added_workers_play_and_go_when_they_are_taken_away(stack: Stack, tmp_path: Path) -> None:
    note(stack, tmp_path, os.getpid())
    process = await started(tmp_path, "2")
    try:
        assert process.stdout is not None
        assert b"2 more bot workers" in await process.stdout.readline()
        workers = children(process.pid)
        assert len(workers) == 2
        match_id = await stack.bots_table(FOG)
        await stack.started(match_id)
        assert (await stack.finished(match_id)).reason
        assert alive(workers) == workers
    finally:
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(20):
            _, said = await process.communicate()
    assert (process.returncode, said) == (0, b"")
    assert alive(workers) == []


async def test_without_something_that_runs_it_says_so(stack: Stack, tmp_path: Path) -> None:
    process = await started(tmp_path, "2")
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"make play" in said
    note(stack, tmp_path, os.getpid())
    process = await started(tmp_path, "many")
    _, said = await process.communicate()
    assert b"N=4" in said
