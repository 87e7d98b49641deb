"""Viewers of matches: each connection's eye on one match, over shared streams to visibility."""

from __future__ import annotations

import asyncio
from itertools import count, repeat
from typing import Protocol

from gen.tandemfog.view.v1 import view_pb2 as view
from gen.tandemfog.view.v1.view_pb2_grpc import ViewServiceStub
from libs.runtime.logs import bound_request
from libs.runtime.peers import Peers
from services.gateway.backends import shard_key
from services.gateway.frames import encode
from services.gateway.metrics import GatewayMetrics
from services.gateway.streams import SharedStreams
from services.gateway.translate import talk_frame, view_frame

UNKNOWN_RETRY_S = 0.1
UNKNOWN_RETRIES = 50
"""A match that has just been started may not be known everywhere yet: asked again for five seconds."""


class ViewSink(Protocol):
    """Where a viewer's frames go."""

    def show(self, frame: bytes, full: bool, committed_at_us: int) -> None:
        """A view, or what changed of it; when the event was written that it tells, 0 for none."""

    def tell(self, frame: bytes) -> None:
        """A line of talk."""

    def view_refused(self, reason: str) -> None: ...

    def move_away(self) -> None:
        """A later connection holds the seat now."""


class Viewer:
    """One connection's eye on one match; `token` is empty for a spectator. `taken_at_us` is when the
    connection came to its seat, in Unix time."""

    __slots__ = ("log_id", "match_id", "number", "refusals", "sink", "taken_at_us", "token")

    def __init__(self, number: int, match_id: str, token: str, taken_at_us: int, sink: ViewSink) -> None:
        self.number = number
        self.match_id = match_id
        self.token = token
        self.taken_at_us = taken_at_us
        self.sink = sink
        self.refusals = 0
        self.log_id = ""

    @property
    def kind(self) -> str:
        return "seat" if self.token else "spectator"

    def wish(self) -> view.WatchRequest:
        join = view.Join(
            match_id=self.match_id, token=self.token, taken_at_us=self.taken_at_us, log_id=self.log_id
        )
        return view.WatchRequest(viewer=self.number, join=join)


class Views:
    """All viewers of this gateway, by number."""

    def __init__(self, peers: Peers[ViewServiceStub], metrics: GatewayMetrics) -> None:
        self._numbers = count(1)
        self._viewers: dict[int, Viewer] = {}
        self._gauge = metrics.viewers
        self._streams: SharedStreams[ViewServiceStub, int, view.WatchRequest, view.WatchResponse] = (
            SharedStreams(
                peers,
                lambda stub, requests: stub.Watch(requests),
                self._receive,
                metrics.streams_lost.labels("visibility"),
            )
        )
        self.run = self._streams.run

    def join(self, match_id: str, token: str, taken_at_us: int, sink: ViewSink) -> Viewer:
        """Begins to show the match to `sink`: a full view first. Raises Refusal for no match id."""
        viewer = Viewer(next(self._numbers), match_id, token, taken_at_us, sink)
        self._viewers[viewer.number] = viewer
        self._gauge.labels(viewer.kind).inc()
        self.refresh(viewer)
        return viewer

    def refresh(self, viewer: Viewer) -> None:
        """Asks for a full view."""
        if viewer.number in self._viewers:
            viewer.log_id = bound_request() or viewer.log_id
            self._streams.add(viewer.number, shard_key(viewer.match_id), viewer.wish)

    def leave(self, viewer: Viewer) -> None:
        """Shows nothing more to the viewer's sink, from this moment on."""
        if self._viewers.pop(viewer.number, None) is not None:
            self._gauge.labels(viewer.kind).dec()
            self._streams.remove(viewer.number, view.WatchRequest(viewer=viewer.number, leave=view.Leave()))

    def _receive(self, batch: view.WatchResponse) -> None:
        times = batch.committed_at_us or repeat(0)
        for frame, committed_at_us in zip(batch.frames, times, strict=False):
            viewers = [self._viewers[number] for number in frame.viewers if number in self._viewers]
            if viewers:
                self._hand_out(frame, viewers, committed_at_us)

    def _hand_out(self, frame: view.Frame, viewers: list[Viewer], committed_at_us: int) -> None:
        """Gives one frame to those who may see the same; it is made into text once."""
        match frame.WhichOneof("body"):
            case "view":
                text = encode(view_frame(frame.view))
                for viewer in viewers:
                    viewer.refusals = 0
                    viewer.sink.show(text, frame.view.full, committed_at_us)
            case "talk":
                text = encode(talk_frame(viewers[0].match_id, frame.talk))
                for viewer in viewers:
                    viewer.sink.tell(text)
            case "moved":
                for viewer in viewers:
                    viewer.sink.move_away()
            case "refused":
                for viewer in viewers:
                    self._refused(viewer, frame.refused)

    def _refused(self, viewer: Viewer, reason: str) -> None:
        viewer.refusals += 1
        if reason == "unknown_match" and viewer.refusals <= UNKNOWN_RETRIES:
            asyncio.get_running_loop().call_later(UNKNOWN_RETRY_S, self.refresh, viewer)
        else:
            self.leave(viewer)
            viewer.sink.view_refused(reason)
