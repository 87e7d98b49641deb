"""Deadlines noticed in time, and the beats that say that the service takes moves."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time

from libs.identity.ids import shard_of
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.game.attendance import Attendance
from services.game.keys import SHARDS, shard_keys
from services.game.metrics import GameMetrics
from services.game.outages import Outages
from services.game.presence import Presence
from services.game.referee import Referee
from services.game.rescue import Rescue
from services.game.settings import GameSettings
from services.game.store import Pulse, Store

AT_LEAST_MS = 1
RETRY_S = 0.2
AT_ONCE = 16
log = get_logger()


class Alarms:
    """When each shard is to be looked at next, by this process' monotonic clock."""

    def __init__(self) -> None:
        self._at_s = [math.inf] * len(SHARDS)
        self._earlier = [asyncio.Event() for _ in SHARDS]

    def expect(self, match_id: str, at_s: float) -> None:
        """A deadline has been set here: the shard is looked at then, if not before."""
        shard = shard_of(match_id)
        if at_s < self._at_s[shard]:
            self._at_s[shard] = at_s
            self._earlier[shard].set()

    async def wait(self, shard: int, until_s: float) -> None:
        """Wait until then, or less when something earlier is expected or comes to be meanwhile."""
        self._at_s[shard] = min(self._at_s[shard], until_s)
        while (left_s := self._at_s[shard] - time.monotonic()) > 0:
            self._earlier[shard].clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left_s):
                    await self._earlier[shard].wait()
        self._at_s[shard] = math.inf  # what is expected from now on, the next look may be too early to see


class Sweep:
    """Looks at every shard with each beat, and in between exactly when the next deadline passes.

    Deadlines that another replica has set become known with the next beat; that replica sweeps them too, so
    this is late only when it dies. A late sweep never changes a result: whoever commits looks first.
    """

    def __init__(
        self,
        store: Store,
        referee: Referee,
        attendance: Attendance,
        presence: Presence,
        rescue: Rescue,
        alarms: Alarms,
        settings: GameSettings,
        metrics: GameMetrics,
        draining: asyncio.Event,
    ) -> None:
        self._store = store
        self._referee = referee
        self._attendance = attendance
        self._presence = presence
        self._rescue = rescue
        self._alarms = alarms
        self._settings = settings
        self._metrics = metrics
        self._draining = draining
        self._outages = Outages(metrics)
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def run(self) -> None:
        """Sweep all shards until cancelled."""
        async with asyncio.TaskGroup() as shards:
            for shard in SHARDS:
                shards.create_task(self._sweep(shard))

    async def _sweep(self, number: int) -> None:
        shard = shard_keys(number)
        dealt_with: tuple[str, ...] = ()
        interrupted = False
        while True:
            try:
                asked_at = time.monotonic()
                unmoved_ms = math.inf if self._draining.is_set() else self._attendance.unmoved_ms()
                pulse = await self._store.pulse(shard, unmoved_ms, dealt_with)
                self._outages.note(number, pulse, time.time())
                await self._pass_all(pulse, asked_at)
                for gateway_id in pulse.silent:
                    log.info("gateway_silent", gateway_id=gateway_id)
                    await self._presence.look_again(shard, gateway_id)
                dealt_with = pulse.silent
                interrupted = False
                next_s = max(self._next_s(pulse, asked_at), time.monotonic() + AT_LEAST_MS / 1000)
                await self._alarms.wait(number, next_s)
            except Refusal as refusal:
                if not interrupted:
                    log.warning("sweep_interrupted", shard=shard.time, reason=refusal.reason)
                interrupted = True
                await asyncio.sleep(RETRY_S)

    async def _pass_all(self, pulse: Pulse, asked_at: float) -> None:
        """All that is due, some at a time: one write to the disk then serves several of them."""

        async def take(match_id: str, at_us: int) -> None:
            async with self._slots:
                await self._pass(match_id)
            late_s = (pulse.now_us - at_us) / 1e6 + time.monotonic() - asked_at
            self._metrics.sweep_lateness_seconds.observe(late_s)

        taken = await asyncio.gather(*(take(*due) for due in pulse.due), return_exceptions=True)
        for failure in taken:
            if failure is not None:
                raise failure

    async def _pass(self, match_id: str) -> None:
        try:
            over = await self._referee.settle(match_id)
        except Refusal as refusal:
            if refusal.reason != "unknown_match":
                raise
            await self._presence.check(match_id)  # takes what is left of it off the list
            return
        if not over:
            await self._rescue.look(match_id)
            await self._presence.check(match_id)

    def _next_s(self, pulse: Pulse, asked_at: float) -> float:
        """When to look again: at the next deadline or the next beat, at which all shards beat in one go.

        A store that answers late must not make the next look late, too: what it said holds from when it
        was asked.
        """
        if pulse.due:
            return asked_at
        beat_s = self._settings.beat_ms / 1000
        next_s = (asked_at // beat_s + 1) * beat_s
        if pulse.next_us is not None:
            next_s = min(next_s, asked_at + (pulse.next_us - pulse.now_us) / 1e6)
        return next_s
