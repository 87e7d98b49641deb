"""How many tables there are and who plays: counted in the store with each change, told by one replica."""

from __future__ import annotations

import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import Mapping

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from libs.store.connect import asked_together
from libs.store.scripts import ScriptRunner
from services.matchmaking import scripts
from services.matchmaking.keys import SHARDS, bots_key, census_key, counts_key
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.terms import SEATS

EVERY_S = 1.0
LEASE_MS = 3_000
STATES = ("open", "countdown", "starting", "started")
KINDS = ("human", "bot")
UNKNOWN: Mapping[str, float] = defaultdict(lambda: math.nan)
log = get_logger()


class Census:
    """The replica that holds the lease shows the numbers; the others show 0, so that they add up.

    One that the store does not answer knows nothing and says so: NaN, where 0 would look like a calm evening.
    """

    def __init__(self, runner: ScriptRunner, replica: str, metrics: MatchmakingMetrics) -> None:
        self._runner = runner
        self._shards = asked_together(runner.client, SHARDS)
        self._replica = replica
        self._metrics = metrics

    async def run(self) -> None:
        """Count until cancelled."""
        while True:
            try:
                found, waiting = await self._look()
            except Refusal as refusal:
                log.warning("census_failed", reason=refusal.reason)
                self._metrics.store_up.set(0)
                self._show(UNKNOWN, math.nan)
            else:
                self._metrics.store_up.set(1)
                self._show(found, waiting)
            await asyncio.sleep(EVERY_S)

    async def _look(self) -> tuple[Counter[str], int]:
        """The counts by name and the bot seats that nobody plays; nothing unless the lease is ours."""
        keys = (
            [name(shard) for shard in shards for name in (counts_key, bots_key)] for shards in self._shards
        )
        # In one bundle: to count for nothing, without the lease, costs less than a second way to the store.
        is_ours, answers = await asyncio.gather(
            self._runner.run(scripts.TAKE_CENSUS, (census_key(),), (self._replica, LEASE_MS)),
            self._runner.run_each(scripts.COUNTS, ((each, ()) for each in keys)),
        )
        if not is_ours:
            return Counter(), 0
        found: Counter[str] = Counter()
        waiting = 0
        for unplayed, counts in answers:
            waiting += int(unplayed)
            for flat in counts:
                for name, number in zip(flat[::2], flat[1::2], strict=True):
                    found[name.decode()] += int(number)
        return found, waiting

    def _show(self, found: Mapping[str, float], waiting: float) -> None:
        self._metrics.seats_waiting.set(waiting)
        for variant in SEATS:
            for state in STATES:
                self._metrics.tables_now.labels(variant, state).set(found[f"{variant}:{state}"])
            for kind in KINDS:
                self._metrics.seats_now.labels(variant, kind).set(found[f"{variant}:{kind}"])
