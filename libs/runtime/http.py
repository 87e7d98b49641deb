"""The HTTP server of a service: what it refuses before a handler of ours sees it, and how that is told."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from libs.runtime.logs import get_logger

SERVER = "tandemfog"
"""The Server header: nothing of what it is made of."""
BAD_REQUEST = (HttpProcessingError, web.RequestPayloadError)
"""What was sent is no HTTP, from its first line to the last chunk of its body."""
log = get_logger()
NoteBad = Callable[[], None]


class Runner(web.AppRunner):
    """Runs `application`. `headers` are also in the answers that no handler of ours gives.

    Nothing that was sent gets into the log, however odd: the library quotes what it cannot read, and that may
    be a token or a cookie. `note_bad` is called for each request that is no HTTP.
    """

    def __init__(
        self, application: web.Application, headers: Mapping[str, str], note_bad: NoteBad, **options: Any
    ) -> None:
        options = {"access_log": None, **options}
        super().__init__(application, shutdown_timeout=1.0, **options)
        self._headers = headers
        self._note_bad = note_bad
        self._options = options

    async def _make_server(self) -> web.Server:
        plain = await super()._make_server()
        return _DiscreetServer(plain, self._headers, self._note_bad, self._options)


class _DiscreetServer(web.Server):
    def __init__(
        self, plain: web.Server, headers: Mapping[str, str], note_bad: NoteBad, options: dict[str, Any]
    ) -> None:
        super().__init__(plain.request_handler, request_factory=plain.request_factory)
        self._headers = headers
        self._note_bad = note_bad
        self._options = options

    def __call__(self) -> RequestHandler:
        return _DiscreetHandler(
            self, self._headers, self._note_bad, loop=asyncio.get_running_loop(), **self._options
        )


class _DiscreetHandler(RequestHandler):
    """One connection."""

    __slots__ = ("_extra_headers", "_note_bad")

    def __init__(
        self, server: web.Server, headers: Mapping[str, str], note_bad: NoteBad, **options: Any
    ) -> None:
        super().__init__(server, **options)
        self._extra_headers = headers
        self._note_bad = note_bad

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - it quotes the request
    ) -> web.StreamResponse:
        """The answer to what could not be read, or not be answered; the connection is closed after it."""
        if isinstance(exc, ConnectionError):  # the other side has hung up: nothing failed, nobody is answered
            raise exc
        if isinstance(exc, BAD_REQUEST):
            status = 400
        self._tell(status, exc)
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun already")
        text = "Bad request.\n" if status < 500 else "Something went wrong here.\n"
        response = web.Response(status=status, text=text, headers=self._extra_headers)
        response.force_close()
        return response

    def log_exception(self, *_args: Any, exc_info: Any = None, **_options: Any) -> None:
        """What the library could not deal with."""
        if not isinstance(exc_info, ConnectionError):  # the other side has hung up
            self._tell(400 if isinstance(exc_info, BAD_REQUEST) else 500, exc_info)

    def _tell(self, status: int, error: object) -> None:
        if status < 500:
            self._note_bad()
            log.info("bad_http", error=type(error).__name__)
            return
        # Where it was, without the error's own words: they may quote the request.
        where = traceback.extract_tb(error.__traceback__) if isinstance(error, BaseException) else []
        log.error(
            "http_failed",
            status=status,
            error=type(error).__name__,
            where=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in where],
        )
