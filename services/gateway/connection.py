"""One websocket: a reader that never waits for others, a writer, and a watch over both."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from aiohttp import WSMsgType, web

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.gateway import frames
from services.gateway.answers import Desk
from services.gateway.commands import Commands
from services.gateway.metrics import GatewayMetrics
from services.gateway.outbox import Outbox
from services.gateway.pushed import Bye, Error, Ok
from services.gateway.rate import TokenBucket
from services.gateway.session import Hub, Session
from services.gateway.settings import GatewaySettings

MESSAGES_BURST, MESSAGES_PER_S = 60, 30
# Who goes on after so many refusals, and does not pause, is cut off.
PATIENCE, PATIENCE_PER_S = 60, 1
BAD_FRAMES = 5
CODE_GOING_AWAY, CODE_BAD_FRAMES, CODE_BLOCKED, CODE_TOO_FAST = 1001, 4400, 4403, 4429
FAREWELL_S = 1.0
"""How long a closing waits for what is still in the outbox, and for the browser's own closing."""
log = get_logger()


class Connection:
    """A browser's websocket from its opening to its end. Times are seconds of the event loop's clock.

    `admit_address` tells whether its address may say one more thing now.
    """

    def __init__(
        self,
        name: str,
        guest_id: str,
        websocket: web.WebSocketResponse[bool],
        transport: asyncio.WriteTransport,
        hub: Hub,
        commands: Commands,
        settings: GatewaySettings,
        address: str,
        admit_address: Callable[[float], bool],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        now_s = self._loop.time()
        self._websocket = websocket
        self._transport = transport
        self._settings = settings
        self.address = address
        self._admit_address = admit_address
        self._metrics: GatewayMetrics = hub.metrics
        self._outbox = Outbox()
        self._session = Session(guest_id, address, self._outbox, hub)
        self._desk = Desk(name, self._session, commands, self._post_text, hub.metrics)
        self._rate = TokenBucket(MESSAGES_BURST, MESSAGES_PER_S, now_s)
        self._patience = TokenBucket(PATIENCE, PATIENCE_PER_S, now_s)
        self._bad_frames = 0
        self._heard_at_s = now_s
        self._pinged_at_s = now_s
        self._sending_since_s: float | None = None
        self._ping: asyncio.Task[None] | None = None
        self._pings = 0
        self._awaited_pong = b""
        self._end_code: int | None = None

    async def run(self) -> None:
        """Serves the browser until either side closes."""
        writer = asyncio.create_task(self._write())
        worker = asyncio.create_task(self._desk.work())
        for task in (writer, worker):
            task.add_done_callback(self._ended)
        try:
            await self._read()
            if self._end_code is not None:
                await asyncio.wait([writer], timeout=2 * FAREWELL_S)
        finally:
            self._session.close()
            for task in filter(None, (writer, worker, self._ping)):
                task.cancel()
            await asyncio.gather(writer, worker, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A connection without its writer or its worker is none: the browser is to open another one."""
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("connection_failed", exc_info=error)
            self._cut("failed")

    def end(self, reason: str, code: int = CODE_GOING_AWAY) -> None:
        """Says goodbye and closes, once what is in the outbox has been sent. Nothing more is read."""
        if self._end_code is None:
            self._end_code = code
            self._metrics.closed.labels(reason).inc()
            self._outbox.put_answer(frames.encode(Bye(reason)))

    def _cut(self, reason: str) -> None:
        """Ends it without a word: there is nobody who would take one."""
        if not self._transport.is_closing():
            self._metrics.closed.labels(reason).inc()
            log.info("connection_cut", reason=reason)
            self._transport.abort()

    def tick(self, now_s: float) -> None:
        """Looks after the connection: pings, and cuts off who is gone or takes nothing."""
        settings = self._settings
        if self._sending_since_s is not None and now_s - self._sending_since_s > settings.stuck_ms / 1000:
            self._cut("too_slow")
        elif self._sending_since_s is None and now_s - self._heard_at_s > settings.silence_ms / 1000:
            self._cut("silent")
        elif now_s - self._pinged_at_s > settings.ping_every_ms / 1000:
            self._pinged_at_s = now_s
            if self._ping is None:
                self._ping = self._loop.create_task(self._send_ping())

    async def _send_ping(self) -> None:
        self._pings += 1
        self._awaited_pong = b"%d" % self._pings
        self._pinged_at_s = self._loop.time()
        try:
            with suppress(ConnectionError):
                await self._websocket.ping(self._awaited_pong)
        finally:
            self._ping = None

    def _take_pong(self, data: bytes) -> bool:
        """Whether it answers our latest ping: that measures the line (T-lag), any other says nothing."""
        if not self._awaited_pong or bytes(data) != self._awaited_pong:
            return False
        self._awaited_pong = b""
        self._session.lag_ms = round((self._heard_at_s - self._pinged_at_s) * 1000)
        return True

    async def _read(self) -> None:
        while self._end_code is None:
            message = await self._websocket.receive()
            self._heard_at_s = self._loop.time()
            match message.type:
                case WSMsgType.TEXT:
                    self._take(message.data)
                case WSMsgType.BINARY:
                    self._refuse_frame(frames.BadFrame(Refusal("bad_frame")))
                case WSMsgType.PING if self._admit():
                    await self._websocket.pong(message.data)
                case WSMsgType.PONG if not self._take_pong(message.data):
                    self._admit()  # nobody has asked for it
                case WSMsgType.PONG | WSMsgType.PING:
                    pass
                case _:
                    return
            del message  # or the last one stays for as long as nothing follows

    def _take(self, message: bytes) -> None:
        try:
            command = frames.read_command(message)
        except frames.BadFrame as bad:
            self._refuse_frame(bad)
            return
        if self._admit():
            self._desk.hand_in(command)
            return
        refusal = Refusal("too_fast")
        self._post(Error(command.id, refusal.reason, refusal.detail))

    def _admit(self) -> bool:
        """Whether the browser may say something now. Who goes on in spite of it is on the way out."""
        now_s = self._loop.time()
        if self._rate.take(now_s):
            # Whoever shares an address with somebody who shouts is refused too, but not cut off for it.
            return self._admit_address(now_s)
        self._metrics.too_fast.inc()
        if not self._patience.take(now_s):
            self.end("too_fast", CODE_TOO_FAST)
        return False

    def _refuse_frame(self, bad: frames.BadFrame) -> None:
        self._bad_frames += 1
        self._metrics.bad_frames.labels(bad.refusal.reason).inc()
        self._post(Error(bad.id, bad.refusal.reason, bad.refusal.detail))
        if self._bad_frames >= BAD_FRAMES:
            self.end("bad_frames", CODE_BAD_FRAMES)

    def _post(self, frame: Ok | Error) -> None:
        self._post_text(frames.encode(frame))

    def _post_text(self, text: bytes) -> None:
        # Nothing follows the goodbye: what is not answered then is asked again over the next connection.
        if self._end_code is None and not self._outbox.put_answer(text):
            self._cut("too_slow")

    async def _write(self) -> None:
        try:
            while self._end_code is None or len(self._outbox):
                frame = await self._outbox.take()
                if frame is None:
                    self._session.refresh()
                    continue
                self._sending_since_s = self._loop.time()
                await self._websocket.send_frame(frame, WSMsgType.TEXT)
                self._sending_since_s = None
                del frame  # the same
                if committed_at_us := self._outbox.committed_at_us:
                    self._metrics.commit_to_frame_seconds.observe(
                        max(0.0, time.time() - committed_at_us / 1e6)
                    )
            await self._websocket.close(code=self._end_code)
        except ConnectionError:
            # The browser is gone, and the reader learns it too.
            self._transport.abort()
