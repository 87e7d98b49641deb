"""Finished matches, carried from the store to the archive, and forgotten there when their time has come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchResponse
from libs.archive.archive import Archive, ArchiveError, Entry
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from libs.wire.raw import is_readable
from services.game.metrics import GameMetrics
from services.game.referee import Referee
from services.game.settings import GameSettings
from services.game.store import Store
from services.game.whole import nameless, to_archive

MOST = 64
"""Matches of a shard taken in one go; the rest waits in the store for the next one."""
TEND_EVERY_S = 600.0
log = get_logger()


class Archiving:
    """Every replica does it, for all shards: at worst two of them write the same match.

    A match stays listed in the store until the archive has it on its disk, and the store keeps it for that
    (``archive_wait_ms``), so that nothing is lost while the archive is away.
    """

    def __init__(
        self,
        store: Store,
        referee: Referee,
        archive: Archive,
        settings: GameSettings,
        metrics: GameMetrics,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._store = store
        self._referee = referee
        self._archive = archive
        self._settings = settings
        self._metrics = metrics
        self._clock_ms = clock_ms

    async def run(self) -> None:
        """Carry matches until cancelled."""
        while True:
            try:
                await self._carry()
            except (ArchiveError, Refusal) as error:
                self._metrics.archive_failures.inc()
                log.warning("not_archived", error=str(error))
            await asyncio.sleep(self._settings.archive_every_ms / 1000)

    async def tend(self) -> None:
        """Forget names and whole matches that are too old, until cancelled."""
        while True:
            try:
                await self.forget()
            except ArchiveError as error:
                self._metrics.not_forgotten.inc()
                log.error("not_forgotten", error=str(error))
            await asyncio.sleep(TEND_EVERY_S)

    async def get(self, match_id: str) -> GetMatchResponse:
        """A match that the store has no more. Raises Refusal: unknown_match, unavailable."""
        try:
            entry = await self._archive.get(match_id)
        except ArchiveError as error:
            log.warning("archive_unavailable", error=str(error))
            raise Refusal("unavailable") from error
        if entry is None:
            raise Refusal("unknown_match")
        self._metrics.archive_reads.inc()
        too_old = entry.ended_at_ms < self._clock_ms() - self._settings.names_keep_ms
        match = GetMatchResponse.FromString(nameless(entry.body) if too_old else entry.body)
        if not is_readable(match.state):
            raise Refusal("unavailable", "A newer version of the service has this match.")
        return match

    async def forget(self) -> None:
        """Let go of what has had its time. Raises ArchiveError."""
        now_ms = self._clock_ms()
        while entries := await self._archive.named_before(now_ms - self._settings.names_keep_ms, MOST):
            for entry in entries:
                await self._archive.put(Entry(entry.match_id, entry.ended_at_ms, False, nameless(entry.body)))
        if self._settings.archive_keep_ms:
            await self._archive.forget_before(now_ms - self._settings.archive_keep_ms)
        await self._archive.scrub()

    async def _carry(self) -> None:
        """Archive what waits."""
        waiting, count = await self._store.ended(MOST)
        self._metrics.archive_waiting.set(count)
        for match_id in waiting:
            ended_ago_ms = 0
            try:
                reading = await self._referee.read(match_id, whole=True)
            except Refusal as refusal:
                if refusal.reason != "unknown_match":
                    raise
                log.error("match_gone_before_archived", match_id=match_id)
                self._metrics.archive_lost.inc()
            else:
                ended_ago_ms = reading.ended_ago_ms
                ended_at_ms = self._clock_ms() - ended_ago_ms
                await self._archive.put(Entry(match_id, ended_at_ms, True, to_archive(reading)))
                self._metrics.archived.inc()
            await self._store.note_archived(match_id, ended_ago_ms)
