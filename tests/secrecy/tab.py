"""A browser's tab without a page: a websocket, and what came over it as it came."""

from __future__ import annotations

import asyncio
import json
import re
from itertools import count
from typing import Any

import aiohttp

from tests.secrecy.contents import NOT_NOW
from tests.secrecy.onlooker import PATIENCE_S, NotInTime, Onlooker
from tests.secrecy.records import Record

PAUSES_S = (0.1, 0.2, 0.5, 1.0, 2.0, 2.0, 2.0, 2.0)
_PLY = re.compile(rb'"turn":"(?:white|black)","ply":(\d+)')
_VERSION = re.compile(rb'"version":(\d+)')
_ID = re.compile(rb'"t":"(?:ok|error)","id":"([^"]+)"')


class Tab(Onlooker):
    """One guest's tab. `cookie` names the guest, "" before the first connection.

    `record` takes what is about its table; `fulls` counts full views, `answer` is the last one as it came.
    """

    def __init__(self, session: aiohttp.ClientSession, url: str, cookie: str = "") -> None:
        super().__init__(Record(""))
        self.cookie = cookie
        self.fulls = 0
        self.token = ""
        self.answer = b""
        self._session = session
        self._url = url
        self._websocket: aiohttp.ClientWebSocketResponse[bool] | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[str, asyncio.Future[bytes]] = {}
        self._numbers = count(1)
        self._name = ""

    async def open(self) -> None:
        """Opens the websocket, again after `close`."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self._websocket = await self._session.ws_connect(f"{self._url}/ws", headers=headers, max_msg_size=0)
        if not self.cookie:
            raw = self._websocket._response.headers["Set-Cookie"]
            self.cookie = raw.partition(";")[0]
        self._reader = asyncio.create_task(self._read(self._websocket))

    async def close(self) -> None:
        if self._websocket is not None:
            await self._websocket.close()
        if self._reader is not None:
            await asyncio.wait([self._reader])

    def begin(self, record: Record, name: str) -> None:
        """From now on another game; request ids begin with `name`, the same in both games of a pair."""
        self.record, self.ply, self.version, self.fulls = record, -1, -1, 0
        self._name, self._numbers = name, count(1)

    async def ask(self, t: str, *, kept: bool = True, **fields: Any) -> dict[str, Any]:
        """Sends a command and returns its answer, `ok` or `error`, which is recorded if `kept`.

        "Not now" is no answer: it tells how busy the services are, and the same request is made again.
        """
        request_id = f"{self._name}-{next(self._numbers):04}"
        request = json.dumps({"t": t, "id": request_id, **fields})
        frame = await self._send(request_id, request)
        for pause_s in PAUSES_S:
            if frame.get("reason") not in NOT_NOW:
                break
            await asyncio.sleep(pause_s)
            frame = await self._send(request_id, request)
        if kept:
            self.record.add("answers", self.answer)
        self.token = frame.get("token", self.token)
        return frame

    async def _send(self, request_id: str, request: str) -> dict[str, Any]:
        assert self._websocket is not None
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._answers[request_id] = answer
        await self._websocket.send_str(request)
        try:
            async with asyncio.timeout(PATIENCE_S):
                self.answer = await answer
        except TimeoutError:
            raise NotInTime(f"no answer to {request}") from None
        frame: dict[str, Any] = json.loads(self.answer)
        return frame

    async def _read(self, websocket: aiohttp.ClientWebSocketResponse[bool]) -> None:
        async for message in websocket:
            if message.type is aiohttp.WSMsgType.TEXT:
                self._take(str(message.data).encode())
                self.note_news()

    def _take(self, message: bytes) -> None:
        asked = _ID.search(message, 0, 100)
        if asked is not None:
            answer = self._answers.pop(asked.group(1).decode(), None)
            if answer is not None and not answer.done():
                answer.set_result(message)
                return
        if asked is None and b'"table":"' in message and self.record.table.encode() not in message:
            return  # about the game before this one
        if message.startswith(b'{"t":"table"'):
            if b'"state":"started"' in message:  # before the start nobody has anything to hide
                self.record.add("table", message)
            return
        is_full = message.startswith(b'{"t":"full"')
        if not is_full and not message.startswith((b'{"t":"delta"', b'{"t":"talk"')):
            self.record.add("other", message)
            return
        if b'"result":{' in message:
            self.record.over = True
        self.record.add("match", message)
        self.fulls += is_full
        version = _VERSION.search(message)
        if version is not None:
            self.version = int(version.group(1))
        shown = _PLY.search(message)
        if shown is not None:
            self.ply = int(shown.group(1))
