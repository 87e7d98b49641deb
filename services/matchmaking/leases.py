"""Bot seats of running matches: which worker plays which, and until when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2_grpc
from libs.identity.ids import is_table_id, shard_of
from libs.runtime.refusals import Refusal
from libs.store.connect import asked_together
from libs.store.scripts import Argument, ScriptRunner
from services.matchmaking import scripts
from services.matchmaking.issuer import Issuer
from services.matchmaking.keys import SHARDS, bots_key, due_key, leases_key
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.refusing import ServicerContext, refusing


@dataclass(frozen=True, slots=True)
class Lease:
    """One bot seat for one worker. A higher number for the same seat makes it void."""

    match_id: str
    seat: int
    number: int
    level: int = 0


class LeaseBook:
    """The leases in the store."""

    def __init__(self, runner: ScriptRunner, lasts_ms: int) -> None:
        self._runner = runner
        self._shards = asked_together(runner.client, SHARDS)
        self._lasts_ms = lasts_ms

    async def renew(
        self, worker: str, held: Iterable[Lease], done: Iterable[Lease]
    ) -> tuple[list[Lease], dict[int, int]]:
        """Renew what the worker holds, end what it is done with.

        Returns the leases that are not the worker's any more, and how many seats wait in each shard.
        """
        by_shard: dict[int, tuple[list[Lease], list[Lease]]] = {shard: ([], []) for shard in SHARDS}
        for kind, leases in enumerate((held, done)):
            for lease in leases:
                by_shard[shard_of(lease.match_id)][kind].append(lease)
        asks = []
        for shards in self._shards:
            keys: list[str] = []
            arguments: list[Argument] = [worker, self._lasts_ms]
            for shard in shards:
                kept, ended = by_shard[shard]
                keys += [bots_key(shard), leases_key(shard), due_key(shard)]
                arguments += [len(kept), len(ended)]
                for lease in (*kept, *ended):
                    arguments += [_member(lease), lease.number]
            asks.append((keys, arguments))
        answers = [answer for some in await self._runner.run_each(scripts.RENEW, asks) for answer in some]
        lost: list[Lease] = []
        for _, names in answers:
            lost += [_lease(name, int(number)) for name, number in zip(names[::2], names[1::2], strict=True)]
        waiting = {shard: int(answer[0]) for shard, answer in zip(by_shard, answers, strict=True)}
        return lost, waiting

    async def grant(self, worker: str, waiting: dict[int, int], most: int) -> list[Lease]:
        """Lease at most so many waiting seats to the worker."""
        asks = []
        for shard, count in waiting.items():
            wanted = min(count, most)
            most -= wanted
            if wanted:
                keys = (bots_key(shard), leases_key(shard))
                asks.append((keys, (worker, self._lasts_ms, wanted)))
        granted: list[Lease] = []
        for answer in await self._runner.run_each(scripts.GRANT, asks):
            for name, level, number in zip(answer[::3], answer[1::3], answer[2::3], strict=True):
                granted.append(_lease(name, int(number), int(level)))
        return granted


class LeaseServicer(matchmaking_pb2_grpc.LeaseServiceServicer):
    """For bot workers."""

    def __init__(self, book: LeaseBook, issuer: Issuer, metrics: MatchmakingMetrics, lasts_ms: int) -> None:
        self._book = book
        self._issuer = issuer
        self.metrics = metrics
        self._lasts_ms = lasts_ms

    @refusing
    async def Lease(  # noqa: N802 - gRPC's name
        self, request: messages.LeaseRequest, _context: ServicerContext
    ) -> messages.LeaseResponse:
        if not request.worker_id:
            raise Refusal("bad_request", "A worker has a name.")
        held, done = _read(request.held), _read(request.done)
        lost, waiting = await self._book.renew(request.worker_id, held, done)
        granted: list[Lease] = []
        waits = sum(waiting.values())
        if request.free_seats and waits:
            granted = await self._book.grant(request.worker_id, waiting, request.free_seats)
        for what, leases in (("granted", granted), ("lost", lost), ("done", done)):
            self.metrics.leases.labels(what).inc(len(leases))
        return messages.LeaseResponse(
            granted=[
                messages.LeaseGrant(
                    lease=_message(lease),
                    token=self._issuer.bot_token(lease.match_id, lease.seat, lease.number),
                    level=lease.level,
                )
                for lease in granted
            ],
            lost=[_message(lease) for lease in lost],
            lasts_ms=self._lasts_ms,
        )


def _read(leases: Iterable[messages.SeatLease]) -> list[Lease]:
    found = [Lease(lease.match_id, lease.seat, lease.lease) for lease in leases]
    if not all(is_table_id(lease.match_id) for lease in found):
        raise Refusal("bad_request", "A lease names a match.")
    return found


def _message(lease: Lease) -> messages.SeatLease:
    return messages.SeatLease(match_id=lease.match_id, seat=lease.seat, lease=lease.number)


def _member(lease: Lease) -> str:
    return f"{lease.match_id}:{lease.seat}"


def _lease(name: Any, number: int, level: int = 0) -> Lease:
    match_id, _, seat = name.decode().partition(":")
    return Lease(match_id, int(seat), number, level)
