"""One beat for the loops that look at the store, so that what they ask travels together."""

from __future__ import annotations

import asyncio

CALM_AFTER_S = 2.0
CALM_TIMES = 5
"""Where nothing has happened for a while the beat is so many times slower: what another replica has begun is
found so much later, should that replica die."""


class Rhythm:
    """Wakes all who wait at once, at most ``every_ms`` after any of them began to wait; in a calm later."""

    def __init__(self, every_ms: int) -> None:
        self._every_s = every_ms / 1000
        self._loop = asyncio.get_running_loop()
        self._stirred_s = self._loop.time()
        self._beat: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def stir(self) -> None:
        """Something has happened here: whoever waits looks soon, and more often for a while."""
        self._stirred_s = self._loop.time()
        if self._timer is not None and self._timer.when() > self._stirred_s + self._every_s:
            self._timer.cancel()
            self._timer = self._loop.call_later(self._every_s, self._give)

    async def wait(self, at_most_s: float | None = None) -> None:
        """Wait for the next beat; no longer than ``at_most_s``, if that is given."""
        if self._beat is None:
            self._beat = self._loop.create_future()
            calm = self._loop.time() - self._stirred_s > CALM_AFTER_S
            self._timer = self._loop.call_later(self._every_s * (CALM_TIMES if calm else 1), self._give)
        await asyncio.wait([self._beat], timeout=at_most_s)

    def _give(self) -> None:
        beat, self._beat, self._timer = self._beat, None, None
        if beat is not None:
            beat.set_result(None)
