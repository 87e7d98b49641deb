"""Times in which nobody could move (T-outage), as this replica finds them in the store."""

from __future__ import annotations

from libs.runtime.logs import get_logger
from services.game.metrics import GameMetrics
from services.game.store import Pulse

LATELY_S = 60.0
log = get_logger()


class Outages:
    """What every look at a shard tells of its outages, whoever has ended them. All replicas show the same."""

    def __init__(self, metrics: GameMetrics) -> None:
        self._metrics = metrics
        self._ended_at_s: dict[int, float] = {}
        self._told: dict[int, int] = {}

    def note(self, shard: int, pulse: Pulse, now_s: float) -> None:
        """Take a look at a shard; ``now_s`` is Unix time."""
        self._metrics.stopped_seconds.labels(str(shard)).set(pulse.stopped_us / 1e6)
        if pulse.outage is None:
            return
        began_us, lasted_us = pulse.outage
        # Shard time stands still in an outage, so that what has passed since it began passed after its end.
        since_s = (pulse.now_us - began_us) / 1e6
        self._ended_at_s[shard] = now_s - since_s
        self._metrics.last_outage.set(max(self._ended_at_s.values()))
        if 0 < since_s < LATELY_S and self._told.get(shard) != began_us:
            self._told[shard] = began_us
            log.warning("outage_ended", shard=shard, lasted_ms=lasted_us // 1000)
