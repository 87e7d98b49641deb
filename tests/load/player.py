"""A websocket that costs its client as little as can be: it reads of a frame only what is measured."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import count

import aiohttp
import msgspec

ANSWER_WITHIN_S = 20.0
_numbers = count(1)


class MoveSeen(msgspec.Struct):
    """One line of a frame's moves."""

    board: str
    ply: int


class Seen(msgspec.Struct):
    """Of a frame what a scripted player needs; everything else is skipped unread."""

    t: str
    id: str = ""
    reason: str = ""
    table: object = None
    seat: int | None = None
    token: str | None = None
    version: int = 0
    moves: list[MoveSeen] = []
    result: dict[str, object] | None = None


_decode = msgspec.json.Decoder(Seen).decode
_encode = msgspec.json.encode


class Refused(Exception):
    """A command was answered by an error; the message is its reason."""


class Gone(Exception):
    """The websocket has ended."""


class Player:
    """A seat's or a spectator's websocket. ``on_frame`` hears of each frame of the match and when it came."""

    def __init__(self, url: str, on_frame: Callable[[Player, Seen, float], None]) -> None:
        self.url = url
        self.table = ""
        self.token: str | None = None
        self.gaps = 0
        self.version = 0
        self._on_frame = on_frame
        self._session: aiohttp.ClientSession | None = None
        self._socket: aiohttp.ClientWebSocketResponse[bool] | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[str, asyncio.Future[Seen]] = {}

    async def open(self, session: aiohttp.ClientSession) -> None:
        """Opens the websocket; `session` may be shared: nobody is known by a cookie here but by tokens."""
        self._session = session
        self._socket = await session.ws_connect(f"{self.url}/ws", max_msg_size=0, compress=0)
        self._reader = asyncio.create_task(self._read(self._socket))

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await asyncio.wait([self._reader], timeout=5)

    async def again(self) -> None:
        """Closes and comes back, as a page that is reloaded; it has a full view then."""
        assert self._session is not None
        await self.close()
        await self.open(self._session)
        fields = {"token": self.token} if self.token else {}
        await self.ask("join", table=self.table, **fields)

    async def ask(self, command: str, **fields: object) -> Seen:
        """A command and its `ok`. Raises Refused, Gone, or TimeoutError."""
        assert self._socket is not None
        request_id = f"r{next(_numbers)}"
        answer: asyncio.Future[Seen] = asyncio.get_running_loop().create_future()
        self._answers[request_id] = answer
        try:
            message = _encode({"t": command, "id": request_id, **fields})
            await self._socket.send_frame(message, aiohttp.WSMsgType.TEXT)
            async with asyncio.timeout(ANSWER_WITHIN_S):
                seen = await answer
        except (ConnectionError, aiohttp.ClientError) as error:
            raise Gone from error
        finally:
            self._answers.pop(request_id, None)
        if seen.t == "error":
            raise Refused(seen.reason)
        return seen

    async def _read(self, socket: aiohttp.ClientWebSocketResponse[bool]) -> None:
        try:
            async for message in socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    self._take(_decode(message.data), time.perf_counter())
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(Gone())

    def _take(self, seen: Seen, at_s: float) -> None:
        if seen.t in ("ok", "error"):
            answer = self._answers.get(seen.id)
            if answer is not None and not answer.done():
                answer.set_result(seen)
        elif seen.t in ("full", "delta"):
            if seen.t == "delta" and seen.version != self.version + 1:
                self.gaps += 1
            self.version = seen.version
            self._on_frame(self, seen, at_s)
