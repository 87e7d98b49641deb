"""What waits to be written on one stream: frames that gather while the write before them is in progress."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gen.tandemfog.view.v1.view_pb2 import Frame, WatchResponse
from libs.identity.tokens import SeatToken
from libs.runtime.pace import Pace
from services.visibility.metrics import VisibilityMetrics
from services.visibility.view import Viewer

NO_ROOM = -1
"""What a viewer is owed whose frames were dropped, until its stream has taken something."""


@dataclass(slots=True, eq=False)
class Watcher:
    """One viewer of one match on one stream, and how far it has been told.

    ``number`` is the client's own, ``token`` what proves the viewer's seat. ``epoch``, ``version`` and
    ``talk`` (the number of the team's last line) are what its last frame said, in game's counting. ``owed``:
    the ticket of the full view that it is owed, 0 for none, or NO_ROOM. ``waiting``: frames of it not yet
    written; of an older ``generation`` they are void. ``taken_at_us``: when its connection came to the seat,
    0 for who is of no account in that; ``moved``: it was told of a later one.
    """

    outlet: Outlet
    number: int
    match_id: str
    viewer: Viewer
    token: SeatToken | None = None
    taken_at_us: int = 0
    moved: bool = False
    epoch: int = 0
    version: int = 0
    talk: int = 0
    owed: int = 0
    waiting: int = 0
    generation: int = 0

    def void(self) -> None:
        """Drops what waits for this viewer."""
        self.generation += 1
        self.waiting = 0


@dataclass(slots=True)
class _Waiting:
    """A frame, for whom (with the generation it was meant for), when its clocks were read, and when what it
    tells was committed."""

    body: Frame
    watchers: list[tuple[Watcher, int]]
    read_at_s: float
    size: int
    committed_at_us: int


class Outlet:
    """The frames of all viewers on one stream, in order.

    Bounded: a viewer has at most ``viewer_frames`` waiting. One more, and all of them are dropped and it is
    owed a full view (counted in full_views_owed{why="slow"}): ``on_room`` is told of such viewers once the
    stream takes something again.
    ``clock`` gives seconds.
    """

    def __init__(
        self,
        viewer_frames: int,
        batch_bytes: int,
        clock: Callable[[], float],
        on_room: Callable[[list[Watcher]], None],
        metrics: VisibilityMetrics,
    ) -> None:
        self.watchers: dict[int, Watcher] = {}
        self.writing_since_s: float | None = None
        self.closed = False
        self._viewer_frames = viewer_frames
        self._batch_bytes = batch_bytes
        self._clock = clock
        self._on_room = on_room
        self._metrics = metrics
        self._waiting: deque[_Waiting] = deque()
        self._overflowed: list[Watcher] = []
        self._news = asyncio.Event()
        self._pace = Pace()

    def put(
        self, body: Frame, watchers: Iterable[Watcher], read_at_s: float, committed_at_us: int = 0
    ) -> None:
        """Adds a frame for some of this stream's viewers; ``read_at_s`` is when its clocks were read,
        ``committed_at_us`` when the event was written that it tells (0: none)."""
        takers: list[tuple[Watcher, int]] = []
        for watcher in watchers:
            if watcher.waiting >= self._viewer_frames:
                watcher.void()
                watcher.owed = NO_ROOM
                self._overflowed.append(watcher)
                continue
            watcher.waiting += 1
            takers.append((watcher, watcher.generation))
        if takers:
            size = body.ByteSize() + 8 * len(takers)
            self._waiting.append(_Waiting(body, takers, read_at_s, size, committed_at_us))
        self._news.set()

    async def next_batch(self) -> WatchResponse | None:
        """What gathered, at most about ``batch_bytes``; waits for something. None: the stream is to end."""
        self.writing_since_s = None
        while True:
            if self._overflowed:
                overflowed, self._overflowed = self._overflowed, []
                self._on_room(overflowed)
            if self._waiting and not self.closed:
                await self._pace.turn()
            batch = self._take()
            if self.closed:
                return None
            if batch.frames:
                self.writing_since_s = self._clock()
                self._metrics.batch_bytes.observe(batch.ByteSize())
                return batch
            self._news.clear()
            await self._news.wait()

    def close(self) -> None:
        """Ends the stream."""
        self.closed = True
        self._news.set()

    def _take(self) -> WatchResponse:
        batch = WatchResponse()
        size = 0
        now_s = self._clock()
        while self._waiting and (not size or size + self._waiting[0].size <= self._batch_bytes):
            entry = self._waiting.popleft()
            takers = [watcher for watcher, generation in entry.watchers if watcher.generation == generation]
            if not takers:
                continue
            size += entry.size
            for watcher in takers:
                watcher.waiting -= 1
            frame = batch.frames.add()
            frame.CopyFrom(entry.body)
            frame.viewers.extend(watcher.number for watcher in takers)
            if frame.view.HasField("clocks"):
                frame.view.clocks.age_ms += max(0, int((now_s - entry.read_at_s) * 1000))
            batch.committed_at_us.append(entry.committed_at_us)
            if entry.committed_at_us:
                waited_s = time.time() - entry.committed_at_us / 1e6
                self._metrics.commit_to_view_seconds.observe(max(0.0, waited_s))
            self._metrics.frames.labels(_kind(frame)).inc(len(takers))
        return batch


def _kind(frame: Frame) -> str:
    body = frame.WhichOneof("body") or ""
    return ("full" if frame.view.full else "delta") if body == "view" else body
