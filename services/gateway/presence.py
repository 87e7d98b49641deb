"""Which seats have connections here, reported to who owns them: matchmaking before the start, then game.

A change is reported at once and everything every few seconds; the latter is also this gateway's sign of
life, without which game lets the clocks stand still (T-outage).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable

from gen.tandemfog.game.v1 import game_pb2 as game
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from gen.tandemfog.types.v1 import types_pb2 as types
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.gateway.backends import Backends, ask
from services.gateway.metrics import GatewayMetrics

COMPLETE_EVERY_S = 5.0
RETRY_S = 0.5
TIMEOUT_S = 2.0
SeatName = tuple[str, int]
"""A table and a seat of it."""
log = get_logger()


class Presence:
    """The seats that are connected through this gateway, with their numbers of connections."""

    def __init__(self, gateway_id: str, backends: Backends, metrics: GatewayMetrics) -> None:
        self._gateway_id = gateway_id
        self._backends = backends
        self._failures = metrics.presence_failures
        self._counts: Counter[SeatName] = Counter()
        self._started: set[str] = set()
        self._changed: set[SeatName] = set()
        self._game_news = asyncio.Event()
        self._table_news = asyncio.Event()
        self._frozen = False

    def arrive(self, table_id: str, seat: int) -> None:
        self._counts[table_id, seat] += 1
        self._note(table_id, seat)

    def depart(self, table_id: str, seat: int) -> None:
        self._counts[table_id, seat] -= 1
        self._note(table_id, seat)
        if not self._counts[table_id, seat]:
            del self._counts[table_id, seat]

    def note_started(self, table_id: str) -> None:
        """The table's seats are game's from now on."""
        if table_id not in self._started:
            self._started.add(table_id)
            for table, seat in self._counts:
                if table == table_id:
                    self._note(table, seat)

    @property
    def frozen(self) -> bool:
        """Whether the gateway is about to stop."""
        return self._frozen

    def appear(self) -> None:
        """A game replica has just met this gateway: it is told at once that we take moves."""
        self._game_news.set()

    def freeze(self) -> None:
        """Reports no more: the gateway is about to stop, and its browsers come back through another one.

        What was reported last becomes void by itself, so nobody is shown offline for changing gateways.
        """
        self._frozen = True

    def _note(self, table_id: str, seat: int) -> None:
        self._table_news.set()
        if table_id in self._started:
            self._changed.add((table_id, seat))
            self._game_news.set()

    async def report_to_game(self) -> None:
        """Runs until cancelled."""
        await self._report("game", self._game_news, self._tell_game)

    async def report_to_matchmaking(self) -> None:
        """Runs until cancelled."""
        await self._report("matchmaking", self._table_news, self._tell_matchmaking)

    async def _report(
        self, peer: str, news: asyncio.Event, tell: Callable[[bool], Awaitable[object]]
    ) -> None:
        loop = asyncio.get_running_loop()
        complete_at = loop.time()
        while True:
            try:
                async with asyncio.timeout_at(complete_at):
                    await news.wait()
            except TimeoutError:
                pass
            news.clear()
            complete = loop.time() >= complete_at
            if self._frozen:
                complete_at = loop.time() + COMPLETE_EVERY_S
                continue
            try:
                await tell(complete)
                if complete:
                    complete_at = loop.time() + COMPLETE_EVERY_S
            except Refusal as refusal:
                self._failures.labels(peer).inc()
                log.warning("presence_not_heard", peer=peer, reason=refusal.reason)
                complete_at = loop.time()
                await asyncio.sleep(RETRY_S)

    def _seats(self, names: Iterable[SeatName]) -> list[types.SeatPresence]:
        return [
            types.SeatPresence(match_id=table_id, seat=seat, connections=self._counts[table_id, seat])
            for table_id, seat in names
        ]

    async def _tell_game(self, complete: bool) -> None:
        # Those that have just gone are named, too: game may have taken them for present without any report.
        named, self._changed = self._changed, set()
        if complete:
            self._started &= {table_id for table_id, _ in self._counts}
            named |= {name for name in self._counts if name[0] in self._started}
        request = game.ReportPresenceRequest(
            gateway_id=self._gateway_id, seats=self._seats(named), complete=complete
        )
        try:
            await ask(
                self._backends.game,
                self._gateway_id,
                lambda stub: stub.ReportPresence,
                request,
                timeout_s=TIMEOUT_S,
                patience_ms=0,
            )
        except Refusal:
            self._changed |= named
            raise

    async def _tell_matchmaking(self, _complete: bool) -> None:
        """Always everything: these are few, and matchmaking asks for no less."""
        named = [name for name in self._counts if name[0] not in self._started]
        request = matchmaking.ReportPresenceRequest(gateway_id=self._gateway_id, seats=self._seats(named))
        await ask(
            self._backends.matchmaking,
            self._gateway_id,
            lambda stub: stub.ReportPresence,
            request,
            timeout_s=TIMEOUT_S,
            patience_ms=0,
        )
