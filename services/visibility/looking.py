"""A look, now and then, at quiet matches: whether they really are, or their last event was missed."""

from __future__ import annotations

import asyncio

import grpc

from gen.tandemfog.feed.v1.feed_pb2 import GetVersionsRequest
from gen.tandemfog.feed.v1.feed_pb2_grpc import FeedServiceStub
from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers
from services.visibility.hub import Hub

LOOK_EVERY_S = 2.0
QUIET_S = 3.0
SETTLE_S = 1.0
"""What game has just committed may still be on its way; after so long it is not."""
AT_ONCE = 1_000
TIMEOUT_S = 5.0
log = get_logger()


class Looking:
    """A gap in the middle shows with the next event. This finds the one at the end, which none follows."""

    def __init__(self, hub: Hub, peers: Peers[FeedServiceStub]) -> None:
        self._hub = hub
        self._peers = peers

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            quiet = self._hub.quiet(QUIET_S)
            for first in range(0, len(quiet), AT_ONCE):
                await self._look(quiet[first : first + AT_ONCE])

    async def _look(self, match_ids: list[str]) -> None:
        request = GetVersionsRequest(match_ids=match_ids)
        try:
            answer = await self._peers.call(
                match_ids[0], lambda stub: stub.GetVersions(request, timeout=TIMEOUT_S)
            )
        except (NoPeer, grpc.aio.AioRpcError) as error:
            log.info("not_looked", error=type(error).__name__)
            return
        await asyncio.sleep(SETTLE_S)
        for match_id, told in zip(match_ids, answer.versions, strict=True):
            self._hub.catch_up(match_id, (told.epoch, told.version))
