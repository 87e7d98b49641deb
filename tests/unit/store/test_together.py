"""Commands that travel together: each is answered, whatever gathers when."""

from __future__ import annotations

import asyncio
import time
from typing import Any, cast

from redis.asyncio import Redis

from libs.store.together import ON_THEIR_WAY, Together


class Server:
    """Answers each bundle by the commands themselves, once its gate is open."""

    def __init__(self) -> None:
        self.bundles: list[list[Any]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    def pipeline(self, *, transaction: bool) -> Bundle:
        assert not transaction
        return Bundle(self)


class Bundle:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._words: list[Any] = []

    def execute_command(self, *words: Any) -> None:
        self._words.append(words)

    async def execute(self, *, raise_on_error: bool) -> list[Any]:
        assert not raise_on_error
        self._server.bundles.append(self._words)
        await self._server.gate.wait()
        return self._words


async def until_bundles(server: Server, count: int) -> None:
    """Waits until so many bundles are on their way."""
    async with asyncio.timeout(1):
        while len(server.bundles) < count:
            await asyncio.sleep(0)


async def test_a_command_given_just_when_the_last_bundles_have_come_back_waits_for_no_other() -> None:
    server = Server()
    server.gate.clear()
    together = Together(cast("Redis", server), 1.0)

    async def two() -> None:
        for number in (1, 2):
            assert await together.execute(number) == (number,)

    callers = [asyncio.create_task(two())]
    await until_bundles(server, 1)
    callers += [asyncio.create_task(together.execute("other")) for _ in range(ON_THEIR_WAY - 1)]
    await until_bundles(server, ON_THEIR_WAY)
    server.gate.set()
    async with asyncio.timeout(1):
        await asyncio.gather(*callers)


async def test_each_of_many_callers_gets_the_answer_to_its_own_command() -> None:
    server = Server()
    together = Together(cast("Redis", server), 1.0)
    async with asyncio.timeout(1):
        answers = await asyncio.gather(*(together.execute("n", number) for number in range(600)))
    assert answers == [("n", number) for number in range(600)]
    assert len(server.bundles) < 10


async def test_a_command_that_has_waited_in_vain_fails_in_time_and_costs_none_behind_it_its_answer() -> None:
    server = Server()
    server.gate.clear()
    together = Together(cast("Redis", server), 0.2)
    loop = asyncio.get_running_loop()
    asked_at = loop.time()
    hanging = [asyncio.create_task(together.execute(number)) for number in range(ON_THEIR_WAY)]
    await until_bundles(server, 1)
    async with asyncio.timeout(1):
        answers = await asyncio.gather(*hanging, return_exceptions=True)
    assert all(isinstance(answer, TimeoutError) for answer in answers)
    assert loop.time() - asked_at < 0.4

    late = [together.ask("late") for _ in range(2)]
    time.sleep(0.3)  # noqa: ASYNC251 - this process itself is held up, as by a signal
    fresh = together.ask("fresh")
    server.gate.set()
    async with asyncio.timeout(1):
        assert await fresh == ("fresh",)
        assert all(
            isinstance(each, TimeoutError) for each in await asyncio.gather(*late, return_exceptions=True)
        )
