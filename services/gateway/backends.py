"""Asking the other services: the preferred replica, another one when it is gone, refusals as exceptions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import grpc

from gen.tandemfog.matchmaking.v1.matchmaking_pb2_grpc import QueueServiceStub, TableServiceStub
from gen.tandemfog.view.v1.view_pb2_grpc import ViewServiceStub
from libs.identity.ids import is_table_id, shard_of, shard_tag
from libs.runtime.logs import request_metadata
from libs.runtime.peers import NoPeer, Peers
from libs.runtime.refusals import Refusal, refusal_of
from services.gateway.acting import GameStub

StubT = TypeVar("StubT")
Request = TypeVar("Request", contravariant=True)
Answer = TypeVar("Answer", covariant=True)

TIMEOUT_S = 2.5
"""How long a replica may take; another one is asked then."""
PATIENCE_MS = 4_000
"""How long a command waits for a service of which no replica is there at the moment."""


class Method(Protocol[Request, Answer]):
    """One method of a service, as a stub has it."""

    def __call__(
        self, request: Request, *, timeout: float, metadata: tuple[tuple[str, str], ...]
    ) -> Awaitable[Answer]: ...


@dataclass(frozen=True, slots=True)
class Backends:
    """The services behind the gateway."""

    matchmaking: Peers[TableServiceStub]
    game: Peers[GameStub]
    visibility: Peers[ViewServiceStub]
    queue: Peers[QueueServiceStub]

    def replicas(self) -> dict[str, int]:
        """How many replicas of each service are well, as this gateway sees it."""
        return {
            "matchmaking": len(self.matchmaking.members()),
            "game": len(self.game.members()),
            "visibility": len(self.visibility.members()),
        }

    def missing(self) -> list[str]:
        """The services of which no replica is well."""
        return [name for name, number in self.replicas().items() if not number]


def shard_key(table_id: str) -> str:
    """The name by which the table's replica is preferred. Raises Refusal unknown_table for no table id."""
    if not is_table_id(table_id):
        raise Refusal("unknown_table")
    return shard_tag(shard_of(table_id))


async def ask(
    peers: Peers[StubT],
    key: str,
    method: Callable[[StubT], Method[Request, Answer]],
    request: Request,
    timeout_s: float = TIMEOUT_S,
    patience_ms: int = PATIENCE_MS,
) -> Answer:
    """The answer to a call that may be repeated. Raises Refusal, `unavailable` when nobody answers."""

    async def once(stub: StubT) -> Answer:
        return await method(stub)(request, timeout=timeout_s, metadata=request_metadata())

    try:
        return await peers.call(key, once, patience_ms=patience_ms)
    except NoPeer:
        raise Refusal("unavailable") from None
    except grpc.aio.AioRpcError as error:
        raise refusal_of(error) from error
