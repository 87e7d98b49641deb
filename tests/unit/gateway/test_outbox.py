"""What waits for a slow browser is bounded, and what it misses is made up for by one full view."""

from __future__ import annotations

import asyncio

from services.gateway.outbox import ANSWERS, MATCH_FRAMES, Kind, Outbox


async def drained(outbox: Outbox) -> list[bytes]:
    return [frame for _ in range(len(outbox)) if (frame := await outbox.take()) is not None]


async def test_frames_leave_in_the_order_in_which_they_came() -> None:
    outbox = Outbox()
    outbox.put_answer(b"ok")
    outbox.put_latest(Kind.TABLE, b"table")
    outbox.put_full(b"full")
    outbox.put_change(b"delta")
    assert await drained(outbox) == [b"ok", b"table", b"full", b"delta"]


async def test_a_frame_too_many_drops_the_match_frames_and_keeps_the_answers() -> None:
    outbox = Outbox()
    outbox.put_answer(b"ok")
    assert all(outbox.put_change(b"delta") for _ in range(MATCH_FRAMES))
    assert not outbox.put_change(b"delta")
    assert outbox.owed
    assert await drained(outbox) == [b"ok"]


async def test_the_owed_view_is_asked_for_once_when_all_is_sent() -> None:
    outbox = Outbox()
    for _ in range(MATCH_FRAMES + 1):
        outbox.put_change(b"delta")
    outbox.put_answer(b"ok")
    assert await outbox.take() == b"ok"
    assert await outbox.take() is None
    waiting = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    outbox.put_change(b"a delta of before")
    outbox.put_full(b"full")
    outbox.put_change(b"a delta of after")
    assert await waiting == b"full"
    assert await outbox.take() == b"a delta of after"


async def test_an_overflow_wakes_a_waiting_writer_that_has_nothing_to_send() -> None:
    outbox = Outbox()
    waiting = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    for _ in range(MATCH_FRAMES + 1):
        outbox.put_change(b"delta")
    assert await waiting is None


async def test_a_full_view_takes_the_place_of_too_many_deltas() -> None:
    outbox = Outbox()
    for _ in range(MATCH_FRAMES):
        outbox.put_change(b"delta")
    outbox.put_full(b"full")
    assert await drained(outbox) == [b"full"]


async def test_only_the_last_state_of_a_table_waits() -> None:
    outbox = Outbox()
    outbox.put_latest(Kind.TABLE, b"old")
    outbox.put_answer(b"ok")
    outbox.put_latest(Kind.TABLE, b"new")
    assert await drained(outbox) == [b"ok", b"new"]


async def test_answers_that_nobody_reads_are_bounded() -> None:
    outbox = Outbox()
    assert all(outbox.put_answer(b"ok") for _ in range(ANSWERS))
    assert not outbox.put_answer(b"ok")
    assert len(outbox) == ANSWERS


async def test_frames_of_a_match_that_was_left_are_dropped() -> None:
    outbox = Outbox()
    outbox.put_change(b"delta")
    outbox.put_answer(b"ok")
    outbox.forget_match()
    assert await drained(outbox) == [b"ok"]
