"""A browser that follows a goodbye: to the next gateway, to its table and seat, by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self, TypeVar

import aiohttp

from tests.kit.browser import Browser, Frame, Refused

T = TypeVar("T")
PAUSE_S = 0.05


class Follower(Browser):
    """Knows all gateways, as if there were one address before them. `moves_over` counts its changes.

    `command` is asked again, under the same id, over the next connection when the former ends unanswered.
    """

    def __init__(self, urls: Sequence[str], first: int = 0) -> None:
        super().__init__(urls[first])
        self.moves_over = 0
        self._urls = list(urls)
        self._following: asyncio.Task[None] | None = None
        self._at_its_place = asyncio.Event()

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self._at_its_place.set()
        self._following = asyncio.create_task(self._follow())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await super().__aexit__()

    async def persist(self, t: str, within_s: float = 40.0, **fields: Any) -> Frame:
        """The answer to a command, whatever happens to connections on the way."""
        request_id = f"{self._prefix}-{next(self._numbers)}"
        async with asyncio.timeout(within_s):
            while True:
                await self._at_its_place.wait()
                try:
                    return await self.command(t, request_id=request_id, **fields)
                except Refused as refused:
                    if refused.reason not in ("unavailable", "busy", "draining", "not_joined"):
                        raise
                except (ConnectionError, aiohttp.ClientError):
                    pass  # the follower is on its way to another gateway
                await asyncio.sleep(PAUSE_S)

    async def until(self, condition: Callable[[Self], T | None], within_s: float = 40.0) -> T:
        """What `condition(browser)` gives as soon as that is true, over as many connections as it takes."""
        async with asyncio.timeout(within_s):
            while True:
                await self._at_its_place.wait()
                with suppress(ConnectionError):
                    return await self.wait_for(condition, within_s)
                await asyncio.sleep(PAUSE_S)

    async def _follow(self) -> None:
        while True:
            assert self._reader is not None
            await asyncio.wait([self._reader])
            self._at_its_place.clear()
            await self._move_over()
            self._at_its_place.set()

    async def _move_over(self) -> None:
        """Tries one gateway after the other until one has it at its seat again."""
        while True:
            for url in self._urls:
                with suppress(OSError, aiohttp.ClientError, Refused, TimeoutError):
                    await self.connect(url)
                    if self.place is not None:
                        table, _, token = self.place
                        seen = self.match or {}
                        await self.join(
                            table,
                            token,
                            **{name: seen[name] for name in ("version", "epoch") if name in seen},
                        )
                    self.moves_over += 1
                    return
            await asyncio.sleep(PAUSE_S)
