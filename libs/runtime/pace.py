"""A stream's pace: what comes after a while goes at once; under load what comes in a gap travels together.

A message of gRPC costs more than deciding a move, whatever is in it.
"""

from __future__ import annotations

import asyncio

GAP_S = 0.01
"""So long after a message the next one of its stream is sent at the earliest: at most a hundred a second."""


class Pace:
    """The turns of one sender, so far apart at least."""

    def __init__(self, gap_s: float = GAP_S) -> None:
        self._gap_s = gap_s
        self._next_at = 0.0

    async def turn(self) -> None:
        """Wait until the next message may be made of what has gathered: not at all after a pause."""
        loop = asyncio.get_running_loop()
        wait_s = self._next_at - loop.time()
        if wait_s > 0:
            await asyncio.sleep(wait_s)
        self._next_at = loop.time() + self._gap_s
