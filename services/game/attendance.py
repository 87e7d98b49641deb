"""Whether any gateway is there to take moves, as this replica hears them say (T-outage)."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.game.keys import SHARDS, shard_keys
from services.game.store import Store

LATE_MS = 2_000
"""A gateway that attests may be so late, as under load, before it counts as one that hangs."""
ANSWERED_WITHIN_S = 0.25
log = get_logger()


class Attendance:
    """The gateways' streams to this replica, and when it last heard of one."""

    def __init__(self, store: Store, gateway_silence_ms: int) -> None:
        self._store = store
        self._gateway_silence_ms = gateway_silence_ms
        self._heard_at = -math.inf
        self._heard = asyncio.Event()
        self._asked = asyncio.Event()
        self._attending: Counter[bool] = Counter()  # gateways by whether they attest
        self._all_attest = False
        self._deserted = asyncio.Event()
        self._closed = False

    def hear(self) -> None:
        """A gateway takes moves at this moment."""
        self._heard_at = time.monotonic()
        self._heard.set()  # who waits goes on, and the next one waits anew
        self._heard.clear()

    def unmoved_ms(self) -> float:
        """How long ago somebody could last move, as far as is known; inf: nobody can now.

        Of a gateway that does not attest nothing is known between its reports but that it is not gone.
        """
        silent_ms = (time.monotonic() - self._heard_at) * 1000
        if not self._all_attest:
            return 0.0 if silent_ms < self._gateway_silence_ms else math.inf
        return silent_ms if silent_ms < LATE_MS else math.inf

    async def is_anybody_there(self, since_s: float) -> bool:
        """Whether a gateway takes moves after that instant (monotonic): all are asked, the first one answers.

        So no flag falls while all of them hang, or are late by more than a little: what a deadline comes to
        is looked at again when one is back, and time may have stood still since.
        """
        if not self._all_attest or self._heard_at >= since_s:
            return True
        self._ask()
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWERED_WITHIN_S):
                while self._heard_at < since_s:
                    await self._heard.wait()
        return self._heard_at >= since_s

    def _ask(self) -> None:
        """Wake all streams; one that is just being written to sees the next question."""
        asked, self._asked = self._asked, asyncio.Event()
        asked.set()

    @contextmanager
    def attended(self, attests: bool) -> Iterator[None]:
        """A gateway holds a stream to this replica. With the last one gone, no report is a sign of life."""
        self._attending[attests] += 1
        self._all_attest = not self._attending[False]
        try:
            yield
        finally:
            self._attending[attests] -= 1
            if self._attending.total():
                self._all_attest = not self._attending[False]
            elif not self._closed:
                self._deserted.set()

    async def questions(self) -> AsyncIterator[None]:
        """Each time that a gateway is to attest at once, until this replica drains."""
        while not self._closed:
            await self._asked.wait()
            if not self._closed:
                yield

    async def close(self) -> None:
        """End the gateways' streams: they have other replicas."""
        self._closed = True
        self._ask()

    async def stand_still(self) -> None:
        """Stop the time whenever no gateway is left, until cancelled; a gateway's report lets it go on."""
        while True:
            await self._deserted.wait()
            self._deserted.clear()
            log.warning("no_gateway_left")
            unmoved_ms = self.unmoved_ms()
            self._heard_at = -math.inf
            stopped = (self._store.stop_time(shard_keys(shard), unmoved_ms) for shard in SHARDS)
            if any(
                isinstance(said, Refusal) for said in await asyncio.gather(*stopped, return_exceptions=True)
            ):
                log.warning("time_not_stopped")  # it stops by itself without beats, only later
