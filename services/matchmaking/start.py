"""From a full table to a match: game is asked, and the table follows its answer (DESIGN: table to match)."""

from __future__ import annotations

from typing import Literal

import grpc

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from libs.identity.ids import shard_of, shard_tag
from libs.runtime.logs import get_logger, request_metadata
from libs.runtime.peers import NoPeer, Peers
from libs.runtime.refusals import refusal_of
from services.matchmaking.life import match_over, start_failed, started
from services.matchmaking.messages import clock_message, profile_number, seat_message, variant_number
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.settings import MatchmakingSettings
from services.matchmaking.store import Loaded, Store
from services.matchmaking.table import Limits, Table

log = get_logger()
GamePeers = Peers[game_pb2_grpc.GameServiceStub]
STATUS_TIMEOUT_S = 2.0
Status = Literal["runs", "over", "unknown", "silent"]
"""What game says of a match: unknown when it has none, silent when it says nothing."""


class Matches:
    """Game as matchmaking needs it."""

    def __init__(
        self,
        store: Store,
        game: GamePeers,
        metrics: MatchmakingMetrics,
        limits: Limits,
        settings: MatchmakingSettings,
    ) -> None:
        self._store = store
        self._game = game
        self._metrics = metrics
        self._limits = limits
        self._attempts = settings.start_attempts
        self._timeout_s = settings.start_timeout_ms / 1000

    async def start(self, table: Table) -> Loaded:
        """Have the match of a starting table made; the table as it stands then.

        May be called several times, by several replicas: the match has the table's id.
        """
        last = table.attempts + 1 >= self._attempts
        if await self._create(table) or (last and await self._status(table.table_id) in ("runs", "over")):
            # An attempt whose answer was lost has made the match all the same.
            loaded = await self._store.change(table.table_id, lambda table, _: started(table))
            self._metrics.starts.labels("started").inc()
            return loaded
        loaded = await self._store.change(
            table.table_id,
            lambda table, now_ms: start_failed(table, self._attempts, now_ms, self._limits),
        )
        self._metrics.starts.labels("given_back" if loaded.table.state == "open" else "retried").inc()
        return loaded

    async def is_over(self, table_id: str) -> bool | None:
        """Whether the match has ended; None when game does not answer. A match that is gone is over."""
        status = await self._status(table_id)
        return None if status == "silent" else status != "runs"

    async def note_end(self, table_id: str) -> Loaded | None:
        """Ask whether the match is over and note it; None while it runs or game does not answer."""
        if not await self.is_over(table_id):
            return None
        return await self._store.change(table_id, lambda table, _: match_over(table))

    async def _status(self, table_id: str) -> Status:
        request = game_pb2.GetStatusRequest(match_id=table_id)
        try:
            answer = await self._game.call(
                _key(table_id),
                lambda stub: stub.GetStatus(request, timeout=STATUS_TIMEOUT_S, metadata=request_metadata()),
            )
        except NoPeer:
            return "silent"
        except grpc.aio.AioRpcError as error:
            return "unknown" if refusal_of(error).reason == "unknown_match" else "silent"
        return "over" if answer.over else "runs"

    async def _create(self, table: Table) -> bool:
        request = game_pb2.CreateMatchRequest(
            match_id=table.table_id,
            variant=variant_number(table.terms.variant),
            profile=profile_number(table.terms.profile),
            time=clock_message(table.terms.clock),
            seats=[seat_message(seat) for seat in table.seats],
            leases=[seat.lease if seat.kind == "human" else 0 for seat in table.seats],
            curtain=table.terms.curtain,
        )
        try:
            await self._game.call(
                _key(table.table_id),
                lambda stub: stub.CreateMatch(request, timeout=self._timeout_s, metadata=request_metadata()),
            )
        except NoPeer:
            log.warning("start_failed", table_id=table.table_id, attempt=table.attempts, reason="no_peer")
            return False
        except grpc.aio.AioRpcError as error:
            reason = refusal_of(error).reason
            log.warning(
                "start_failed",
                table_id=table.table_id,
                attempt=table.attempts,
                reason=reason,
                code=error.code().name,
            )
            return False
        return True


def _key(table_id: str) -> str:
    return shard_tag(shard_of(table_id))
