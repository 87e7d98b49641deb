"""Two games played at once through the gateway, and what each of their viewers was sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import msgspec

from tests.secrecy.contents import Leaf, contents
from tests.secrecy.onlooker import PATIENCE_S, NotInTime, Onlooker
from tests.secrecy.plan import Command, Plan
from tests.secrecy.records import Difference, Record, compare
from tests.secrecy.stage import BotSeat, Stage
from tests.secrecy.tab import Tab

WATCHERS = count(1)
TIME: dict[str, Any] = {"time": {"initial_ms": 180_000, "increment_ms": 2_000}}
VIEWERS = ("first tab", "second tab", "spectator", "bot")


class TableList(msgspec.Struct):
    """A list of tables, each as its bytes."""

    tables: list[msgspec.Raw]


_list = msgspec.json.Decoder(TableList)


@dataclass(frozen=True)
class Played:
    """A pair played once: what was not the same, byte by byte, and each game's records by viewer."""

    plan: Plan
    differences: list[Difference]
    records: tuple[dict[str, Record], dict[str, Record]]

    def said(self, game: int) -> set[Leaf]:
        """All that the viewers of one of the games were told."""
        return {leaf for viewer, record in self.records[game].items() for leaf in contents(viewer, record)}


class Game:
    """One game of a pair. Its tabs stay open for the next: the seats', the viewer's second, a stranger's."""

    def __init__(self, stage: Stage, tabs: list[Tab], number: int) -> None:
        self._stage = stage
        self._seats, self._second, self._spectator = tabs[:2], tabs[2], tabs[3]
        self._number = number
        self.patience_s = PATIENCE_S
        self.table = ""
        self._played = 0
        self._viewer: int | None = None
        self._spectated = False
        self.records: dict[str, Record] = {}
        self._bot: BotSeat | None = None

    @staticmethod
    async def open(stage: Stage, number: int) -> Game:
        """A place for games, the first or the second of pairs."""
        return Game(stage, [await stage.tab() for _ in range(4)], number)

    async def close(self) -> None:
        for tab in (*self._seats, self._second, self._spectator):
            await tab.close()

    @property
    def _watching(self) -> list[Onlooker]:
        """Those whose frames count, as far as the plan has them."""
        return [*self._own, *([self._spectator] if self._spectated else [])]

    @property
    def _own(self) -> list[Onlooker]:
        """Those who see what the viewer's seat sees."""
        if self._viewer is None:
            return []
        own: list[Onlooker] = [self._seats[self._viewer], self._second]
        return own if self._bot is None else [*own, self._bot]

    async def start(self, plan: Plan) -> None:
        """Fills a table, and lets everybody look on."""
        twins = plan.twins
        self._viewer, self._spectated = twins.viewer, plan.spectated
        self._played += 1
        name = f"{twins.seed:06}-{self._played:05}"  # request ids are a guest's only once
        maker = self._seats[0]
        for tab in (*self._seats, self._second, self._spectator):
            tab.begin(Record(""), f"{name}m")
        self.records = {viewer: Record("") for viewer in VIEWERS}
        made = await maker.ask("create_table", variant="fog", public=True, **(TIME if plan.clocked else {}))
        if made["t"] != "ok":
            raise NotInTime(f"no table: {made}")
        self.table = made["table"]
        self.records = {viewer: Record(self.table) for viewer in VIEWERS}
        self._stage.start_fens[self.table] = twins.fen
        self._stage.leaks[self.table] = plan.leak
        owners = {self._spectator: "spectator"} if plan.spectated else {}
        if self._viewer is not None:
            owners |= {self._seats[self._viewer]: "first tab", self._second: "second tab"}
        for tab in (*self._seats, self._second, self._spectator):
            record = self.records[owners[tab]] if tab in owners else Record(self.table)
            tab.begin(record, f"{name}{'k' if tab in owners else 'h'}")
        for seat, tab in enumerate(self._seats):
            await tab.ask("take_seat", table=self.table, seat=seat, name=f"Player {seat}")
        for tab in self._seats:
            await tab.until(lambda tab: tab.fulls > 0)
        if self._viewer is not None:
            await self._join_second(plan)
        if plan.worked:
            self._bot = BotSeat(next(WATCHERS), self.table, self._second.token, self.records["bot"])
            self._stage.watching.watch(self._bot)
            await self._bot.until(lambda bot: bot.ply >= 0)
        if plan.spectated:
            await self._spectator.ask("join", table=self.table)
            await self._spectator.until(lambda tab: tab.fulls > 0)

    async def _join_second(self, plan: Plan) -> None:
        """The viewer's other tab, which from now on acts for the seat."""
        assert self._viewer is not None
        first = self._seats[self._viewer]
        if plan.by_token:
            await self._second.ask("join", table=self.table, token=first.token)
        else:
            await self._second.close()
            self._second.cookie = first.cookie
            await self._second.open()
            await self._second.ask("join", table=self.table)
        await self._second.until(lambda tab: tab.fulls > 0)

    def _hand(self, seat: int) -> Tab:
        """Who acts for a seat."""
        return self._second if seat == self._viewer else self._seats[seat]

    async def step(self, plan: Plan, ply: int) -> None:
        """Everything up to and with the move of this ply, until all have been shown it."""
        await self._beside(plan, ply)
        uci = plan.twins.moves[ply][self._number]
        answer = await self._hand(ply % 2).ask("move", board="A", ply=ply, uci=uci)
        if answer["t"] != "ok":
            raise NotInTime(f"refused: {answer}")
        for watcher in self._watching:
            await watcher.until(lambda watcher: watcher.ply > ply, self.patience_s)

    async def _beside(self, plan: Plan, ply: int) -> None:
        for command in plan.asked.get(ply, ()):
            answer = await self._second.ask(**command)
            await self._told(answer.get("version", 0))
        if self._number == 1:
            for command in plan.attempts.get(ply, ()):
                await self._try(plan, ply, command)
            if plan.offline == ply:
                await self._leave_and_return(self._seats[ply % 2])
        for page in plan.pages.get(ply, ()):
            await self._look_at(page)
        if ply in plan.returns:
            await self._return(ply)

    async def _told(self, version: int) -> None:
        """Waits until the viewer has the frame of a change; else the next full view may swallow it."""
        for watcher in self._own:
            await watcher.until(lambda watcher: watcher.version >= version, self.patience_s)

    async def _try(self, plan: Plan, ply: int, command: Command) -> None:
        """Somebody else's command, of which the viewer is to notice nothing."""
        seat = ply % 2 if plan.twins.viewer is None else 1 - plan.twins.viewer
        answer = await self._seats[seat].ask(**command)
        assert answer["t"] == ("ok" if command["t"] == "offer_draw" else "error"), (command, answer)

    async def _leave_and_return(self, tab: Tab) -> None:
        """A seat's only connection goes, the other seat is told, and it comes back."""
        other = self._seats[1 - self._seats.index(tab)]
        await tab.close()
        await other.until(lambda other: _shows_somebody_away(other) is True)
        await tab.open()
        await tab.ask("join", table=self.table, token=tab.token)
        await other.until(lambda other: _shows_somebody_away(other) is False)

    async def _look_at(self, page: str) -> None:
        """A page of the table by HTTP, or the table in a list, as the seat's holder or as the spectator."""
        viewer, tab = ("spectator", self._spectator) if self._viewer is None else ("second tab", self._second)
        record = self.records[viewer]
        if page == "list_tables":
            await tab.ask("list_tables", kept=False)
            record.add("http", self._entry(tab.answer))
            return
        path = {"list": "", "table": f"/{self.table}"}.get(page, f"/{self.table}/{page}")
        status, headers, body = await self._stage.get(f"/api/tables{path}", tab.cookie)
        if page == "list":
            headers.pop("Content-Length")  # that of all tables together
            body = self._entry(body)
        record.add("http", json.dumps([status, headers]).encode() + body)

    def _entry(self, body: bytes) -> bytes:
        """This game's table in a list of all."""
        (entry,) = (bytes(raw) for raw in _list.decode(body).tables if self.table.encode() in bytes(raw))
        return entry

    async def _return(self, ply: int) -> None:
        """The viewer's acting tab, or the spectator, is opened anew and takes a full view."""
        tab = self._spectator if self._viewer is None else self._second
        await tab.close()
        tab.ply, tab.fulls = -1, 0
        await tab.open()
        token: dict[str, Any] = {} if self._viewer is None else {"token": tab.token}
        await tab.ask("join", table=self.table, **token)
        await tab.until(lambda tab: tab.ply >= ply, self.patience_s)

    async def finish(self, plan: Plan) -> None:
        """Once more a full view for everybody, then the end, after which nothing is hidden any more."""
        await self._return(len(plan.twins.moves))
        answer = await self._hand(plan.resigns).ask("resign", kept=False)
        if answer["t"] != "ok":
            raise NotInTime(f"refused: {answer}")
        for watcher in self._watching:
            await watcher.until(lambda watcher: watcher.record.over, self.patience_s)

    def end(self) -> None:
        """Nobody looks on any more."""
        if self._bot is not None:
            self._stage.watching.leave(self._bot)
            self._bot = None


def _shows_somebody_away(tab: Onlooker) -> bool | None:
    """By the last frame about the seats, None before the first."""
    about_seats = [message for message in tab.record.channels["match"] if b'"seats":' in message]
    return b'"online":false' in about_seats[-1] if about_seats else None


class Pair:
    """A place where one pair of games after the other is played."""

    def __init__(self, games: tuple[Game, Game]) -> None:
        self._games = games
        self._plan: Plan | None = None
        self._late = ""  # what did not come, if anything

    @staticmethod
    async def open(stage: Stage) -> Pair:
        return Pair((await Game.open(stage, 0), await Game.open(stage, 1)))

    async def close(self) -> None:
        for game in self._games:
            await game.close()

    @property
    def is_broken(self) -> bool:
        """Whether something did not come, so that nobody knows in which state the tabs are."""
        return bool(self._late)

    async def start(self, plan: Plan, patience_s: float = PATIENCE_S) -> None:
        self._plan, self._late = plan, ""
        for game in self._games:
            game.patience_s = patience_s
        await self._both(game.start(plan) for game in self._games)

    async def step(self, ply: int) -> None:
        """The ply's moves of both games; nothing when they are shorter, or when something is missing."""
        plan = self._plan
        assert plan is not None
        if ply < len(plan.twins.moves) and not self._late:
            await self._both(game.step(plan, ply) for game in self._games)

    async def finish(self) -> Played:
        """The end of both games; what was not the same in them."""
        plan = self._plan
        assert plan is not None
        if not self._late:
            await self._both(game.finish(plan) for game in self._games)
        for game in self._games:
            game.end()
        found = [
            difference
            for viewer in VIEWERS
            for difference in compare(viewer, *(game.records[viewer] for game in self._games))
        ]
        if self._late and not found:
            found = [Difference("anybody", self._late, 0, None, None)]
        return Played(plan, found, (self._games[0].records, self._games[1].records))

    async def _both(self, work: Iterator[Any]) -> None:
        """Does the same in both games; what does not come is noted, and ends the pair."""
        for result in await asyncio.gather(*work, return_exceptions=True):
            if isinstance(result, NotInTime):
                self._late = str(result)
            elif isinstance(result, BaseException):
                raise result
