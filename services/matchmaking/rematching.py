"""A rematch from the first agreement to the next table (B-rematch), with the store and game."""

from __future__ import annotations

from libs.runtime.refusals import Refusal
from services.matchmaking.issuer import Issuer
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.rematch import next_table, next_table_made, set_rematch
from services.matchmaking.sitting import Sitting
from services.matchmaking.start import Matches
from services.matchmaking.store import Loaded, Store
from services.matchmaking.table import Limits, Table


class Rematches:
    """What the people of a finished table agree on."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        sitting: Sitting,
        issuer: Issuer,
        metrics: MatchmakingMetrics,
        limits: Limits,
    ) -> None:
        self._store = store
        self._sitting = sitting
        self._matches = matches
        self._issuer = issuer
        self._metrics = metrics
        self._limits = limits

    async def set(self, table_id: str, seat: int, agree: bool, rotate: bool) -> Loaded:
        """Note a person's word, and make the next table when it was the last one needed."""
        loaded = await self._store.need(table_id)
        if loaded.table.state == "started" and not loaded.table.over:
            over = await self._matches.is_over(table_id)
            if over is None:
                raise Refusal("unavailable")
            if over:
                await self._matches.note_end(table_id)
        next_id = self._issuer.next_table_id(table_id)
        loaded = await self._store.change(
            table_id,
            lambda table, now_ms: set_rematch(table, seat, agree, rotate, next_id, now_ms, self._limits),
        )
        if loaded.table.rematch.next_table_id and not loaded.table.rematch.made:
            return await self.make_next(loaded.table)
        return loaded

    async def make_next(self, table: Table) -> Loaded:
        """Make the agreed table, then tell of it; may be repeated."""
        now_ms = await self._store.now_ms()
        made = next_table(table, now_ms, self._limits)
        if await self._store.load(made.table_id) is None:
            people = {seat.guest_id for seat in made.seats if seat.kind == "human"}
            await self._sitting.stand_up(people, made.table_id)
            await self._store.create(made, now_ms)
        self._metrics.tables.labels("rematch").inc()
        return await self._store.change(table.table_id, lambda table, _: next_table_made(table))
