"""Tables that play a script through whatever happens, and tables whose flags fall meanwhile."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.chaos.client import AWAY, Client
from tests.kit.browser import Refused
from tests.kit.script import scripted

LONG_MS = 3_600_000
SHORT_MS = 15_000
START_WITHIN_S = 60.0


@dataclass(frozen=True)
class Acknowledged:
    """A move that a client was told is made; instants by the monotonic clock."""

    board: str
    ply: int
    uci: str
    asked_at: float
    at: float


@dataclass
class ScriptedTable:
    """Four patient clients, and what each was told."""

    clients: list[Client]
    pace_s: float
    made: list[Acknowledged] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    async def play(self, board: str, until: asyncio.Event) -> None:
        """One board of the table, until told."""
        ply = 0
        while not until.is_set():
            seat = 2 * "AB".index(board) + ply % 2
            uci = scripted("tandem", board, ply)
            try:
                asked_at, at = await self.clients[seat].insist(f"{board}{ply}", board, ply, uci)
            except Refused as refused:
                self.refused.append(refused.reason)
                return
            self.made.append(Acknowledged(board, ply, uci, asked_at, at))
            ply += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(self.pace_s):
                    await until.wait()


async def scripted_table(stack: AsyncExitStack, urls: list[str], number: int, pace_s: float) -> ScriptedTable:
    """A table of four whose match has started; its clients are spread over the gateways."""
    clients = [await stack.enter_async_context(Client(urls, number + seat)) for seat in range(4)]
    time_control = {"initial_ms": LONG_MS, "increment_ms": 0}
    made = await clients[0].browser.command("create_table", variant="tandem", time=time_control, public=False)
    table = made["table"] if isinstance(made["table"], str) else made["table"]["table"]
    for seat, client in enumerate(clients):
        await client.browser.command("take_seat", table=table, seat=seat, name=f"Player {seat}")
    for client in clients:
        await client.browser.wait_for(lambda browser: browser.match, START_WITHIN_S)
        client.stay()
    return ScriptedTable(clients, pace_s)


@dataclass(frozen=True)
class Fall:
    """A match that a flag (or anything else) has ended; seconds by the monotonic clock.

    `due_at`: when A-White's flag was to fall without any gap, by its clock in a frame just received;
    `gaps_s`: what the match's record says of outages after that frame.
    """

    reason: str
    due_at: float
    gaps_s: float
    seen_at: float


class FlagTable:
    """One person who never moves, among bots: one flag after another falls here, whatever happens."""

    def __init__(self, urls: list[str], number: int) -> None:
        self._urls = urls
        self._number = number
        self.falls: list[Fall] = []
        self.resynchronised = 0

    async def run(self, until: asyncio.Event) -> None:
        while not until.is_set():
            try:
                async with Client(self._urls, self._number) as client:
                    try:
                        await self._one(client, until)
                    finally:
                        self.resynchronised += client.resynchronised
            except (*AWAY, Refused):  # no table can be made while something is down
                await asyncio.sleep(0.5)

    async def _one(self, client: Client, until: asyncio.Event) -> None:
        browser = client.browser
        clock = {"initial_ms": SHORT_MS, "increment_ms": 0}
        await browser.command("play_now", variant="tandem", seat=0, time=clock)
        match: dict[str, Any] = await browser.wait_for(lambda page: page.match, START_WITHIN_S)
        due_at = time.monotonic() + match["clocks"]["remaining_ms"][0] / 1000
        before_ms = sum(outage["length_ms"] for outage in match["outages"])
        client.stay()
        while not (browser.match and browser.match["result"]):
            if until.is_set():
                return
            await asyncio.sleep(0.05)
        after_ms = sum(outage["length_ms"] for outage in browser.match["outages"])
        reason = str(browser.match["result"]["reason"])
        self.falls.append(Fall(reason, due_at, (after_ms - before_ms) / 1000, time.monotonic()))
