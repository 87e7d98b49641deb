"""The sweep: looks at the tables whose time has come."""

from __future__ import annotations

import asyncio

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.matchmaking.life import due_at, tick
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.queue import Queue
from services.matchmaking.rematching import Rematches
from services.matchmaking.rhythm import Rhythm
from services.matchmaking.settings import MatchmakingSettings
from services.matchmaking.start import Matches
from services.matchmaking.store import LIFETIME_MS, Loaded, Store
from services.matchmaking.table import Limits

log = get_logger()
AT_ONCE = 32
"""Tables that one replica works on at a time: each may wait for game."""
SHORTEST_SLEEP_S = 0.005


class Sweep:
    """Every replica sweeps; a due table is taken by one of them, and by another when that one dies."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        rematches: Rematches,
        queue: Queue,
        rhythm: Rhythm,
        metrics: MatchmakingMetrics,
        limits: Limits,
        settings: MatchmakingSettings,
    ) -> None:
        self._store = store
        self._matches = matches
        self._rematches = rematches
        self._queue = queue
        self._metrics = metrics
        self._limits = limits
        self._status_ms = settings.status_ms
        self._batch = settings.sweep_batch
        self._rhythm = rhythm
        self._room = asyncio.Semaphore(AT_ONCE)

    async def run(self) -> None:
        """Sweep until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                wait_ms = None
                try:
                    due, wait_ms = await self._store.take_due(self._batch)
                except Refusal as refusal:
                    log.warning("sweep_failed", reason=refusal.reason)
                else:
                    if due:
                        self._rhythm.stir()
                    for table_id in due:
                        await self._room.acquire()
                        group.create_task(self._look(table_id))
                await self._rhythm.wait(None if wait_ms is None else max(SHORTEST_SLEEP_S, wait_ms / 1000))

    async def _look(self, table_id: str) -> None:
        try:
            await self._do_due(table_id)
        except Refusal as refusal:
            log.warning("due_table_failed", table_id=table_id, reason=refusal.reason)
        except Exception:
            log.exception("due_table_failed", table_id=table_id)
        finally:
            self._room.release()

    async def _do_due(self, table_id: str) -> None:
        self._metrics.due.inc()
        before = await self._store.load(table_id)
        if before is None:
            await self._store.postpone(table_id, 0)
            return
        loaded = await self._store.change(
            table_id, lambda table, now_ms: tick(table, before.heard, now_ms, self._limits)
        )
        table = loaded.table
        if table.state == "starting" and loaded.now_ms >= table.starts_at_ms:
            await self._matches.start(table)
        elif table.state == "started" and not table.over:
            if await self._matches.note_end(table_id) is None:
                await self._store.postpone(table_id, self._status_ms)
        elif table.state == "closed" and table.tickets and not table.returned:
            await self._queue.give_back(table)
        elif table.rematch.next_table_id and not table.rematch.made:
            await self._rematches.make_next(table)
        elif loaded.table.version == before.table.version:
            await self._look_later(loaded)

    async def _look_later(self, loaded: Loaded) -> None:
        due = due_at(loaded.table, loaded.heard, loaded.now_ms, self._limits, self._status_ms)
        pause_ms = LIFETIME_MS if due is None else max(0, due - loaded.now_ms)
        await self._store.postpone(loaded.table.table_id, pause_ms)
