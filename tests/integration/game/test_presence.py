"""Who is there: gateways' reports, their silence, and the limit of being offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.tandemfog.game.v1.game_pb2 import GetStatusRequest, ReportPresenceRequest
from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.types.v1.types_pb2 import SeatPresence
from libs.runtime.refusals import Refusal, call
from tests.integration.game.kit import (
    BOT,
    HUMAN,
    Arena,
    Caller,
    StoreClock,
    game_service,
    game_settings,
    seat,
    start_match,
    until,
)

SECOND = 1_000_000
OPENING = "A:e2e4 A:e7e5 B:e2e4 B:e7e5"


async def report(arena: Arena, gateway: str, complete: bool = False, **seats: int) -> None:
    """A gateway's report: seats are written s0=1."""
    await call(
        arena.caller.game.ReportPresence,
        ReportPresenceRequest(
            gateway_id=gateway,
            complete=complete,
            seats=[
                SeatPresence(match_id=arena.match_id, seat=int(name[1:]), connections=count)
                for name, count in seats.items()
            ],
        ),
    )


async def online(arena: Arena) -> list[bool]:
    return [entry.online for entry in (await arena.state()).seats]


@pytest.mark.rule("T-leave")
async def test_a_seat_is_present_while_any_gateway_has_a_connection_of_it(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    assert await online(arena) == [True] * 4
    await report(arena, "g1", s0=2, s1=1)
    await report(arena, "g2", s0=1)
    await report(arena, "g1", s0=0)
    assert await online(arena) == [True] * 4
    await report(arena, "g2", s0=0)
    assert await online(arena) == [False, True, True, True]
    await report(arena, "g2", s0=1)
    assert await online(arena) == [True] * 4
    log = [event for event in (await arena.whole()).log if event.HasField("presence")]
    assert [(event.presence.seat, event.presence.online) for event in log] == [(0, False), (0, True)]
    status = await call(caller.game.GetStatus, GetStatusRequest(match_id=arena.match_id))
    assert [entry.online for entry in status.seats] == [True] * 4


async def test_a_complete_report_takes_back_what_it_does_not_name(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await report(arena, "g1", s0=1, s1=1)
    await report(arena, "g1", complete=True, s1=1)
    assert await online(arena) == [False, True, True, True]
    await report(arena, "g1", complete=True)
    assert await online(arena) == [False, False, True, True]


async def test_a_bot_is_always_there(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    assert clock.now_us
    seats = [seat(BOT, "Bot"), *(seat(HUMAN, f"P{number}") for number in (1, 2, 3))]
    arena = await start_match(caller, tmp_path, seats=seats)
    await report(arena, "g1", complete=True, s0=0, s1=0)
    assert await online(arena) == [True, False, True, True]


@pytest.mark.rule("T-leave")
@pytest.mark.scenario("R04")
@pytest.mark.parametrize("back_after_us", [59 * SECOND, 60 * SECOND - 1, 60 * SECOND, 61 * SECOND])
async def test_offline_for_a_minute_counts_as_leaving_and_a_moment_less_does_not(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path, back_after_us: int
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    await report(arena, "g1", s0=1, s1=1, s2=1, s3=1)
    await report(arena, "g1", s3=0)
    clock.advance(back_after_us)
    async with game_service(game_settings(valkey_url, tmp_path)) as other:
        back = Arena(other, arena.match_id, arena.key)
        await report(back, "g2", s3=1)
    late = back_after_us >= 60 * SECOND
    assert await arena.outcome() == ((2, "leaving") if late else None)
    if late:
        state = await arena.state()
        assert state.at_us == 60 * SECOND
        assert [left.remaining_us for left in state.clocks] == [120 * SECOND, 180 * SECOND] * 2


@pytest.mark.rule("T-leave")
async def test_a_leave_limit_and_a_flag_decide_in_the_order_of_their_instants(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    flag_first = await start_match(caller, tmp_path, initial_ms=15_000)
    leave_first = await start_match(caller, tmp_path, initial_ms=61_000)
    for arena in (flag_first, leave_first):
        await arena.play(OPENING)
        await report(arena, "g1", s1=0)
    clock.advance(120 * SECOND)
    assert await flag_first.outcome() == (2, "time")
    assert await leave_first.outcome() == (1, "leaving")


@pytest.mark.rule("F-win")
async def test_without_a_clock_ten_minutes_offline_count_as_leaving(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path, variant=types_pb2.VARIANT_FOG, initial_ms=None)
    await arena.play("A:e2e4 A:e7e5")
    await report(arena, "g1", s1=0)
    clock.advance(600 * SECOND - 1)
    assert await arena.outcome() is None
    clock.advance(1)
    assert await arena.outcome() == (1, "leaving")


@pytest.mark.rule("T-leave")
@pytest.mark.scenario("R06")
async def test_a_gateway_that_falls_silent_takes_its_seats_offline_within_15_s(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    async with game_service(game_settings(valkey_url, tmp_path, beat_ms=20)) as caller:
        arena = await start_match(caller, tmp_path)
        await report(arena, "g1", s0=1, s1=1, s2=1)
        await report(arena, "g2", s2=1, s3=1)
        clock.advance(10 * SECOND)
        await report(arena, "g2")
        clock.advance(4 * SECOND)

        async def offline() -> bool:
            return await online(arena) == [False, False, True, True]

        await until(offline)
        await report(arena, "g1")  # it had only been cut off: what it said before holds again

        async def back() -> bool:
            return await online(arena) == [True] * 4

        await until(back)


@pytest.mark.rule("T-leave")
async def test_whom_nobody_reports_at_the_start_is_offline_after_15_s(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    async with game_service(game_settings(valkey_url, tmp_path, beat_ms=20, start_grace_ms=15_000)) as caller:
        arena = await start_match(caller, tmp_path)
        await report(arena, "g1", s0=1)
        clock.advance(8 * SECOND)
        await report(arena, "g1")
        clock.advance(7 * SECOND - 1)
        assert await online(arena) == [True] * 4
        clock.advance(1)

        async def offline() -> bool:
            return await online(arena) == [True, False, False, False]

        await until(offline)
        assert await arena.outcome() is None


@pytest.mark.parametrize(
    "request_",
    [
        ReportPresenceRequest(gateway_id=""),
        ReportPresenceRequest(gateway_id="x" * 200),
        ReportPresenceRequest(gateway_id="g", seats=[SeatPresence(match_id="07" + "a" * 24, seat=4)]),
        ReportPresenceRequest(gateway_id="g", seats=[SeatPresence(match_id="no", seat=1)]),
    ],
)
async def test_an_absurd_report_is_refused(
    caller: Caller, clock: StoreClock, request_: ReportPresenceRequest
) -> None:
    assert clock.now_us
    with pytest.raises(Refusal):
        await call(caller.game.ReportPresence, request_)


async def test_a_report_on_a_match_that_is_gone_is_no_error(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await report(arena, "g1", s0=1)
    await arena.gesture(0, "abort")
    await report(arena, "g1", complete=True, s0=0)
    arena.match_id = "07" + "a" * 24
    await report(arena, "g1", s0=1)
