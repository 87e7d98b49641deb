"""A patient player: comes back through any gateway, and asks under one name until it is answered."""

from __future__ import annotations

import asyncio
import time
from itertools import count

import aiohttp

from tests.kit.browser import Browser, Refused

PASSING = ("unavailable", "unconfirmed", "busy", "draining", "too_fast", "not_joined")
ASK_AGAIN_S = 0.05
ANSWER_WITHIN_S = 3.0
AWAY = (OSError, ConnectionError, TimeoutError, aiohttp.ClientError)


class Client:
    """One seat's player. `resynchronised` counts its returns that ended in a full view."""

    def __init__(self, urls: list[str], number: int) -> None:
        self._urls = urls
        self._number = number
        self.browser = Browser(urls[number % len(urls)])
        self.resynchronised = 0
        self._is_there = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Client:
        try:
            await self.browser.connect()
        except AWAY:
            await self.browser.disconnect()
            raise
        self._is_there.set()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        await self.browser.disconnect()

    def stay(self) -> None:
        """From now on it comes back by itself."""
        self._keeping = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        while True:
            await self.browser.wait_closed(timeout_s=24 * 3600.0)
            self._is_there.clear()
            for attempt in count(1):
                try:
                    await self._return(self._urls[(self._number + attempt) % len(self._urls)])
                    break
                except (*AWAY, Refused):
                    await asyncio.sleep(ASK_AGAIN_S)

    async def _return(self, url: str) -> None:
        assert self.browser.place is not None
        table, _, token = self.browser.place
        seen = len(self.browser.frames)
        await self.browser.connect(url)
        await self.browser.join(table, token)
        await self.browser.wait_for(
            lambda browser: any(frame["t"] == "full" for frame in browser.frames[seen:]), ANSWER_WITHIN_S
        )
        self.resynchronised += 1
        self._is_there.set()

    async def insist(self, request_id: str, board: str, ply: int, uci: str) -> tuple[float, float]:
        """Makes a move for certain: when it was first asked and when acknowledged, by the monotonic clock.

        Raises Refused when the answer is a real no.
        """
        asked = time.monotonic()
        while True:
            await self._is_there.wait()
            try:
                await self.browser.command(
                    "move", request_id=request_id, timeout_s=ANSWER_WITHIN_S, board=board, ply=ply, uci=uci
                )
                return asked, time.monotonic()
            except Refused as refused:
                if refused.reason not in PASSING:
                    raise
            except AWAY:
                pass
            except AssertionError:  # the websocket is being opened anew
                pass
            await asyncio.sleep(ASK_AGAIN_S)
