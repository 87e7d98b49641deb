"""How a connection's tasks sleep until there is something for them."""

from __future__ import annotations

import asyncio


class Waiter:
    """The sleep of one task, until anybody wakes it; who is woken looks for itself what there is.

    An asyncio.Event, which many may wait for, takes several times the memory, and a system call each time.
    """

    __slots__ = ("_asleep", "_loop")

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asleep: asyncio.Future[None] | None = None

    async def sleep(self) -> None:
        """Sleep until `wake` is called; to be called by one task only."""
        self._loop = self._loop or asyncio.get_running_loop()
        self._asleep = self._loop.create_future()
        try:
            await self._asleep
        finally:
            self._asleep = None

    def wake(self) -> None:
        """Wake the task, if it sleeps."""
        if self._asleep is not None and not self._asleep.done():
            self._asleep.set_result(None)
