"""Commands given at the same time travel together: one write, one sync to the disk, one answer to read."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from typing import Any

from redis.asyncio import Redis

ON_THEIR_WAY = 2
"""So many bundles at once: one is carried out while the next one travels."""
MOST = 256
"""Commands in one bundle; more wait for the next one. Each has a caller who waits for it."""


class Together:
    """Bundles the commands of one server: alone, one goes at once; under load, all that have gathered go.

    Each is answered, or fails with a TimeoutError, within ``answer_within_s``.
    """

    def __init__(self, client: Redis, answer_within_s: float) -> None:
        self._client: Any = client
        self._answer_within_s = answer_within_s
        self._loop: asyncio.AbstractEventLoop | None = None
        # Each command, its answer to come, and when that is due at the latest.
        self._waiting: deque[tuple[tuple[Any, ...], asyncio.Future[Any], float]] = deque()
        self._carriers: set[asyncio.Task[None]] = set()
        self._carrying = 0

    async def execute(self, *words: Any) -> Any:
        """The answer to one command. Raises what the server or the way to it raises for this command."""
        return await self.ask(*words)

    def ask(self, *words: Any) -> asyncio.Future[Any]:
        """Give a command; its answer is to come. Who gives up cancels it."""
        loop = self._loop = self._loop or asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((words, answer, loop.time() + self._answer_within_s))
        if self._carrying < ON_THEIR_WAY:
            self._carry_on(loop)
        return answer

    def _carry_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self._carrying += 1
        carrier = loop.create_task(self._carry(loop), name="commands together")
        self._carriers.add(carrier)
        carrier.add_done_callback(self._carriers.discard)

    async def _carry(self, loop: asyncio.AbstractEventLoop) -> None:
        """Carries bundles until nothing waits."""
        try:
            await self._carry_all(loop)
        finally:
            # At once, not when the task is seen to be done: what is given in between would wait for ever.
            self._carrying -= 1

    async def _carry_all(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            pipeline = self._client.pipeline(transaction=False)
            answers: list[asyncio.Future[Any]] = []
            first_due = math.inf
            while self._waiting and len(answers) < MOST:
                words, answer, due = self._waiting.popleft()
                if answer.done():  # its caller has given up
                    continue
                if due <= loop.time():  # in vain it has waited; those behind it still have time
                    answer.set_exception(TimeoutError())
                    continue
                pipeline.execute_command(*words)
                answers.append(answer)
                first_due = min(first_due, due)
            if not answers:
                return
            try:
                # A task of its own: no caller's cancellation ever leaves an answer unread on the connection.
                async with asyncio.timeout_at(first_due):
                    said = await pipeline.execute(raise_on_error=False)
            except Exception as error:
                said = [error] * len(answers)
            for answer, each in zip(answers, said, strict=True):
                if answer.done():
                    continue
                if isinstance(each, Exception):
                    answer.set_exception(each)
                else:
                    answer.set_result(each)
