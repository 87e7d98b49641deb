"""`python -m tests.load.soak`: hours of play in short: many matches to their end, and whether anything grows.

One JSON line; exit code 1 when a process' memory grows, a finished match's keys stay, the archive lacks one,
or the store's file is never written anew.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import redis

from tests.kit.whole import Whole
from tests.load.games import Counts, Table
from tests.load.run import UNLIMITED, Stack, some_at_once

KEEP_MS = 60_000
PLIES = 16
LOOK_EVERY_S = 15.0
# In the first third everything is used for the first time; after it nothing may grow by more than this part.
GROWTH = 0.10
SETTINGS = {
    "TANDEMFOG_GAME_KEEP_MS": str(KEEP_MS),
    "TANDEMFOG_GAME_TALK_KEEP_MS": str(KEEP_MS),
    "TANDEMFOG_GAME_FEED_LENGTH": "2000",
    "TANDEMFOG_MATCHMAKING_KEEP_MS": str(KEEP_MS),
    "TANDEMFOG_MATCHMAKING_CHANGES_LENGTH": "100",
}


def growth(samples: Sequence[float]) -> float:
    """By what part the median of the last third is above that of the second one."""
    third = len(samples) // 3
    middle, last = (sorted(part)[len(part) // 2] for part in (samples[third : 2 * third], samples[-third:]))
    return last / middle - 1


def match_keys(url: str) -> int:
    """How many keys of matches the store holds."""
    with redis.Redis.from_url(url) as client:
        return sum(1 for _ in client.scan_iter("*:match:*", count=1000))


async def soak(tables: int, seconds: float, pace_s: float) -> dict[str, Any]:
    """Plays, and looks at the processes every quarter of a minute."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        async with Whole(Path(folder), {**UNLIMITED, **SETTINGS}) as whole:
            stack = Stack(whole)
            async with aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
            ) as session:
                return await _soak(tables, seconds, pace_s, whole, stack, session)


async def _soak(
    count: int, seconds: float, pace_s: float, whole: Whole, stack: Stack, session: aiohttp.ClientSession
) -> dict[str, Any]:
    counts, dice = Counts(), random.Random(7)
    kinds = ("tandem", "tandem", "tandem", "fog")
    tables = [
        Table(whole.url.rstrip("/"), kinds[number % 4], counts, session, dice, PLIES)
        for number in range(count)
    ]
    await some_at_once([table.sit() for table in tables])
    await some_at_once([table.begin() for table in tables])
    until_s = time.monotonic() + seconds
    playing = asyncio.gather(*(table.play(pace_s, until_s, 0.002) for table in tables))
    memory: dict[str, list[float]] = {name: [] for name in stack.pids}
    stored: list[float] = []
    while not playing.done():
        await asyncio.wait([playing], timeout=LOOK_EVERY_S)
        for name, used in stack.rss_bytes().items():
            memory[name].append(used)
        stored.append(match_keys(stack.store_url))
    await playing
    ended = sum(counts.ended.values())
    archived = _archived(whole.var / "archive.db")
    with redis.Redis.from_url(stack.store_url) as client:
        rewrites = int(client.info("persistence")["aof_rewrites"])
    await some_at_once([table.leave() for table in tables])
    grown = {name: round(growth(samples), 3) for name, samples in memory.items()}
    counted: dict[str, Any] = {
        "tables": count,
        "seconds": round(seconds),
        "moves": counts.moves,
        "matches_ended": ended,
        "archived": archived,
        "errors": counts.errors,
        "memory_growth": grown,
        "rss_mb": {name: round(samples[-1] / 1e6, 1) for name, samples in memory.items()},
        "match_keys_growth": round(growth(stored), 3),
        "match_keys": int(stored[-1]),
        "aof_rewrites": rewrites,
    }
    counted["ok"] = (
        not counts.errors
        and max(grown.values()) < GROWTH
        and counted["match_keys_growth"] < GROWTH
        and archived >= ended
        and rewrites > 0
    )
    return counted


def _archived(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("select count(*) from matches").fetchone()[0])
    finally:
        connection.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.load.soak", description=__doc__)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--pace-s", type=float, default=3.0)
    result = asyncio.run(soak(**vars(parser.parse_args())))
    print(json.dumps(result), flush=True)  # noqa: T201 - the line that was asked for
    sys.exit(0 if result["ok"] else 1)
