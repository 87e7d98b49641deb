"""Who is there: gateways' reports in, presence events out (T-leave)."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from gen.tandemfog.game.v1.game_pb2 import ReportPresenceRequest
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.game.keys import SHARDS, ShardKeys, shard_keys
from services.game.referee import ATTEMPTS, Conflict, Referee
from services.game.requests import checked_gateway_id, checked_match_id
from services.game.store import Store

SEATS_LIMIT = 20_000
CONNECTIONS_LIMIT = 1_000
AT_ONCE = 32
log = get_logger()


class Presence:
    """Takes reports, and looks again when a gateway has fallen silent."""

    def __init__(self, store: Store, referee: Referee, gateway_silence_ms: int) -> None:
        self._store = store
        self._referee = referee
        self._gateway_silence_ms = gateway_silence_ms
        self._heard_at = -math.inf
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._attending: Counter[bool] = Counter()  # gateways by whether they attest
        self._all_attest = False
        self._deserted = asyncio.Event()
        self._closed = asyncio.Event()

    def unmoved_ms(self) -> float:
        """How long ago somebody could last move, by what this replica has heard of gateways; inf: no telling.

        Of a gateway that does not attest nothing is known between its reports but that it is not gone.
        """
        silent_ms = (time.monotonic() - self._heard_at) * 1000
        if self._all_attest:
            return silent_ms
        return 0.0 if silent_ms < self._gateway_silence_ms else math.inf

    def attest(self) -> None:
        """A gateway takes moves at this moment."""
        self._heard_at = time.monotonic()

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
            elif not self._closed.is_set():
                self._deserted.set()

    async def closed(self) -> None:
        """Returns when this replica drains."""
        await self._closed.wait()

    async def close(self) -> None:
        """End the gateways' streams: they have other replicas."""
        self._closed.set()

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

    async def report(self, request: ReportPresenceRequest) -> None:
        """Take a gateway's report; also its sign of life. Raises Refusal bad_request or unknown_match."""
        gateway_id = checked_gateway_id(request.gateway_id)
        reported = _by_match(request)
        self._heard_at = time.monotonic()
        heard = await asyncio.gather(
            *(self._store.hear(shard_keys(shard), gateway_id, request.complete) for shard in SHARDS)
        )
        self._store.be_patient()
        held = {match_id for matches in heard for match_id in matches}
        await self._look(gateway_id, request.complete, reported, reported.keys() | held)

    async def look_again(self, shard: ShardKeys, gateway_id: str) -> None:
        """A gateway has fallen silent: what it said holds no more."""
        await self._look("", False, {}, await self._store.held(shard, gateway_id))

    async def check(self, match_id: str) -> None:
        """See who is there although nobody has reported anything."""
        await self._look("", False, {}, (match_id,))

    async def _look(
        self, gateway_id: str, complete: bool, reported: Mapping[str, dict[int, int]], matches: Iterable[str]
    ) -> None:
        async def look(match_id: str) -> None:
            async with self._slots:
                await self._note(match_id, gateway_id, complete, reported.get(match_id, {}))

        await asyncio.gather(*(look(match_id) for match_id in sorted(matches)))

    async def _note(self, match_id: str, gateway_id: str, complete: bool, seats: dict[int, int]) -> None:
        found = await self._store.presence(match_id, gateway_id, complete, seats)
        for _ in range(ATTEMPTS):
            if found is None:
                return
            reports, online = found
            try:
                match = await self._referee.match(match_id)
                for seat, player in enumerate(match.players):
                    if player.human and player.online != online[seat]:
                        await self._referee.note_presence(match_id, seat, online[seat], reports)
            except Conflict:
                found = await self._store.presence(match_id, "", False, {})
            else:
                return
        raise Refusal("busy")


def _by_match(request: ReportPresenceRequest) -> dict[str, dict[int, int]]:
    """The reported connections by match and seat, checked."""
    if len(request.seats) > SEATS_LIMIT:
        raise Refusal("bad_request", f"A report has at most {SEATS_LIMIT} seats.")
    reported: dict[str, dict[int, int]] = defaultdict(dict)
    for entry in request.seats:
        if entry.seat > 3 or entry.connections > CONNECTIONS_LIMIT:
            raise Refusal("bad_request", "There is no such seat or there are too many connections.")
        reported[checked_match_id(entry.match_id)][entry.seat] = entry.connections
    return reported
