"""The load: tables, players, spectators and reconnects against a whole stack, and what all of it cost."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import redis

from tests.kit.whole import Whole
from tests.load.games import Counts, Table
from tests.load.measure import Buckets, bucket_quantiles, cpu_s, histograms, in_ms, rss_bytes

OPENED_AT_ONCE = 16
# A spectator for so many tables, and a fog table.
SHARE = 10
IDLE_S = 8.0
# A move's way, as docs/metrics.md has it.
STAGES = (
    "tandemfog_game_gateway_to_game_seconds",
    "tandemfog_game_receipt_to_commit_seconds",
    'tandemfog_game_script_seconds{script="commit"}',
    "tandemfog_game_commit_to_feed_seconds",
    "tandemfog_visibility_commit_to_view_seconds",
    "tandemfog_gateway_commit_to_frame_seconds",
    'tandemfog_gateway_command_seconds{t="move"}',
)
# One machine plays all browsers: the limits by address and by guest are not what is measured.
UNLIMITED = {
    "TANDEMFOG_GATEWAY_CONNECTIONS_PER_ADDRESS": "100000",
    "TANDEMFOG_GATEWAY_MESSAGES_PER_ADDRESS_S": "1000000",
    "TANDEMFOG_GATEWAY_BYTES_PER_ADDRESS_S": "1000000000",
    "TANDEMFOG_GATEWAY_TABLES_PER_GUEST": "100000",
    "TANDEMFOG_GATEWAY_TABLES_PER_ADDRESS": "100000",
}


@dataclass(frozen=True)
class Plan:
    """`tables` of tandem play, and a tenth as many of fog and of spectators with them unless `plain`.

    A move each `pace_s` on each board for `seconds`; before `reconnect_share` of the moves the player comes
    back over a new websocket.
    """

    tables: int
    seconds: float
    pace_s: float
    reconnect_share: float
    plain: bool


class Stack:
    """The running processes, by name, and what they have used so far."""

    def __init__(self, whole: Whole) -> None:
        note = whole.processes
        self.pids = {"store": int(note["store"]["pid"])}
        self.pids |= {name: int(entry["pid"]) for name, entry in note["services"].items()}
        self.store_url = str(note["store"]["url"])
        self._ports = {name: int(entry["metrics_port"]) for name, entry in note["services"].items()}

    def cpu_s(self) -> dict[str, float]:
        return {name: cpu_s(pid) for name, pid in self.pids.items()}

    def rss_bytes(self) -> dict[str, int]:
        return {name: rss_bytes(pid) for name, pid in self.pids.items()}

    def store_bytes(self) -> int:
        with redis.Redis.from_url(self.store_url) as client:
            return int(client.info("memory")["used_memory"])

    def stages(self) -> dict[str, Buckets]:
        found: dict[str, Buckets] = {}
        for service in dict.fromkeys(map(service_of, STAGES)):
            names = [name for name in STAGES if service_of(name) == service]
            found |= histograms(self._ports[service], names)
        return found


def service_of(metric: str) -> str:
    """Whose metric it is."""
    return metric.split("_")[1]


async def floor(stack: Stack) -> dict[str, float]:
    """The floor, measured by a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.load.floor", stack.store_url), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    measured: dict[str, float] = json.loads(said)
    return measured


async def idle(stack: Stack) -> float:
    """Cores that all processes together use while nobody plays."""
    before, began_s = sum(stack.cpu_s().values()), time.monotonic()
    await asyncio.sleep(IDLE_S)
    return (sum(stack.cpu_s().values()) - before) / (time.monotonic() - began_s)


async def run(plan: Plan) -> dict[str, Any]:
    """Starts a stack of its own, loads it, and counts."""
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        async with Whole(Path(folder), UNLIMITED) as whole:
            stack = Stack(whole)
            connector = aiohttp.TCPConnector(limit=0)
            async with aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar()
            ) as session:
                return await _load(plan, whole.url.rstrip("/"), stack, session)


async def _load(plan: Plan, url: str, stack: Stack, session: aiohttp.ClientSession) -> dict[str, Any]:
    counts = Counts()
    dice = random.Random(7)
    kinds = ["tandem"] * plan.tables + ["fog"] * (0 if plan.plain else plan.tables // SHARE)
    tables = [Table(url, kind, counts, session, dice) for kind in kinds]
    idle_cores = await idle(stack)
    before = await floor(stack)
    memory = [stack.rss_bytes()]
    await some_at_once([table.sit() for table in tables])
    memory.append(stack.rss_bytes())
    stored = stack.store_bytes()
    await some_at_once([table.begin(public=number % SHARE == 0) for number, table in enumerate(tables)])
    if not plan.plain:
        await some_at_once([table.watch() for table in tables[: plan.tables : SHARE]])
    memory.append(stack.rss_bytes())
    stored_by_matches = stack.store_bytes() - stored

    cpu, stages, began_s = stack.cpu_s(), stack.stages(), time.monotonic()
    until_s = began_s + plan.seconds
    await asyncio.gather(*(table.play(plan.pace_s, until_s, plan.reconnect_share) for table in tables))
    lasted_s = time.monotonic() - began_s
    spent = {name: used - cpu[name] for name, used in stack.cpu_s().items()}
    after_stages = stack.stages()
    unmeasured = [name for name, buckets in after_stages.items() if buckets == stages[name]]
    memory.append(stack.rss_bytes())
    after = await floor(stack)
    await some_at_once([table.leave() for table in tables])

    sockets = sum(len(table.players) for table in tables)
    floor_us = (before["move_us"] + after["move_us"]) / 2
    used_us, moves = sum(spent.values()) * 1e6, max(1, counts.moves)
    move_us, above_idle_us = used_us / moves, (used_us - idle_cores * lasted_s * 1e6) / moves
    total = [sum(each.values()) for each in memory]
    return {
        "tables": plan.tables,
        "fog_tables": len(tables) - plan.tables,
        "spectators": sum(len(table.spectators) for table in tables),
        "connections": sockets,
        "seconds": round(lasted_s, 1),
        "moves": counts.moves,
        "moves_per_s": round(counts.moves / lasted_s, 1),
        "answered_ms": in_ms(counts.answered_s),
        "shown_ms": in_ms(counts.shown_s),
        "stages_ms": {name: bucket_quantiles(stages[name], each) for name, each in after_stages.items()},
        "unmeasured": unmeasured,
        "errors": counts.errors,
        "unjust_flags": counts.ended.get("time", 0),
        "ended": counts.ended,
        "reconnects": counts.reconnects,
        "gaps": counts.gaps,
        "cpu_us_per_move": {name: round(used / max(1, counts.moves) * 1e6) for name, used in spent.items()},
        "cores_used": {name: round(used / lasted_s, 2) for name, used in spent.items()},
        "move_us": round(move_us),
        "floor": {"before": before, "after": after},
        "times_the_floor": round(move_us / floor_us, 2),
        "idle_cores": round(idle_cores, 3),
        "move_us_above_idle": round(above_idle_us),
        "times_the_floor_above_idle": round(above_idle_us / floor_us, 2),
        "bytes_per_connection": round((total[1] - total[0]) / sockets),
        "bytes_per_table": round((total[2] - total[1]) / len(tables)),
        "bytes_per_table_in": {
            name: round((now - memory[1][name]) / len(tables)) for name, now in memory[2].items()
        },
        "store_bytes_per_match": round(stored_by_matches / len(tables)),
        "rss_mb": {name: round(each / 1e6, 1) for name, each in memory[-1].items()},
        "ok": not counts.errors and not counts.ended.get("time") and not unmeasured,
    }


async def some_at_once(works: list[Any]) -> None:
    """Does all of it, a few at a time."""
    slots = asyncio.Semaphore(OPENED_AT_ONCE)

    async def one(work: Any) -> None:
        async with slots:
            await work

    await asyncio.gather(*(one(work) for work in works))
