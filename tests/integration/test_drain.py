"""Fifty live tables, and one replica of each service after the other is asked to stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from services.allinone.store import unused_port
from tests.kit.follower import Follower
from tests.kit.service import ServiceProcess

pytestmark = pytest.mark.alone

SERVICES = ("game", "visibility", "matchmaking", "bots", "gateway")
TABLES = 50
WITH_BOTS = 10
GRACE_S = 5.0
# Neither side ever meets the other: White's pawns stay on ranks 3 and 4, Black's on 6 and 5.
WHITE = [f"{file}{rank}{file}{rank + 1}" for file in "abcdefgh" for rank in (2, 3)]
BLACK = [f"{file}{rank}{file}{rank - 1}" for file in "abcdefgh" for rank in (7, 6)]
PAUSE_S = 1.5
BY_PLAY = ("king_captured", "threefold")  # how a game against a bot may end by itself meanwhile
UP_WITHIN_S = 100.0


@dataclass
class Stack:
    """Two replicas of each service."""

    replicas: dict[str, list[ServiceProcess]]
    urls: list[str]


@pytest.fixture
async def stack(valkey_url: str, tmp_path: Path) -> AsyncIterator[Stack]:
    secrets = {}
    for name in ("TOKEN", "SESSION"):
        path = tmp_path / name
        path.write_text(name[0] * 40)
        path.chmod(0o600)
        secrets[f"TANDEMFOG_{name}_SECRET_FILE"] = str(path)
    ports = {service: (unused_port(), unused_port()) for service in SERVICES}
    http = (unused_port(), unused_port())
    peers = {
        f"TANDEMFOG_PEERS_{service.upper()}": ",".join(f"127.0.0.1:{port}" for port in ports[service])
        for service in SERVICES
    }
    replicas: dict[str, list[ServiceProcess]] = {service: [] for service in SERVICES}
    async with AsyncExitStack() as opened:
        for service in SERVICES:
            for number in (0, 1):
                prefix = f"TANDEMFOG_{service.upper()}_"
                told = {**peers, **secrets, f"{prefix}PORT": str(ports[service][number])}
                told |= {"TANDEMFOG_STORE_URL": valkey_url, "TANDEMFOG_BOTS_PACE": "0"}
                if service == "gateway":
                    told[f"{prefix}HTTP_PORT"] = str(http[number])
                process = ServiceProcess(service, told)
                replicas[service].append(process)
                opened.push_async_exit(process)
                await process.launch()
        for process in (process for both in replicas.values() for process in both):
            await process.wait_for("ready", UP_WITHIN_S)
        yield Stack(replicas, [f"http://127.0.0.1:{port}" for port in http])


@dataclass
class LiveTable:
    """A fog game that goes on until told to stop; `acknowledged` are the moves that were answered by ok."""

    players: list[Follower]
    acknowledged: list[str] = field(default_factory=list)
    stop: bool = False

    async def play(self) -> None:
        """White and Black in turn; against a computer White alone, with whatever move is possible."""
        made = -1
        while not self.stop:
            mover = self.players[len(self.acknowledged) % len(self.players)]
            what, ply = await mover.until(lambda page, after=made: turn_of(page, after))  # type: ignore[misc]
            if what == "over":
                return
            assert mover.match is not None
            if len(self.players) == 1:
                origin, targets = sorted(mover.match["legal"]["from"].items())[0]
                uci = origin + targets[0]
            else:
                uci = (WHITE, BLACK)[ply % 2][ply // 2]
            await mover.persist("move", board="A", ply=ply, uci=uci)
            self.acknowledged.append(uci)
            made = ply
            await asyncio.sleep(PAUSE_S)


def turn_of(player: Follower, after: int = -1) -> tuple[str, int] | None:
    """("move", ply) when it is the player's turn past that ply, ("over", 0) after the end, else None."""
    match = player.match
    if match is None:
        return None
    if match["result"] is not None:
        return "over", 0
    ply = int(match["boards"]["A"]["ply"])
    return ("move", ply) if ply % 2 == match["you"] and ply > after else None


def drained_in_s(process: ServiceProcess) -> float:
    """From being asked to having closed everything, by the process' own log."""
    times = {line["event"]: line["timestamp"] for line in process.lines if "timestamp" in line}
    asked, done = (datetime.fromisoformat(times[event]) for event in ("stop_asked", "stopped"))
    return (done - asked).total_seconds()


def shown_with(moves: int) -> Callable[[Follower], dict[str, Any] | None]:
    """The match, once so many of White's moves are shown."""
    return lambda page: page.match if page.match and len(page.match["moves"][::2]) >= moves else None


@asynccontextmanager
async def live_tables(stack: Stack) -> AsyncIterator[list[LiveTable]]:
    """Fifty fog games that have started, some against computers, their players at either gateway."""
    clock = {"initial_ms": 120_000, "increment_ms": 0}
    async with AsyncExitStack() as opened:

        async def open_one(number: int) -> LiveTable:
            people = 1 if number < WITH_BOTS else 2
            players = [
                await opened.enter_async_context(Follower(stack.urls, (number + seat) % 2))
                for seat in range(people)
            ]
            if people == 1:
                await players[0].persist("play_now", variant="fog", seat=0, level=1, time=clock)
            else:
                made = await players[0].persist("create_table", variant="fog", time=clock)
                for seat, player in enumerate(players):
                    await player.persist("take_seat", table=made["table"], seat=seat)
            for player in players:
                await player.until(lambda page: page.match, 40)
            return LiveTable(players)

        tables = []
        for first in range(0, TABLES, 10):
            tables += await asyncio.gather(*(open_one(number) for number in range(first, first + 10)))
        yield tables


async def everybody_moves_on(tables: list[LiveTable], within_s: float = 40.0) -> None:
    """Waits until each table that goes on has had a move more than now."""
    before = [len(table.acknowledged) for table in tables]
    async with asyncio.timeout(within_s):
        while not all(
            len(table.acknowledged) > moves or turn_of(table.players[0]) == ("over", 0)
            for table, moves in zip(tables, before, strict=True)
        ):
            await asyncio.sleep(0.05)


@pytest.mark.scenario("R11")
@pytest.mark.timeout(400)
async def test_a_replica_of_each_service_stops_under_fifty_tables_and_nobody_pays_for_it(
    stack: Stack,
) -> None:
    async with live_tables(stack) as tables:
        async with asyncio.TaskGroup() as games:
            for table in tables:
                games.create_task(table.play())
            await everybody_moves_on(tables)
            for service in SERVICES:
                replica = stack.replicas[service][0]
                assert await replica.terminate() == 0, replica.log()
                took_s = drained_in_s(replica)
                print(f"{service} drained in {took_s:.2f} s")  # noqa: T201
                assert took_s < GRACE_S + 1, replica.log()
                # What is new goes to the replica that is left, at once.
                async with Follower(stack.urls, first=1) as guest:
                    await guest.persist("play_now", variant="fog", level=1)
                    await guest.until(lambda page: page.match)
                await everybody_moves_on(tables)
            for table in tables:
                table.stop = True
        changes = sum(player.moves_over for table in tables for player in table.players)
        assert changes >= sum(len(table.players) for table in tables) // 2 - WITH_BOTS
        for table in tables:
            mine = table.acknowledged[:: len(table.players)]  # White's
            match = await table.players[0].until(shown_with(len(mine)))
            assert [move["uci"] for move in match["moves"][::2]] == mine, "a move is lost, or was made twice"
            reason = (match["result"] or {}).get("reason")
            assert reason is None or (reason in BY_PLAY and len(table.players) == 1)
            for player in table.players:
                assert not any(
                    seat["kind"] == "human" and not seat["online"]
                    for frame in player.frames
                    if frame["t"] in ("full", "delta")
                    for seat in frame.get("seats", ())
                ), "somebody was shown offline for changing gateways"
