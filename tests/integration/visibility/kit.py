"""A visibility service over a real game service and store, and clients that watch through it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from gen.tandemfog.view.v1.view_pb2 import Frame, Join, Leave, View, WatchRequest
from gen.tandemfog.view.v1.view_pb2_grpc import ViewServiceStub
from libs.runtime.service import Running, running_service
from services.visibility.app import build
from services.visibility.settings import VisibilitySettings
from tests.integration.game.kit import secret_file

PATIENCE_S = 15.0


@dataclass
class Screen:
    """What one viewer has on its screen: frames put together as docs/protocol.md says."""

    view: View | None = None
    refused: str = ""
    fulls: int = 0
    sizes: list[int] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)

    def take(self, frame: Frame) -> None:
        match frame.WhichOneof("body"):
            case "refused":
                self.refused = frame.refused
            case "talk":
                self.talk.append(frame.talk.text)
            case "view" if frame.view.full:
                self.view, self.fulls = frame.view, self.fulls + 1
                self.talk = [line.text for line in frame.view.talk]
            case _:
                self._change(frame.view)
        self.sizes.append(frame.ByteSize())

    def _change(self, delta: View) -> None:
        held = self.shown
        assert (delta.version, delta.epoch) == (held.version + 1, held.epoch), "a frame is missing"
        held.version = delta.version
        for board in delta.boards:
            held.boards[board.board].CopyFrom(board)
        held.moves.extend(delta.moves)
        for part in ("seats", "clocks", "standing", "legal", "outcome"):
            if delta.HasField(part):
                getattr(held, part).CopyFrom(getattr(delta, part))

    @property
    def shown(self) -> View:
        assert self.view is not None, "nothing is shown yet"
        return self.view


class Client:
    """One stream to visibility, as a gateway has it, with a screen for each viewer on it."""

    def __init__(self, stub: ViewServiceStub) -> None:
        self.stub = stub
        self.screens: dict[int, Screen] = defaultdict(Screen)
        self.ended = False
        self._requests: asyncio.Queue[WatchRequest] = asyncio.Queue()
        self._news = asyncio.Condition()
        self._task = asyncio.create_task(self._watch())

    def join(self, viewer: int, match_id: str, token: str = "") -> None:
        self._requests.put_nowait(WatchRequest(viewer=viewer, join=Join(match_id=match_id, token=token)))

    def leave(self, viewer: int) -> None:
        self._requests.put_nowait(WatchRequest(viewer=viewer, leave=Leave()))

    async def until(self, viewer: int, condition: Callable[[Screen], Any]) -> Screen:
        """The viewer's screen once it is as wanted."""
        async with self._news:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._news.wait_for(lambda: self._task.done() or condition(self.screens[viewer]))
            except TimeoutError:
                raise AssertionError(f"not in time: {self.screens[viewer]}") from None
        if self._task.done() and not self._task.cancelled():
            await self._task
        return self.screens[viewer]

    async def version(self, viewer: int, version: int) -> View:
        """What the viewer sees at a version, which must be the one that comes."""
        screen = await self.until(viewer, lambda screen: screen.view and screen.view.version >= version)
        assert screen.shown.version == version
        return screen.shown

    async def end(self) -> None:
        """Waits until the other side has ended the stream."""
        async with asyncio.timeout(PATIENCE_S):
            await self._task

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _say(self) -> AsyncIterator[WatchRequest]:
        while True:
            yield await self._requests.get()

    async def _watch(self) -> None:
        try:
            async for batch in self.stub.Watch(self._say()):
                async with self._news:
                    for frame in batch.frames:
                        for viewer in frame.viewers:
                            self.screens[viewer].take(frame)
                    self._news.notify_all()
        finally:
            self.ended = True
            async with self._news:
                self._news.notify_all()


@dataclass
class House:
    """A running visibility service."""

    running: Running[VisibilitySettings]
    stub: ViewServiceStub
    clients: list[Client] = field(default_factory=list)

    def client(self) -> Client:
        self.clients.append(Client(self.stub))
        return self.clients[-1]

    def metric(self, name: str, **labels: str) -> float:
        """A sample's value; 0.0 before the first."""
        registry = self.running._context.metrics.registry
        return registry.get_sample_value(f"tandemfog_visibility_{name}", labels) or 0.0


def visibility_settings(peers_game: str, folder: Path, **changes: Any) -> VisibilitySettings:
    """Settings of a visibility service for tests."""
    values: dict[str, Any] = {"drain_grace_ms": 1000, **changes}
    return VisibilitySettings(peers_game=peers_game, token_secret_file=secret_file(folder), **values)


@asynccontextmanager
async def visibility(peers_game: str, folder: Path, **changes: Any) -> AsyncIterator[House]:
    """A visibility service inside this process."""
    async with (
        running_service(visibility_settings(peers_game, folder, **changes), build) as running,
        grpc.aio.insecure_channel(running.address) as channel,
    ):
        house = House(running, ViewServiceStub(channel))
        try:
            yield house
        finally:
            for client in house.clients:
                await client.close()
