"""The HTTP side: routes, headers, and the door to the websocket."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from aiohttp import web

from libs.runtime.http import SERVER, Runner
from libs.runtime.logs import REQUEST_ID_HEADER, bound, get_logger
from libs.runtime.refusals import Refusal
from services.gateway.addresses import Addresses
from services.gateway.api import Api, refusal_response
from services.gateway.commands import Commands
from services.gateway.connection import CODE_BLOCKED, Connection
from services.gateway.door import Door
from services.gateway.games import Games
from services.gateway.guests import Guests
from services.gateway.ops import Ops
from services.gateway.pages import Pages
from services.gateway.session import Hub
from services.gateway.settings import GatewaySettings

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

READ_BYTES = 64 * 1024
"""A longer websocket message closes the connection (1009) before it is read; shorter ones are answered."""
SEND_BUFFER_BYTES = 128 * 1024
"""So that a browser that takes nothing is noticed here, not after megabytes in the kernel."""
TICK_S = 0.25
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    # A table's link is its secret: it goes to nobody else.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
    "Server": SERVER,
}
TLS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}
KEEPALIVE_S = 20.0
NAME = web.RequestKey("name", str)
NEVER_BLOCKED = ("/ops", "/healthz")
"""An operator who has blocked themselves can undo it, and a probe is no visitor."""
log = get_logger()


@web.middleware
async def _refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except Refusal as refusal:
        return refusal_response(refusal)


class Site:
    """Listens for browsers while entered. `port` is the one in use.

    Each request has a name, in all logs and in the answer's X-Request-Id, and each command of its websocket
    is "<name>.<its id>". Names are drawn by lot: numbers would tell everybody how much others ask for.
    """

    def __init__(
        self,
        settings: GatewaySettings,
        hub: Hub,
        commands: Commands,
        api: Api,
        games: Games,
        pages: Pages,
        guests: Guests,
        addresses: Addresses,
        ops: Ops | None,
    ) -> None:
        self.port = 0
        self._settings = settings
        self._hub = hub
        self._commands = commands
        self._guests = guests
        self._addresses = addresses
        self._headers = HEADERS | (TLS_HEADERS if settings.behind_tls else {})
        self._origins = {origin.strip() for origin in settings.extra_origins.split(",")} - {""}
        self._connections: set[Connection] = set()
        self._draining = False
        self._all_closed = asyncio.Event()
        application = web.Application(middlewares=[self._named, _refusals, self._limits])
        application.on_response_prepare.append(self._add_headers)
        application.add_routes(
            [
                web.get("/ws", self._websocket),
                web.get("/healthz", api.health),
                web.get("/api/privacy", api.privacy),
                web.get("/api/tables", api.tables),
                web.get("/api/tables/{table}", api.table),
                web.get("/api/tables/{table}/export", api.export),
                web.get("/api/tables/{table}/replay", api.replay),
                web.post("/api/games", games.read),
                web.get("/", pages.page),
                web.get("/p/{party}", pages.page),
                web.get("/rules", pages.page),
                web.get("/rules/{game:tandem|fog}", pages.page),
                web.get("/privacy", pages.page),
                web.get("/r", pages.page),
                web.get("/r/{table}", pages.page),
                web.get("/t/{table}", pages.page),
                web.get("/t/{table}/{seat}", pages.page),
                *(ops.routes() if ops else ()),
                web.get("/{path:.+}", pages.file),
            ]
        )
        self._runner = Runner(
            application, self._headers, hub.metrics.bad_http.inc, keepalive_timeout=KEEPALIVE_S
        )
        self._door: Door | None = None

    async def __aenter__(self) -> Self:
        settings = self._settings
        await self._runner.setup()
        server = self._runner.server
        assert server is not None  # noqa: S101 - it has just been set up
        self._door = Door(server, settings.first_request_ms / 1000, self._addresses.meter, self._hub.metrics)
        self.port = await self._door.open(settings.http_host, settings.http_port)
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._door is not None:
            self._door.close()
        await self._runner.cleanup()

    async def keep(self) -> None:
        """Looks after all connections until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(TICK_S)
            now_s = loop.time()
            for connection in tuple(self._connections):
                connection.tick(now_s)
                if self._hub.notices.blocks(connection.address):
                    connection.end("blocked", CODE_BLOCKED)
            if self._door is not None:
                self._door.tick(now_s)

    async def drain(self) -> None:
        """Takes no more websockets, says goodbye on those there are, and waits until they are closed."""
        self._draining = True
        self._hub.presence.freeze()
        for connection in tuple(self._connections):
            connection.end("draining")
        if self._connections:
            self._all_closed.clear()
            await self._all_closed.wait()

    @web.middleware
    async def _named(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        name = request[NAME] = secrets.token_hex(6)
        resource = request.match_info.route.resource  # its pattern: a path may hold a table's link
        route = resource.canonical if resource else ""
        status = 500
        with bound(request_id=name):
            try:
                response = await handler(request)
                status = response.status
            except web.HTTPException as answer:
                status = answer.status
                raise
            finally:
                log.debug("http", method=request.method, route=route, status=status)
        return response

    @web.middleware
    async def _limits(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self._door is not None:
            self._door.heard(request)
        address = self._addresses.of(request)
        if self._hub.notices.blocks(address) and not request.path.startswith(NEVER_BLOCKED):
            raise Refusal("blocked")
        if not self._addresses.admit(address, asyncio.get_running_loop().time()):
            raise Refusal("too_fast")
        return await handler(request)

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(self._headers)
        # What is refused before anybody handles it, as an Expect that nobody knows, has no name as yet.
        response.headers[REQUEST_ID_HEADER] = request.get(NAME) or secrets.token_hex(6)

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        if self._draining:
            raise Refusal("draining")
        if not self._may_open(request):
            raise web.HTTPForbidden(text="This page may not open a websocket here.\n")
        address = self._addresses.of(request)
        self._addresses.open(address)
        try:
            return await self._serve(request, address)
        finally:
            self._addresses.close(address)

    async def _serve(self, request: web.Request, address: str) -> web.StreamResponse:
        websocket = web.WebSocketResponse(
            timeout=1.0,
            autoping=False,
            compress=False,
            max_msg_size=READ_BYTES,
            writer_limit=0,
            decode_text=False,
        )
        guest_id = self._guests.welcome(request, websocket)
        transport = request.transport
        if transport is None:
            raise web.HTTPBadRequest
        peer: socket.socket = transport.get_extra_info("socket")
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        await websocket.prepare(request)
        connection = Connection(
            request[NAME],
            guest_id,
            websocket,
            transport,
            self._hub,
            self._commands,
            self._settings,
            address,
            partial(self._addresses.admit, address),
        )
        self._connections.add(connection)
        self._hub.metrics.connections.set(len(self._connections))
        if self._draining:  # the drain has begun while the two sides were shaking hands
            connection.end("draining")
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self._hub.metrics.connections.set(len(self._connections))
            if not self._connections:
                self._all_closed.set()
        return websocket

    def _may_open(self, request: web.Request) -> bool:
        """Only our own pages; a program that is no browser sends no origin."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self._origins:
            return True
        try:
            return urlsplit(origin).netloc == request.host
        except ValueError:  # no address at all
            return False
