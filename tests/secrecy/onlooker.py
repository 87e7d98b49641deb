"""Somebody who is shown a game, frame by frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Self

from tests.secrecy.records import Record

PATIENCE_S = 30.0


class NotInTime(Exception):
    """Something that must come did not."""


class Onlooker:
    """`record` takes what comes; `ply` and `version` are the last ones shown."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.ply = self.version = -1
        self._news = asyncio.Event()

    def note_news(self) -> None:
        """Something came."""
        self._news.set()

    async def until(self, condition: Callable[[Self], bool], within_s: float = PATIENCE_S) -> None:
        """Waits until what came so far is enough, or the game over; NotInTime."""
        try:
            async with asyncio.timeout(within_s):
                while not (condition(self) or self.record.over):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise NotInTime("a frame never came") from None
