"""A wire between two processes that a test can cut: what it carries stops, and both ends learn nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self

CHUNK_BYTES = 64 * 1024


class Wire:
    """`async with Wire("127.0.0.1:6379") as wire:` listens at `wire.address` and carries on to the target.

    Between `cut()` and `mend()` nothing passes in either direction and new connections are accepted but
    silent, as when a switch has lost its power. With `mend(broken=True)` the old connections end instead of
    going on, as after a time-out of the network's own.
    """

    def __init__(self, target: str) -> None:
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._whole = asyncio.Event()
        self._whole.set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        self._break()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        self._whole.clear()

    def mend(self, broken: bool = False) -> None:
        if broken:
            self._break()
        self._whole.set()

    def _break(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        await self._whole.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection(self._host, self._port)
        except OSError:
            writer.transport.abort()
            return
        self._open.add(far_writer)
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._carry(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await source.read(CHUNK_BYTES):
                await self._whole.wait()
                sink.write(chunk)
                await sink.drain()
        sink.close()
        self._open.discard(sink)
