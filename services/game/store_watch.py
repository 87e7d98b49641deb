"""What the store says of its own state, for who watches the service. Every replica says the same."""

from __future__ import annotations

import asyncio
from typing import Any

from redis.exceptions import RedisError

from libs.runtime.logs import get_logger
from libs.store.connect import StoreClient, infos
from services.game.metrics import GameMetrics
from services.game.scripts import ANSWER_WITHIN_S

EVERY_S = 2.0
# The store's own names of what is shown as it is.
SHOWN = {
    "memory_bytes": "used_memory",
    "memory_limit_bytes": "maxmemory",
    "clients": "connected_clients",
    "commands_per_second": "instantaneous_ops_per_sec",
    "aof_bytes": "aof_current_size",
    "aof_delayed_syncs": "aof_delayed_fsync",
    "replicas": "connected_slaves",
}
log = get_logger()


def figures(info: dict[str, Any]) -> dict[str, float]:
    """A node's figures by their names here; 0 for what it does not say."""
    found = {name: float(info.get(theirs, 0)) for name, theirs in SHOWN.items()}
    found["keys"] = float(sum(entry["keys"] for name, entry in info.items() if name.startswith("db")))
    found["aof_enabled"] = float(info.get("aof_enabled", 0))
    good = all(info.get(f"aof_last_{step}_status", "ok") == "ok" for step in ("write", "bgrewrite"))
    found["aof_ok"] = float(good)
    return found


class StoreWatch:
    """Asks every now and then."""

    def __init__(self, client: StoreClient, metrics: GameMetrics) -> None:
        self._client = client
        self._metrics = metrics

    async def run(self) -> None:
        """Ask until cancelled."""
        while True:
            try:
                async with asyncio.timeout(ANSWER_WITHIN_S):
                    nodes = await infos(self._client)
            except (RedisError, OSError) as error:
                log.warning("store_silent", error=type(error).__name__)
                self._metrics.store_up.set(0)
            else:
                self._metrics.store_up.set(1)
                self._metrics.store_figures.clear()
                for number, info in enumerate(nodes):
                    for name, value in figures(info).items():
                        self._metrics.store_figures.labels(str(number), name).set(value)
            await asyncio.sleep(EVERY_S)
