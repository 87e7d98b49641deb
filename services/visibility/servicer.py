"""What gateways and bots ask of visibility."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

import grpc

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchResponse
from gen.tandemfog.view.v1.view_pb2 import (
    ExportMatchRequest,
    ExportMatchResponse,
    Frame,
    Join,
    ReadGameRequest,
    ReadGameResponse,
    ReplayMatchRequest,
    ReplayMatchResponse,
    WatchRequest,
    WatchResponse,
)
from gen.tandemfog.view.v1.view_pb2_grpc import ViewServiceServicer
from libs.identity.ids import is_table_id
from libs.identity.tokens import BadToken, read_seat_token
from libs.runtime.logs import bind_request, get_logger
from libs.runtime.refusals import Refusal, refuse
from services.visibility.hub import Hub
from services.visibility.metrics import VisibilityMetrics
from services.visibility.outlet import Outlet, Watcher
from services.visibility.reading import MOST_BYTES, read_game
from services.visibility.record import export_match, replay_match
from services.visibility.settings import VisibilitySettings
from services.visibility.truth import is_over
from services.visibility.view import Viewer

log = get_logger()

LOOK_EVERY_S = 0.5
ServicerContext = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Stream:
    """A client's stream as gRPC runs it."""

    context: ServicerContext
    task: asyncio.Task[Any]


class ViewServicer(ViewServiceServicer):
    """The streams of all clients of this process, and the records of finished matches.

    ``fetch`` asks game for a whole match (raises Refusal); ``token_key`` is what seat tokens are signed with.
    """

    def __init__(
        self,
        hub: Hub,
        fetch: Callable[[str], Awaitable[GetMatchResponse]],
        token_key: bytes,
        settings: VisibilitySettings,
        metrics: VisibilityMetrics,
    ) -> None:
        self._hub = hub
        self._fetch = fetch
        self._token_key = token_key
        self._settings = settings
        self._metrics = metrics
        self._streams: dict[Outlet, Stream] = {}
        self._farewells: set[asyncio.Task[None]] = set()
        self._reading = asyncio.Lock()

    async def Watch(  # noqa: N802 - gRPC's name
        self,
        request_iterator: AsyncIterator[WatchRequest],
        context: ServicerContext,
    ) -> AsyncIterator[WatchResponse]:
        outlet = Outlet(
            self._settings.viewer_frames,
            self._settings.batch_bytes,
            time.monotonic,
            lambda watchers: self._hub.owe(watchers, "slow"),
            self._metrics,
        )
        self._streams[outlet] = Stream(context, cast("asyncio.Task[Any]", asyncio.current_task()))
        reader = asyncio.create_task(self._read(request_iterator, outlet))
        try:
            while batch := await outlet.next_batch():
                yield batch
        finally:
            reader.cancel()
            del self._streams[outlet]
            for watcher in list(outlet.watchers.values()):
                self._hub.leave(watcher)

    async def ExportMatch(  # noqa: N802
        self, request: ExportMatchRequest, context: ServicerContext
    ) -> ExportMatchResponse:
        match = await self._finished(request.match_id, context)
        return await asyncio.to_thread(export_match, match)

    async def ReplayMatch(  # noqa: N802
        self, request: ReplayMatchRequest, context: ServicerContext
    ) -> ReplayMatchResponse:
        match = await self._finished(request.match_id, context)
        return await asyncio.to_thread(replay_match, match)

    async def ReadGame(  # noqa: N802
        self, request: ReadGameRequest, context: ServicerContext
    ) -> ReadGameResponse:
        if len(request.text) > MOST_BYTES:
            await refuse(context, Refusal("text_too_large"))
        # One at a time: views of running matches go first, and share the interpreter with the thread.
        async with self._reading:
            return await asyncio.to_thread(read_game, request.text)

    async def close_streams(self) -> None:
        """Ends all streams, so that their clients go to another replica."""
        for outlet in self._streams:
            outlet.close()

    async def close_stuck_streams(self) -> None:
        """Watches for streams whose reader takes nothing any more and ends them, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            latest_s = time.monotonic() - self._settings.stuck_after_ms / 1000
            for outlet, stream in list(self._streams.items()):
                if outlet.writing_since_s is not None and outlet.writing_since_s < latest_s:
                    log.warning("stream_stuck", viewers=len(outlet.watchers))
                    self._metrics.streams_closed.inc()
                    # Cancelling alone would leave a reader that wakes up later waiting for ever: it is told,
                    # too, which takes as long as it sleeps.
                    farewell = asyncio.create_task(_refuse_busy(stream.context))
                    self._farewells.add(farewell)
                    farewell.add_done_callback(self._farewells.discard)
                    await asyncio.sleep(0)
                    stream.task.cancel()

    async def _read(self, requests: AsyncIterator[WatchRequest], outlet: Outlet) -> None:
        """Takes what the client says, until it says no more."""
        try:
            async for request in requests:
                former = outlet.watchers.get(request.viewer)
                if former is not None:
                    self._hub.leave(former)
                if request.WhichOneof("want") == "join":
                    bind_request(request.join.log_id)
                    self._join(outlet, request.viewer, request.join)
        finally:
            outlet.close()

    def _join(self, outlet: Outlet, number: int, join: Join) -> None:
        watcher = Watcher(outlet, number, join.match_id, Viewer(None))
        if not is_table_id(join.match_id):
            outlet.put(Frame(refused="unknown_match"), [watcher], time.monotonic())
            return
        if join.token:
            try:
                token = read_seat_token(self._token_key, join.token, time.time())
            except BadToken:
                token = None
            if token is None or token.match_id != join.match_id:
                outlet.put(Frame(refused="bad_token"), [watcher], time.monotonic())
                return
            watcher.viewer, watcher.token = Viewer(token.seat), token
            watcher.taken_at_us = join.taken_at_us
        log.debug("join", match_id=join.match_id, seated=watcher.token is not None)
        self._hub.join(watcher)

    async def _finished(self, match_id: str, context: ServicerContext) -> GetMatchResponse:
        """The whole match; refused while it runs, whoever asks (F-after)."""
        try:
            if not is_table_id(match_id):
                raise Refusal("unknown_match")
            match = await self._fetch(match_id)
            if not is_over(match.state):
                raise Refusal("still_running")
        except Refusal as refusal:
            await refuse(context, refusal)
        return match


async def _refuse_busy(context: ServicerContext) -> None:
    with suppress(grpc.aio.AbortError):
        await refuse(context, Refusal("busy"))
