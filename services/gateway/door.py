"""The listening port: who connects must soon ask for something, and may send only so much."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from services.gateway.metrics import GatewayMetrics

MOST_SILENT = 2_000
"""So many connections may wait with their first request; one more, and the oldest of them is closed."""
BACKLOG = 1024
Meter = Callable[[asyncio.BaseTransport], Callable[[int], bool]]
"""For a new connection: what tells of so many bytes more whether they are still within its limits."""


class Metered(asyncio.Protocol):
    """A connection whose bytes are counted before anything is made of them, whatever they are.

    A frame that tells nothing, or a piece of one, is none that the limits of messages see, and thousands of
    them a second would leave the gateway no time for anybody else.
    """

    def __init__(self, handler: RequestHandler, meter: Meter) -> None:
        self._handler = handler
        self._meter = meter

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._admit = self._meter(transport)
        self._handler.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._admit(len(data)):
            self._handler.data_received(data)
        else:
            self._transport.abort()

    def eof_received(self) -> None:
        self._handler.eof_received()

    def pause_writing(self) -> None:
        self._handler.pause_writing()

    def resume_writing(self) -> None:
        self._handler.resume_writing()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._handler.connection_lost(exc)


class Door:
    """Accepts connections for `server`, and closes those whose first request does not come in time.

    A thousand sockets that are opened and say nothing, or a header a minute, cost a thousand descriptors for
    `patience_s` and no longer.
    """

    def __init__(self, server: web.Server, patience_s: float, meter: Meter, metrics: GatewayMetrics) -> None:
        self._server = server
        self._meter = meter
        self._patience_s = patience_s
        self._metrics = metrics
        self._silent: dict[RequestHandler, float] = {}
        self._listener: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listens; the port. Raises OSError when it is taken."""
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(self._accept, host, port, backlog=BACKLOG)
        return int(self._listener.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Accepts no more."""
        if self._listener is not None:
            self._listener.close()

    def heard(self, request: web.Request) -> None:
        """The connection of this request has asked for something."""
        self._silent.pop(request.protocol, None)

    def tick(self, now_s: float) -> None:
        """Closes those that have waited too long, all in the order in which they came."""
        for protocol, since_s in tuple(self._silent.items()):
            if now_s - since_s < self._patience_s:
                break
            self._turn_away(protocol)

    def _accept(self) -> Metered:
        protocol = self._server()
        self._silent[protocol] = asyncio.get_running_loop().time()
        if len(self._silent) > MOST_SILENT:
            self._turn_away(next(iter(self._silent)))
        return Metered(protocol, self._meter)

    def _turn_away(self, protocol: RequestHandler) -> None:
        del self._silent[protocol]
        if protocol.transport is not None:  # it may be gone by itself
            self._metrics.limited.labels("first_request").inc()
            protocol.transport.abort()
