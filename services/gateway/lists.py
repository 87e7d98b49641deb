"""The list of public tables, live: asked for once for all who watch it, and sent when it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.gateway.frames import encode
from services.gateway.pushed import ListOfTables
from services.gateway.translate import table_entry

EVERY_S = 1.0
log = get_logger()


class ListSink(Protocol):
    """Who watches the list."""

    def show_list(self, frame: bytes) -> None: ...


class Lists:
    """All who watch the list through this gateway; ``ask`` asks for the tables and raises Refusal."""

    def __init__(self, ask: Callable[[], Awaitable[list[matchmaking.Table]]]) -> None:
        self._ask = ask
        self._sinks: set[ListSink] = set()
        self._latest: bytes | None = None
        self._some = asyncio.Event()

    def watch(self, sink: ListSink) -> None:
        """Shows the list to `sink`, now and whenever it changes."""
        self._sinks.add(sink)
        if self._latest is not None:
            sink.show_list(self._latest)
        self._some.set()

    def unwatch(self, sink: ListSink) -> None:
        """Shows it no more."""
        self._sinks.discard(sink)
        if not self._sinks:
            # Nobody keeps it up to date any more.
            self._latest = None
            self._some.clear()

    async def run(self) -> None:
        """Looks once a second while anybody watches; until cancelled."""
        while True:
            await self._some.wait()
            try:
                tables = await self._ask()
            except Refusal as refusal:
                log.warning("list_failed", reason=refusal.reason)
            else:
                frame = encode(ListOfTables([table_entry(table) for table in tables]))
                if frame != self._latest and self._sinks:
                    self._latest = frame
                    for sink in tuple(self._sinks):
                        sink.show_list(frame)
            await asyncio.sleep(EVERY_S)
