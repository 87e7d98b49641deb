"""Tables whose players move by the script, and what all of them have seen."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import suppress
from dataclasses import dataclass, field

import aiohttp

from tests.kit.script import scripted
from tests.load.player import Gone, Player, Refused, Seen

LONG = {"initial_ms": 3_600_000, "increment_ms": 0}
# Before the 800th move of both boards ends a tandem match (T-draw), and before a third repetition ends fog.
MOST_PLIES = {"tandem": 390, "fog": 8}


@dataclass
class Counts:
    """What all tables together have seen.

    Latencies in seconds: from sending a move to its `ok`, and to the frame with it at another player.
    """

    moves: int = 0
    answered_s: list[float] = field(default_factory=list)
    shown_s: list[float] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    reconnects: int = 0
    gaps: int = 0

    def error(self, what: str) -> None:
        self.errors[what] = self.errors.get(what, 0) + 1


class Table:
    """One match of `variant` and its players, spectators and scripted moves; a new match when one is full."""

    def __init__(
        self,
        url: str,
        variant: str,
        counts: Counts,
        session: aiohttp.ClientSession,
        dice: random.Random,
        most_plies: int | None = None,
    ) -> None:
        self._url = url
        self._variant = variant
        self._counts = counts
        self._session = session
        self._dice = dice
        self._most_plies = min(most_plies or 1000, MOST_PLIES[variant])
        self._over, self._table = False, ""
        self._boards = "AB" if variant == "tandem" else "A"
        self._sent_at_s: dict[tuple[str, int], float] = {}
        self._started = asyncio.Event()
        self.players: list[Player] = []
        self.spectators: list[Player] = []

    async def sit(self) -> None:
        """Opens the players' websockets."""
        for _ in range(2 * len(self._boards)):
            player = Player(self._url, self._frame)
            await player.open(self._session)
            self.players.append(player)

    async def begin(self, public: bool = False) -> None:
        """A new table, all seats taken; returns when its match has started."""
        self._started.clear()
        self._over, self._table = False, ""
        time_control = LONG if self._variant == "tandem" else None
        settings = {"variant": self._variant, "public": public} | (
            {"time": time_control} if time_control else {}
        )
        made = await self.players[0].ask("create_table", **settings)
        table = made.table if isinstance(made.table, str) else str(made.table["table"])  # type: ignore[index]
        self._table = table
        for seat, player in enumerate(self.players):
            taken = await player.ask("take_seat", table=table, seat=seat, name=f"Player {seat}")
            player.table, player.token = table, taken.token
        async with asyncio.timeout(60):
            await self._started.wait()

    async def watch(self) -> None:
        """One more spectator."""
        spectator = Player(self._url, self._frame)
        spectator.table = self.players[0].table
        await spectator.open(self._session)
        await spectator.ask("join", table=spectator.table)
        self.spectators.append(spectator)

    async def play(self, pace_s: float, until_s: float, reconnect_share: float) -> None:
        """All boards until the monotonic instant; a move is `pace_s` after the former one of its board."""
        while time.monotonic() < until_s:
            await asyncio.gather(
                *(self._play(board, pace_s, until_s, reconnect_share) for board in self._boards)
            )
            if time.monotonic() < until_s:
                await self._resign()
                await self._begin_anew()

    async def _begin_anew(self) -> None:
        try:
            await self.begin()
        except (Refused, Gone, TimeoutError) as error:
            self._counts.error(f"begin {str(error) or type(error).__name__}")
            await asyncio.sleep(1.0)

    async def _play(self, board: str, pace_s: float, until_s: float, reconnect_share: float) -> None:
        due_s = time.monotonic() + self._dice.random() * pace_s
        for ply in range(self._most_plies):
            await asyncio.sleep(max(0.0, min(due_s, until_s) - time.monotonic()))
            if time.monotonic() >= until_s:
                return
            due_s = max(due_s + pace_s, time.monotonic())
            player = self.players[2 * self._boards.index(board) + ply % 2]
            if self._dice.random() < reconnect_share:
                await self._reconnect(player)
            if not await self._move(player, board, ply):
                return

    async def _move(self, player: Player, board: str, ply: int) -> bool:
        uci = scripted(self._variant, board, ply)
        began_s = self._sent_at_s[board, ply + 1] = time.perf_counter()
        try:
            await player.ask("move", board=board, ply=ply, uci=uci)
        except Refused as refused:
            self._counts.error(str(refused))
            return False
        except (Gone, TimeoutError) as error:
            self._counts.error(type(error).__name__)
            return False
        self._counts.answered_s.append(time.perf_counter() - began_s)
        self._counts.moves += 1
        return True

    async def _resign(self) -> None:
        try:
            self._over = (
                True  # counted here: the frame of the end may come when the next table is open already
            )
            await self.players[0].ask("resign")
            self._counts.ended["resignation"] = self._counts.ended.get("resignation", 0) + 1
        except (Refused, Gone, TimeoutError) as error:
            self._counts.error(f"resign {str(error) or type(error).__name__}")

    async def _reconnect(self, player: Player) -> None:
        try:
            await player.again()
            self._counts.reconnects += 1
        except (Refused, Gone, TimeoutError, aiohttp.ClientError) as error:
            self._counts.error(f"reconnect {str(error) or type(error).__name__}")

    def _frame(self, player: Player, seen: Seen, at_s: float) -> None:
        if seen.table != self._table:  # of the match before
            return
        if seen.result is not None and not self._over:
            self._over = True
            reason = str(seen.result.get("reason"))
            self._counts.ended[reason] = self._counts.ended.get(reason, 0) + 1
        if seen.t == "full":
            self._started.set()
            return
        for move in seen.moves:
            sent_s = self._sent_at_s.get((move.board, move.ply))
            seat = 2 * self._boards.index(move.board) + (move.ply - 1) % 2
            if sent_s is not None and (player in self.spectators or player is not self.players[seat]):
                self._counts.shown_s.append(at_s - sent_s)

    async def leave(self) -> None:
        for player in (*self.players, *self.spectators):
            self._counts.gaps += player.gaps
            with suppress(aiohttp.ClientError, ConnectionError):
                await player.close()
