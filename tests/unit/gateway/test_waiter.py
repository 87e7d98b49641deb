"""A task's sleep: whoever wakes it, and whenever."""

from __future__ import annotations

import asyncio

import pytest

from services.gateway.waiter import Waiter


async def test_who_sleeps_is_woken_once_however_often_it_is_called() -> None:
    waiter = Waiter()
    sleeper = asyncio.create_task(waiter.sleep())
    await asyncio.sleep(0)
    waiter.wake()
    waiter.wake()
    await asyncio.wait_for(sleeper, 1)


async def test_a_call_before_the_sleep_is_not_kept_for_it() -> None:
    waiter = Waiter()
    waiter.wake()
    sleeper = asyncio.create_task(waiter.sleep())
    done, _ = await asyncio.wait([sleeper], timeout=0.05)
    assert not done
    waiter.wake()
    await asyncio.wait_for(sleeper, 1)


async def test_a_sleeper_that_was_cancelled_is_called_in_vain_and_sleeps_again() -> None:
    waiter = Waiter()
    sleeper = asyncio.create_task(waiter.sleep())
    await asyncio.sleep(0)
    sleeper.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sleeper
    waiter.wake()
    again = asyncio.create_task(waiter.sleep())
    await asyncio.sleep(0)
    assert not again.done()
    waiter.wake()
    await asyncio.wait_for(again, 1)
