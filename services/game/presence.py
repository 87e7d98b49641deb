"""Who is there: gateways' reports in, presence events out (T-leave)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping

from gen.tandemfog.game.v1.game_pb2 import ReportPresenceRequest
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.game.attendance import Attendance
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

    def __init__(self, store: Store, referee: Referee, attendance: Attendance) -> None:
        self._store = store
        self._referee = referee
        self._attendance = attendance
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def report(self, request: ReportPresenceRequest) -> None:
        """Take a gateway's report; also its sign of life. Raises Refusal bad_request or unknown_match."""
        gateway_id = checked_gateway_id(request.gateway_id)
        reported = _by_match(request)
        self._attendance.hear()
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
