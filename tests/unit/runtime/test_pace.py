"""A stream's pace: at once after a pause, together under load."""

from __future__ import annotations

import asyncio
import time

from libs.runtime.pace import Pace

GAP_S = 0.2


async def test_what_comes_after_a_pause_goes_at_once_and_what_comes_sooner_waits_for_the_rest() -> None:
    pace = Pace(GAP_S)
    began_s = time.monotonic()
    await pace.turn()
    first_s = time.monotonic()
    await pace.turn()
    second_s = time.monotonic()
    assert first_s - began_s < GAP_S / 2
    assert second_s - first_s >= GAP_S * 0.95
    await asyncio.sleep(GAP_S)
    asked_s = time.monotonic()
    await pace.turn()
    assert time.monotonic() - asked_s < GAP_S / 2


async def test_what_gathers_in_a_gap_is_there_when_the_turn_comes() -> None:
    pace, waiting = Pace(GAP_S), [1]
    sent: list[tuple[int, ...]] = []
    loop = asyncio.get_running_loop()
    loop.call_later(GAP_S / 4, waiting.append, 2)
    loop.call_later(GAP_S / 2, waiting.append, 3)
    while sum(len(together) for together in sent) < 3:
        await pace.turn()
        sent.append(tuple(waiting))
        waiting.clear()
    assert sent == [(1,), (2, 3)]
