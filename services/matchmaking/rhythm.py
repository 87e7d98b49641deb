"""One beat for the loops that look at the store, so that what they ask travels together."""

from __future__ import annotations

import asyncio


class Rhythm:
    """Wakes all who wait at once, at most ``every_ms`` after any of them began to wait."""

    def __init__(self, every_ms: int) -> None:
        self._every_s = every_ms / 1000
        self._beat: asyncio.Future[None] | None = None

    async def wait(self, at_most_s: float | None = None) -> None:
        """Wait for the next beat; no longer than ``at_most_s``, if that is given."""
        if self._beat is None:
            loop = asyncio.get_running_loop()
            self._beat = loop.create_future()
            loop.call_later(self._every_s, self._give, self._beat)
        await asyncio.wait([self._beat], timeout=at_most_s)

    def _give(self, beat: asyncio.Future[None]) -> None:
        self._beat = None
        beat.set_result(None)
