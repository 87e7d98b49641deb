"""How many tables there are and who plays: counted in the store with each change, told by one replica."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from libs.store.connect import StoreClient
from services.matchmaking import scripts
from services.matchmaking.keys import SHARDS, bots_key, census_key, counts_key
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.store import answered
from services.matchmaking.terms import SEATS

EVERY_S = 1.0
LEASE_MS = 3_000
STATES = ("open", "countdown", "starting", "started")
KINDS = ("human", "bot")
log = get_logger()


class Census:
    """The replica that holds the lease shows the numbers; the others show nothing, so that they add up."""

    def __init__(self, client: StoreClient, replica: str, metrics: MatchmakingMetrics) -> None:
        self._client = client
        self._replica = replica
        self._metrics = metrics

    async def run(self) -> None:
        """Count until cancelled."""
        while True:
            try:
                self._show(*await self._look())
            except Refusal as refusal:
                log.warning("census_failed", reason=refusal.reason)
                self._show(Counter(), 0)
            await asyncio.sleep(EVERY_S)

    async def _look(self) -> tuple[Counter[str], int]:
        """The counts by name and the bot seats that nobody plays; nothing unless the lease is ours."""
        client: Any = self._client
        if not await answered(client.eval(scripts.TAKE_CENSUS, 1, census_key(), self._replica, LEASE_MS)):
            return Counter(), 0
        pipeline: Any = self._client.pipeline(transaction=False)
        for shard in SHARDS:
            pipeline.eval(scripts.COUNTS, 2, counts_key(shard), bots_key(shard))
        found: Counter[str] = Counter()
        waiting = 0
        for unplayed, flat in await answered(pipeline.execute()):
            waiting += int(unplayed)
            for name, number in zip(flat[::2], flat[1::2], strict=True):
                found[name.decode()] += int(number)
        return found, waiting

    def _show(self, found: Counter[str], waiting: int) -> None:
        self._metrics.seats_waiting.set(waiting)
        for variant in SEATS:
            for state in STATES:
                self._metrics.tables_now.labels(variant, state).set(found[f"{variant}:{state}"])
            for kind in KINDS:
                self._metrics.seats_now.labels(variant, kind).set(found[f"{variant}:{kind}"])
