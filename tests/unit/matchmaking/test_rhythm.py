"""The beat that wakes the loops together."""

from __future__ import annotations

import asyncio

import pytest

from services.matchmaking.rhythm import Rhythm


async def test_who_began_to_wait_later_wakes_in_the_same_turn() -> None:
    rhythm = Rhythm(30)
    woken: list[float] = []
    loop = asyncio.get_running_loop()

    async def wait() -> None:
        await rhythm.wait()
        woken.append(loop.time())

    async with asyncio.TaskGroup() as group:
        group.create_task(wait())
        await asyncio.sleep(0.01)
        group.create_task(wait())
    assert woken[1] - woken[0] < 0.005


async def test_who_cannot_wait_so_long_wakes_earlier_and_takes_nobody_elses_beat_away() -> None:
    rhythm = Rhythm(200)
    patient = asyncio.create_task(rhythm.wait())
    async with asyncio.timeout(0.15):
        await rhythm.wait(0.01)
    assert not patient.done()
    async with asyncio.timeout(5):
        await patient
        await rhythm.wait()


async def test_in_a_calm_the_beat_is_slower_until_something_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.matchmaking.rhythm.CALM_AFTER_S", 0.05)
    monkeypatch.setattr("services.matchmaking.rhythm.CALM_TIMES", 1_000)
    rhythm = Rhythm(20)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await rhythm.wait()
    assert loop.time() - began < 1, "it has just begun"
    await asyncio.sleep(0.06)
    waiting = asyncio.create_task(rhythm.wait())
    _, still = await asyncio.wait([waiting], timeout=0.2)
    assert still, "a calm"
    rhythm.stir()
    async with asyncio.timeout(1):
        await waiting
