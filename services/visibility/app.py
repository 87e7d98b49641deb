"""The service's parts, put together."""

from __future__ import annotations

import asyncio
import time

import grpc

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchRequest, GetMatchResponse
from gen.tandemfog.feed.v1.feed_pb2_grpc import FeedServiceStub
from gen.tandemfog.view.v1 import view_pb2
from gen.tandemfog.view.v1.view_pb2_grpc import add_ViewServiceServicer_to_server
from libs.identity.ids import shard_of, shard_tag
from libs.roll.call import check_in_with_game
from libs.runtime.context import Context
from libs.runtime.peers import NoPeer, Peers
from libs.runtime.refusals import Refusal, refusal_of
from libs.runtime.secrets import derived_key
from libs.wire.raw import is_readable
from services.visibility.feed import Feed
from services.visibility.hub import Hub
from services.visibility.looking import Looking
from services.visibility.metrics import VisibilityMetrics
from services.visibility.servicer import ViewServicer
from services.visibility.settings import VisibilitySettings

FETCH_TIMEOUT_S = 5.0


class MatchSource:
    """Asks the game replicas for whole matches, not too many at a time."""

    def __init__(self, peers: Peers[FeedServiceStub], at_once: int, metrics: VisibilityMetrics) -> None:
        self._peers = peers
        self._turn = asyncio.Semaphore(at_once)
        self._metrics = metrics

    async def fetch(self, match_id: str) -> GetMatchResponse:
        """All of one match as it is now. Raises Refusal ("unknown_match", "unavailable")."""
        request = GetMatchRequest(match_id=match_id)
        async with self._turn:
            started_s = time.perf_counter()
            result = "ok"
            try:
                match = await self._peers.call(
                    shard_tag(shard_of(match_id)),
                    lambda stub: stub.GetMatch(request, timeout=FETCH_TIMEOUT_S),
                )
                if not is_readable(match.state):
                    result = "unavailable"
                    raise Refusal("unavailable", "A newer version of the service has this match.")
                return match
            except NoPeer:
                result = "unavailable"
                raise Refusal("unavailable") from None
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                result = refusal.reason
                raise refusal from error
            finally:
                self._metrics.fetch_seconds.labels(result).observe(time.perf_counter() - started_s)


async def build(context: Context[VisibilitySettings]) -> None:
    """Visibility: healthy without any game replica; viewers then wait until one is there."""
    settings = context.settings
    metrics = VisibilityMetrics(context.metrics)
    token_key = derived_key(settings.token_secret_file, "seat-token")
    peers = await context.enter(Peers(settings.peers_game, FeedServiceStub, name="game", tls=context.tls))
    source = MatchSource(peers, settings.matches_asked_at_once, metrics)
    feed = Feed(peers, metrics)
    hub = Hub(source.fetch, feed.want, feed.has_joined, time.monotonic, metrics)
    servicer = ViewServicer(hub, source.fetch, token_key, settings, metrics)
    context.add_servicer(
        add_ViewServiceServicer_to_server, servicer, view_pb2.DESCRIPTOR.services_by_name["ViewService"]
    )
    await check_in_with_game(context, settings.peers_game)
    context.add_task("looking", Looking(hub, peers).run)
    context.add_task("feed", lambda: feed.run(hub))
    context.add_task("stuck_streams", servicer.close_stuck_streams)
    context.on_drain(servicer.close_streams)
