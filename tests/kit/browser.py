"""A browser without a screen: one websocket, and the state of a page, merged as docs/protocol.md says."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from itertools import count
from typing import Any, Self, TypeVar

import aiohttp

T = TypeVar("T")
Frame = dict[str, Any]


class Refused(Exception):
    """A command was answered by an error."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Browser:
    """`async with Browser("http://127.0.0.1:8080") as browser:` is a guest with an open websocket.

    `table` is the last table frame, `match` the merged match (a full frame's fields; talk is appended),
    both None until the first one. `frames` are all frames received, `texts` their JSON as it came. `place`
    is (table, seat or None, token or None) as last answered or `seated`. `queue` is the last queue frame
    of a wait that goes on. `gaps` counts versions that were missed, each
    of which made it join again by itself. `close_code` is set once the server has closed.
    """

    def __init__(self, url: str, cookies: aiohttp.CookieJar | None = None) -> None:
        self.url = url.rstrip("/")
        self.cookies = cookies or aiohttp.CookieJar(unsafe=True)  # unsafe: cookies of an address, too
        self.table: Frame | None = None
        self.match: Frame | None = None
        self.queue: Frame | None = None
        self.place: tuple[str, int | None, str | None] | None = None
        self.frames: list[Frame] = []
        self.texts: list[str] = []
        self.gaps = 0
        self.close_code: int | None = None
        self._session: aiohttp.ClientSession | None = None
        self._websocket: aiohttp.ClientWebSocketResponse[bool] | None = None
        self._reader: asyncio.Task[None] | None = None
        self._rejoining: asyncio.Task[Frame] | None = None
        self._awaits_full = False
        self._answers: dict[str, tuple[str, asyncio.Future[Frame]]] = {}
        self._news = asyncio.Condition()
        self._prefix = secrets.token_hex(4)
        self._numbers = count(1)

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.disconnect()

    async def connect(self, url: str | None = None) -> None:
        """Opens the websocket, also once more after the end of the former, and at another gateway."""
        await self.disconnect()
        self.url = (url or self.url).rstrip("/")
        self.close_code = None
        self._session = aiohttp.ClientSession(cookie_jar=self.cookies)
        self._websocket = await self._session.ws_connect(
            f"{self.url}/ws", max_msg_size=0, timeout=aiohttp.ClientWSTimeout(ws_close=1.0)
        )
        self._reader = asyncio.create_task(self._read(self._websocket))

    async def disconnect(self) -> None:
        """Closes the websocket as a page that is closed does; the cookie stays."""
        if self._websocket is not None:
            await self._websocket.close()
        if self._reader is not None:
            await asyncio.wait([self._reader], timeout=5)
            self._reader.cancel()
        if self._session is not None:
            await self._session.close()
        self._websocket = self._reader = self._session = None

    def drop(self) -> None:
        """The network is gone: nothing is read or answered any more, pings included, and nobody says so."""
        assert self._reader is not None
        self._reader.cancel()

    async def send(self, message: str | bytes) -> None:
        """Sends a message as it is: text for str, binary for bytes."""
        assert self._websocket is not None
        if isinstance(message, str):
            await self._websocket.send_str(message)
        else:
            await self._websocket.send_bytes(message)

    async def command(self, t: str, *, request_id: str = "", timeout_s: float = 10.0, **fields: Any) -> Frame:
        """Sends a command and returns its `ok`; raises Refused for an `error`, ConnectionError at the end."""
        request_id = request_id or f"{self._prefix}-{next(self._numbers)}"
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self._answers[request_id] = (t, answer)
        try:
            await self.send(json.dumps({"t": t, "id": request_id, **fields}))
            async with asyncio.timeout(timeout_s):
                frame = await answer
        finally:
            self._answers.pop(request_id, None)
        if frame["t"] == "error":
            raise Refused(frame["reason"], frame["detail"])
        return frame

    async def join(self, table: str, token: str | None = None, **fields: Any) -> Frame:
        """Watches a table, as a seat's holder when the token or the cookie proves it."""
        fields = fields if token is None else {"token": token, **fields}
        return await self.command("join", table=table, **fields)

    async def move(self, uci: str, **fields: Any) -> Frame:
        """A move on this seat's board that answers the position as it is known here."""
        assert self.match is not None
        board = "AABB"[self.match["you"]] if "B" in self.match["boards"] else "A"
        return await self.command(
            "move", **{"board": board, "ply": self.match["boards"][board]["ply"], "uci": uci, **fields}
        )

    async def wait_for(self, condition: Callable[[Self], T | None], timeout_s: float = 10.0) -> T:
        """What `condition(browser)` gives as soon as that is true; asked again after each frame.

        Raises TimeoutError, and ConnectionError when the websocket ends first.
        """
        async with self._news:
            async with asyncio.timeout(timeout_s):
                while not (found := condition(self)):
                    if self._reader is None or self._reader.done():
                        raise ConnectionError(f"closed with code {self.close_code}")
                    await self._news.wait()
            return found

    async def wait_closed(self, timeout_s: float = 10.0) -> int | None:
        """Waits until the server has closed; its code."""
        assert self._reader is not None
        async with asyncio.timeout(timeout_s):
            await asyncio.shield(self._reader)
        return self.close_code

    async def get(self, path: str) -> tuple[int, str]:
        """Status and body of a page of the same gateway, asked with the cookie."""
        assert self._session is not None
        async with self._session.get(self.url + path) as response:
            return response.status, await response.text()

    async def _read(self, websocket: aiohttp.ClientWebSocketResponse[bool]) -> None:
        try:
            async for message in websocket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    async with self._news:
                        self._receive(str(message.data))
                        self._news.notify_all()
        finally:
            self.close_code = websocket.close_code
            for _, answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionError(f"closed with code {self.close_code}"))
            async with self._news:
                self._news.notify_all()

    def _receive(self, text: str) -> None:
        frame = json.loads(text)
        self.frames.append(frame)
        self.texts.append(text)
        match frame["t"]:
            case "ok" | "error":
                self._answered(frame)
            case "table":
                self.table = frame
            case "queue":
                self.queue = frame
            case "seated":
                self.queue = None
                self._sits(frame)
            case "full":
                self.match = frame
                self._awaits_full = False
            case "delta":
                self._merge(frame)
            case "talk":
                said = [line["number"] for line in self.match["talk"]] if self.match is not None else []
                if self.match is not None and frame["number"] > max(said, default=0):
                    self.match["talk"].append(
                        {name: frame[name] for name in ("number", "seat", "quick", "text", "at_ms")}
                    )

    def _answered(self, frame: Frame) -> None:
        asked, answer = self._answers.get(frame["id"], ("", None))
        if frame["t"] == "ok" and asked in ("join", "take_seat", "play_now", "lift"):
            self._sits(frame)
        if answer is not None and not answer.done():
            answer.set_result(frame)

    def _sits(self, frame: Frame) -> None:
        if self.match is not None and self.match["table"] != frame["table"]:
            self.match = None
        self.place = (frame["table"], frame.get("seat"), frame.get("token"))

    def _merge(self, delta: Frame) -> None:
        match = self.match
        if match is None or self._awaits_full:
            return
        if (delta["table"], delta["epoch"], delta["version"]) != (
            match["table"],
            match["epoch"],
            match["version"] + 1,
        ):
            self.gaps += 1
            self._awaits_full = True
            token = self.place[2] if self.place is not None else None
            self._rejoining = asyncio.create_task(
                self.join(delta["table"], token, version=match["version"], epoch=match["epoch"])
            )
            return
        for name, part in delta.items():
            if name == "boards":
                match["boards"].update(part)
            elif name == "moves":
                match["moves"].extend(part)
            elif name != "t":
                match[name] = part
