"""The listening port: who connects must soon ask for something."""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from services.gateway.metrics import GatewayMetrics

MOST_SILENT = 2_000
"""So many connections may wait with their first request; one more, and the oldest of them is closed."""
BACKLOG = 1024


class Door:
    """Accepts connections for `server`, and closes those whose first request does not come in time.

    A thousand sockets that are opened and say nothing, or a header a minute, cost a thousand descriptors for
    `patience_s` and no longer.
    """

    def __init__(self, server: web.Server, patience_s: float, metrics: GatewayMetrics) -> None:
        self._server = server
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

    def _accept(self) -> RequestHandler:
        protocol = self._server()
        self._silent[protocol] = asyncio.get_running_loop().time()
        if len(self._silent) > MOST_SILENT:
            self._turn_away(next(iter(self._silent)))
        return protocol

    def _turn_away(self, protocol: RequestHandler) -> None:
        del self._silent[protocol]
        if protocol.transport is not None:  # it may be gone by itself
            self._metrics.limited.labels("first_request").inc()
            protocol.transport.abort()
