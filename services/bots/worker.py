"""The worker: leases bot seats, has each one played, and gives back what is over."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from random import Random

import grpc

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers
from services.bots.hands import GamePeers, Hands
from services.bots.metrics import BotsMetrics
from services.bots.player import Player
from services.bots.settings import BotsSettings
from services.bots.thinker import Thinker
from services.bots.watching import Watching

log = get_logger()
LeasePeers = Peers[matchmaking_pb2_grpc.LeaseServiceStub]
TIMEOUT_S = 2.0
Key = tuple[str, int]


class Worker:
    """Seats by match and seat number. Should matchmaking be away, what is held is played on: game knows whose
    lease is the newest."""

    def __init__(
        self,
        name: str,
        matchmaking: LeasePeers,
        game: GamePeers,
        watching: Watching,
        thinker: Thinker,
        metrics: BotsMetrics,
        settings: BotsSettings,
        new_dice: Callable[[], Random],
    ) -> None:
        self._name = name
        self._matchmaking = matchmaking
        self._game = game
        self._watching = watching
        self._thinker = thinker
        self._metrics = metrics
        self._settings = settings
        self._new_dice = new_dice
        self._players: dict[Key, Player] = {}
        self._tasks: dict[Player, asyncio.Task[None]] = {}
        self._done: list[matchmaking_pb2.SeatLease] = []
        self._viewers = itertools.count(1)

    async def run(self) -> None:
        """Lease until cancelled."""
        try:
            while True:
                await self.lease(self._settings.seats - len(self._players))
                await asyncio.sleep(self._settings.lease_every_ms / 1000)
        finally:
            for task in self._tasks.values():
                task.cancel()

    async def give_back(self) -> None:
        """Let other workers have all seats at once: this one is about to stop."""
        for player in tuple(self._players.values()):
            self._stop(player)
            self._done.append(_lease(player))
        await self.lease(0)

    async def lease(self, free: int) -> None:
        """Renew what is held, give back what is over, and take new seats."""
        done = tuple(self._done)
        request = matchmaking_pb2.LeaseRequest(
            worker_id=self._name,
            free_seats=max(0, free),
            held=[_lease(player) for player in self._players.values()],
            done=done,
        )
        try:
            answer = await self._matchmaking.call(
                self._name, lambda stub: stub.Lease(request, timeout=TIMEOUT_S)
            )
        except (NoPeer, grpc.aio.AioRpcError) as error:
            log.info("not_leased", error=type(error).__name__)
            return
        self._done = self._done[len(done) :]
        for lost in answer.lost:
            player = self._players.get((lost.match_id, lost.seat))
            if player is not None and player.lease == lost.lease:
                self._stop(player)
        for grant in answer.granted:
            self._begin(grant)
        for what, count in (("granted", answer.granted), ("lost", answer.lost), ("done", done)):
            self._metrics.leases.labels(what).inc(len(count))
        self._metrics.seats.set(len(self._players))
        self._metrics.room.set(self._settings.seats - len(self._players))

    def _begin(self, grant: matchmaking_pb2.LeaseGrant) -> None:
        lease = grant.lease
        before = self._players.get((lease.match_id, lease.seat))
        if before is not None:
            self._stop(before)
        player = Player(
            next(self._viewers),
            lease.match_id,
            lease.seat,
            lease.lease,
            grant.token,
            grant.level,
            Hands(self._game, lease.match_id, grant.token),
            self._watching,
            self._thinker,
            self._metrics,
            self._settings.pace,
            self._new_dice(),
        )
        self._players[lease.match_id, lease.seat] = player
        self._tasks[player] = asyncio.create_task(self._play(player))

    async def _play(self, player: Player) -> None:
        try:
            await player.run()
        except Exception:
            # The lease ends unrenewed, and somebody else tries.
            log.exception("player_failed", match_id=player.match_id, seat=player.seat)
        else:
            if not player.lost:
                self._done.append(_lease(player))
        self._forget(player)

    def _stop(self, player: Player) -> None:
        task = self._tasks.get(player)
        if task is not None:
            task.cancel()
        self._forget(player)

    def _forget(self, player: Player) -> None:
        self._tasks.pop(player, None)
        key = player.match_id, player.seat
        if self._players.get(key) is player:
            del self._players[key]


def _lease(player: Player) -> matchmaking_pb2.SeatLease:
    return matchmaking_pb2.SeatLease(match_id=player.match_id, seat=player.seat, lease=player.lease)
