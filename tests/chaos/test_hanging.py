"""Two of each service, and one of them hangs: alive, every connection open, and not a word."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.kit.browser import Browser, Refused
from tests.kit.hang import hung
from tests.kit.replicas import Replicas
from tests.kit.table import full_table

pytestmark = pytest.mark.alone

TABLES = 6  # so that with near certainty some of them are asked of the replica that hangs
WITHIN_S = 4.5
PASSING = ("unavailable", "busy")


async def move(mover: Browser, other: Browser, ply: int, uci: str) -> float:
    """Moves, as often as need be under one name; seconds until the other one is shown it."""
    asked = time.monotonic()
    while True:
        try:
            await mover.command("move", request_id=f"m{ply}", board="A", ply=ply, uci=uci, timeout_s=10)
            break
        except Refused as refused:
            if refused.reason not in PASSING:
                raise
    await other.wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] > ply, 20)
    return time.monotonic() - asked


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.scenario("K06")
async def test_a_replica_that_hangs_holds_nobody_up_for_long(tmp_path: Path, valkey_url: str) -> None:
    async with Replicas(tmp_path, valkey_url) as stack, AsyncExitStack() as tables:
        players = [
            await tables.enter_async_context(full_table(stack.urls[number % 2], variant="fog"))
            for number in range(TABLES)
        ]
        moves = iter([*enumerate(("a2a3", "a7a6", "b2b3", "b7b6"))])
        for service in ("game", "visibility"):
            for replica in stack.of(service):
                ply, uci = next(moves)
                with hung(replica.process.pid):
                    took_s = await asyncio.gather(
                        *(move(pair[ply % 2], pair[1 - ply % 2], ply, uci) for pair in players)
                    )
                assert max(took_s) < WITHIN_S, f"{service}: {took_s}"
        for replica in stack.of("matchmaking"):
            with hung(replica.process.pid):
                asked = time.monotonic()
                for url in stack.urls:
                    async with Browser(url) as guest:
                        await guest.command("play_now", variant="fog", timeout_s=10)
            assert time.monotonic() - asked < 2 * WITHIN_S
