"""Commands that gateways send over a stream: each is carried out by itself, and answered when it is ready.

Answers that are ready at the same time travel together. A command is in the log and in the metrics what a
call of its own would be.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator
from contextlib import contextmanager

from gen.tandemfog.game.v1.game_pb2 import (
    ActRequest,
    ActResponse,
    ActTogetherRequest,
    Command,
    CommandAnswer,
)
from libs.runtime.calls import note_call
from libs.runtime.logs import bind, bind_request, get_logger
from libs.runtime.metrics import Metrics
from libs.runtime.pace import Pace
from libs.runtime.refusals import REASONS, Refusal
from services.game.metrics import GameMetrics

IN_PROGRESS = 4_096
"""Commands of one stream that are being carried out; more are refused as busy. A gateway sends fewer."""
METHOD = "Act"
log = get_logger()
Act = Callable[[ActRequest], Awaitable[ActResponse]]


class Bundles:
    """All streams of commands to this replica."""

    def __init__(self, act: Act, calls: Metrics, metrics: GameMetrics) -> None:
        self._act = act
        self._calls = calls
        self._metrics = metrics
        self._streams: set[Bundled] = set()
        self._closed = False

    @contextmanager
    def opened(self) -> Iterator[Bundled]:
        """A new stream; at the end of the block what is still in progress ends."""
        stream = Bundled(self._act, self._calls, self._metrics)
        self._streams.add(stream)
        if self._closed:
            stream.close()
        try:
            yield stream
        finally:
            self._streams.discard(stream)
            stream.cancel()

    async def close(self) -> None:
        """Take no more commands; each stream ends with its last answer. Gateways have other replicas."""
        self._closed = True
        for stream in self._streams:
            stream.close()


class Bundled:
    """One stream: its commands in progress, and the answers that wait to be sent."""

    def __init__(self, act: Act, calls: Metrics, metrics: GameMetrics) -> None:
        self._act = act
        self._calls = calls
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready: list[CommandAnswer] = []
        self._some = asyncio.Event()
        self._pace = Pace()
        self._closed = False

    async def take_all(self, requests: AsyncIterable[ActTogetherRequest]) -> None:
        """Takes commands until there are no more, or no more are wanted."""
        try:
            async for request in requests:
                if self._closed:
                    return
                for command in request.commands:
                    self._take(command)
        finally:
            self.close()

    async def answers(self) -> list[CommandAnswer]:
        """What is ready now, else what is ready next; empty when the last answer has been given."""
        while not self._ready and (self._tasks or not self._closed):
            self._some.clear()
            await self._some.wait()
        if not self._closed:
            await self._pace.turn()
        ready, self._ready = self._ready, []
        return ready

    def close(self) -> None:
        """Take no more."""
        self._closed = True
        self._some.set()

    def cancel(self) -> None:
        """End what is in progress: nobody hears the answers."""
        for task in self._tasks:
            task.cancel()

    def _take(self, command: Command) -> None:
        act = self._act if len(self._tasks) < IN_PROGRESS else refused_as_busy
        task = self._loop.create_task(self._answer(command, act), name="command")
        self._tasks.add(task)
        task.add_done_callback(self._done)
        if command.within_ms:
            timer = self._loop.call_later(command.within_ms / 1000, task.cancel)
            task.add_done_callback(lambda _: timer.cancel())

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if self._closed:
            self._some.set()  # the last one ends the stream, also when it has no answer

    async def _answer(self, command: Command, act: Act) -> None:
        started = time.perf_counter()
        code = "OK"
        answer = CommandAnswer(number=command.number)
        bind_request(command.log_id)
        try:
            answer.done.CopyFrom(await act(command.act))
        except Refusal as refusal:
            self._metrics.refusals.labels(refusal.reason).inc()
            code = REASONS[refusal.reason][0].name
            bind(reason=refusal.reason)
            answer.refused.reason = refusal.reason
            answer.refused.detail = refusal.detail
        except Exception:
            code = "INTERNAL"
            log.exception("call_failed", method=METHOD)
            answer.refused.detail = "internal: The service failed to answer."
        except BaseException:
            code = "CANCELLED"
            raise
        finally:
            note_call(self._calls, METHOD, code, time.perf_counter() - started)
        self._ready.append(answer)
        self._some.set()


async def refused_as_busy(_request: ActRequest) -> ActResponse:
    """What a command comes to that is one too many."""
    raise Refusal("busy")
