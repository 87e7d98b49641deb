"""Commands for game: one stream to each replica, in which those that come at the same time travel together.

Alone a command goes at once; under load all go that have gathered while the last message was written. Who
asks sees what a call would do: the answer, or the AioRpcError of a call that was refused, came to nothing or
took too long. So the next replica is asked, under the same request id, by who asks any service.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from contextvars import Context
from itertools import count, islice

import grpc

from gen.tandemfog.game.v1.game_pb2 import (
    ActRequest,
    ActResponse,
    ActTogetherRequest,
    ActTogetherResponse,
    Command,
    CommandAnswer,
)
from gen.tandemfog.game.v1.game_pb2_grpc import GameServiceStub
from libs.runtime.logs import REQUEST_ID_HEADER, get_logger
from libs.runtime.pace import Pace
from libs.runtime.refusals import error_of
from services.gateway.metrics import GatewayMetrics

IN_FLIGHT = 256
"""So many commands of one stream are without an answer; more wait here for their turn, one of each websocket
at most, so that game answers in time what it has been asked. `streams_full` counts those that wait."""
MOST = 256
"""Commands in one message; more wait for the next one."""
CALLS_FOR_S = 5.0
"""For so long each command is a call of its own once a replica, of an earlier version, knew no stream."""
LATE_S = 0.05
"""A timer that runs later than this tells that this process was late itself."""
log = get_logger()
OpenStream = Callable[[AsyncIterator[ActTogetherRequest]], AsyncIterable[ActTogetherResponse]]


class StreamUnknown(Exception):
    """The replica serves no such stream."""


class GameStub(GameServiceStub):
    """Game as a gateway asks it: `act` goes over the stream to the replica, everything else is a call."""

    def __init__(self, channel: grpc.aio.Channel, metrics: GatewayMetrics) -> None:
        super().__init__(channel)
        self._metrics = metrics
        self._stream: CommandStream | None = None
        self._calls_until = 0.0

    async def act(
        self, request: ActRequest, *, timeout: float, metadata: Iterable[tuple[str, str]] = ()
    ) -> ActResponse:
        """As Act, with the same arguments, and raises AioRpcError as that does."""
        if not self._calls_until or time.monotonic() >= self._calls_until:
            try:
                return await self._open().ask(request, timeout, dict(metadata).get(REQUEST_ID_HEADER, ""))
            except StreamUnknown:
                self._calls_until = time.monotonic() + CALLS_FOR_S
        return await self.Act(request, timeout=timeout, metadata=tuple(metadata))

    def _open(self) -> CommandStream:
        """The stream, another one when the last one has ended."""
        if self._stream is None or self._stream.ended:
            self._stream = CommandStream(self.ActTogether, self._metrics)
        return self._stream


class CommandStream:
    """One stream from its beginning to its end: what waits to be sent on it, and who waits for an answer."""

    def __init__(self, open_stream: OpenStream, metrics: GatewayMetrics) -> None:
        self.ended = False
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._numbers = count(1)
        self._unsent: dict[int, Command] = {}
        self._asked: dict[int, asyncio.Future[ActResponse]] = {}
        self._turns = asyncio.Semaphore(IN_FLIGHT)
        self._some = asyncio.Event()
        self._pace = Pace()
        self._heard_at = 0.0
        # What the stream logs is not about the command that happened to come first.
        self._reading = self._loop.create_task(
            self._read(open_stream), name="commands to game", context=Context()
        )

    async def ask(self, act: ActRequest, within_s: float, log_id: str) -> ActResponse:
        """The answer to a command, so long after it has its turn. Raises AioRpcError, StreamUnknown."""
        if self._turns.locked():
            self._metrics.streams_full.labels("game").inc()
        async with self._turns:
            if self.ended:
                raise error_of(grpc.StatusCode.UNAVAILABLE)
            return await self._answer(act, within_s, log_id)

    async def _answer(self, act: ActRequest, within_s: float, log_id: str) -> ActResponse:
        number = next(self._numbers)
        answer: asyncio.Future[ActResponse] = self._loop.create_future()
        self._asked[number] = answer
        self._unsent[number] = Command(
            number=number, act=act, log_id=log_id, within_ms=round(within_s * 1000)
        )
        self._some.set()
        asked_at = self._loop.time()
        timer = self._loop.call_later(within_s, self._time_over, answer, asked_at, asked_at + within_s)
        try:
            return await answer
        finally:
            timer.cancel()
            self._asked.pop(number, None)
            self._unsent.pop(number, None)

    def _time_over(self, answer: asyncio.Future[ActResponse], asked_at: float, due_at: float) -> None:
        """The time for one answer is over; what lies here unread because we were late still counts."""
        late_s = self._loop.time() - due_at
        if late_s > LATE_S:
            self._loop.call_later(late_s, self._give_up, answer, asked_at)
        else:
            self._give_up(answer, asked_at)

    def _give_up(self, answer: asyncio.Future[ActResponse], asked_at: float) -> None:
        if answer.done():
            return
        answer.set_exception(error_of(grpc.StatusCode.DEADLINE_EXCEEDED))
        if self._heard_at < asked_at:
            # Nobody has been answered since: the replica hangs. What it has not read yet goes with the
            # stream, so that it does not do later on what nobody waits for any more.
            self._reading.cancel()

    async def _requests(self) -> AsyncIterator[ActTogetherRequest]:
        while not self.ended:
            await self._some.wait()
            self._some.clear()
            while self._unsent and not self.ended:
                await self._pace.turn()
                numbers = list(islice(self._unsent, MOST))
                yield ActTogetherRequest(commands=[self._unsent.pop(number) for number in numbers])

    async def _read(self, open_stream: OpenStream) -> None:
        """Hands out the answers until the stream ends."""
        code = grpc.StatusCode.OK
        try:
            async for response in open_stream(self._requests()):
                self._heard_at = self._loop.time()
                for answer in response.answers:
                    self._take(answer)
        except grpc.aio.AioRpcError as error:
            code = error.code()
        except Exception:
            # An answer that cannot be read must cost this stream only, and be seen in the log.
            log.exception("stream_failed", peer="game")
        finally:
            self._end(code)

    def _take(self, answer: CommandAnswer) -> None:
        asker = self._asked.get(answer.number)
        if asker is None or asker.done():
            return  # it has given up
        if answer.HasField("done"):
            asker.set_result(answer.done)
        else:
            refused = answer.refused
            asker.set_exception(error_of(grpc.StatusCode.INTERNAL, refused.reason, refused.detail))

    def _end(self, code: grpc.StatusCode) -> None:
        """Nothing is answered any more. What has been asked may be asked elsewhere: game knows it again."""
        self.ended = True
        self._some.set()
        self._metrics.streams_lost.labels("game").inc()
        log.info("command_stream_ended", code=code.name, unanswered=len(self._asked))
        for asker in self._asked.values():
            if not asker.done():
                unknown = code is grpc.StatusCode.UNIMPLEMENTED
                asker.set_exception(StreamUnknown() if unknown else error_of(grpc.StatusCode.UNAVAILABLE))
