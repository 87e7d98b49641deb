"""Two people on one device: no time passes behind the curtain (F-curtain)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.tandemfog.game.v1.game_pb2 import CreateMatchRequest, Lift, ReportPresenceRequest
from gen.tandemfog.types.v1 import types_pb2
from libs.identity.ids import new_table_id
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

pytestmark = pytest.mark.rule("F-curtain")
SECOND = 1_000_000
DAY = 24 * 3600 * SECOND


async def one_device(caller: Caller, folder: Path, initial_ms: int | None = 180_000) -> Arena:
    return await start_match(
        caller, folder, variant=types_pb2.VARIANT_FOG, initial_ms=initial_ms, increment_ms=0, curtain=True
    )


async def running(arena: Arena) -> list[bool]:
    return [clock.running for clock in (await arena.state()).clocks]


async def test_no_time_runs_and_no_flag_falls_until_the_curtain_is_lifted(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await one_device(caller, tmp_path)
    clock.advance(3600 * SECOND)
    assert await running(arena) == [False, False]
    assert await arena.remaining() == [180 * SECOND, 180 * SECOND]
    await arena.lift(0, 0)
    assert await running(arena) == [True, False]
    clock.advance(5 * SECOND)
    await arena.move(0, 0, "e2e4")
    clock.advance(3600 * SECOND)
    assert await running(arena) == [False, False]
    assert await arena.remaining() == [175 * SECOND, 180 * SECOND]
    await arena.lift(1, 1)
    clock.advance(180 * SECOND - 1)
    assert await arena.outcome() is None
    clock.advance(1)
    assert await arena.outcome() == (1, "time")


async def test_the_sweep_ends_a_match_by_the_flag_of_who_has_lifted_only(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path, beat_ms=20)
    async with game_service(settings) as caller:
        arena = await one_device(caller, tmp_path)
        other = await start_match(caller, tmp_path, variant=types_pb2.VARIANT_FOG)
        await arena.lift(0, 0)
        await arena.move(0, 0, "e2e4")
        await other.play("A:e2e4")
        clock.advance(200 * SECOND)

        async def other_is_over() -> bool:
            return await other.outcome() == (1, "time")

        await until(other_is_over)
        assert await arena.outcome() is None
        await arena.lift(1, 1)
        clock.advance(200 * SECOND)

        async def is_over() -> bool:
            return await arena.outcome() == (1, "time")

        await until(is_over)


async def test_a_lift_is_done_once_however_often_it_is_asked_for(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    arena = await one_device(caller, tmp_path)
    first = await arena.act(0, request_id="lift", lift=Lift(ply=0))
    clock.advance(7 * SECOND)
    async with game_service(game_settings(valkey_url, tmp_path)) as replica:
        again = await arena.act(0, request_id="lift", lift=Lift(ply=0), caller=replica)
    assert (first.version, first.duplicate) == (2, False)
    assert (again.version, again.duplicate) == (2, True)
    assert await arena.refusal(0, lift=Lift(ply=0)) == "curtain_up"
    assert await arena.remaining() == [173 * SECOND, 180 * SECOND]
    assert [event.WhichOneof("what") for event in (await arena.whole()).log] == [None, "lifted"]


async def test_what_is_refused_behind_the_curtain_changes_nothing(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await one_device(caller, tmp_path)
    assert await arena.move_refusal(0, 0, "e2e4") == "curtain_down"
    assert await arena.refusal(1, lift=Lift(ply=0)) == "not_your_turn"
    assert await arena.refusal(0, lift=Lift(ply=1)) == "stale"
    clock.advance(SECOND)
    state = await arena.state()
    assert (state.version, state.lifts, state.boards[0].ply) == (1, 0, 0)
    assert not any(reading.running for reading in state.clocks)


@pytest.mark.rule("T-leave")
async def test_nobody_is_away_on_one_device(clock: StoreClock, valkey_url: str, tmp_path: Path) -> None:
    """No connection for an hour behind the curtain costs nobody the match."""
    settings = game_settings(valkey_url, tmp_path, beat_ms=20, start_grace_ms=1_000)
    async with game_service(settings) as caller:
        arena = await one_device(caller, tmp_path)
        other = await start_match(caller, tmp_path)
        gone = types_pb2.SeatPresence(match_id=arena.match_id, seat=1, connections=0)
        await call(
            caller.game.ReportPresence,
            ReportPresenceRequest(gateway_id="g", seats=[gone], complete=True),
        )
        clock.advance(2 * SECOND)

        async def others_are_offline() -> bool:
            return not any(player.online for player in (await other.state()).seats)

        await until(others_are_offline)
        clock.advance(3600 * SECOND)
        state = await arena.state()
        assert [player.online for player in state.seats] == [True, True]
        assert not state.HasField("outcome")
        assert state.version == 1


@pytest.mark.parametrize("initial_ms", [180_000, None])
async def test_an_abandoned_match_is_given_up_a_week_after_the_last_move(
    caller: Caller, clock: StoreClock, tmp_path: Path, initial_ms: int | None
) -> None:
    arena = await one_device(caller, tmp_path, initial_ms)
    clock.advance(6 * DAY)
    await arena.lift(0, 0)
    await arena.move(0, 0, "e2e4")
    clock.advance(7 * DAY - 1)
    assert await arena.outcome() is None
    clock.advance(1)
    assert await arena.outcome() == (0, "idle")


@pytest.mark.usefixtures("clock")
async def test_without_a_clock_the_curtain_works_the_same(caller: Caller, tmp_path: Path) -> None:
    arena = await one_device(caller, tmp_path, None)
    for ply, uci in enumerate(("e2e4", "e7e5", "g1f3")):
        assert await arena.move_refusal(ply % 2, ply, uci) == "curtain_down"
        await arena.lift(ply % 2, ply)
        await arena.move(ply % 2, ply, uci)
    state = await arena.state()
    assert (state.lifts, state.boards[0].ply, len(state.clocks)) == (3, 3, 0)


@pytest.mark.rule("T-outage")
async def test_an_outage_costs_who_has_lifted_nothing(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await one_device(caller, tmp_path)
    await arena.lift(0, 0)
    clock.advance(SECOND)
    clock.pass_silently(60 * SECOND)
    assert await arena.remaining() == [179 * SECOND, 180 * SECOND]
    await arena.move(0, 0, "e2e4")
    clock.pass_silently(60 * SECOND)
    assert await arena.remaining() == [179 * SECOND, 180 * SECOND]


@pytest.mark.parametrize("what", ["tandem", "bot"])
@pytest.mark.usefixtures("clock")
async def test_only_two_people_at_fog_have_a_curtain(caller: Caller, what: str) -> None:
    kinds = [HUMAN] * 4 if what == "tandem" else [HUMAN, BOT]
    request = CreateMatchRequest(
        match_id=new_table_id(7, bytes(15)),
        variant=types_pb2.VARIANT_TANDEM if what == "tandem" else types_pb2.VARIANT_FOG,
        seats=[seat(kind, f"P{number}") for number, kind in enumerate(kinds)],
        time=types_pb2.TimeControl(initial_ms=60_000),
        curtain=True,
    )
    with pytest.raises(Refusal) as refused:
        await call(caller.game.CreateMatch, request)
    assert refused.value.reason == "curtain_not_combinable"


@pytest.mark.usefixtures("clock")
async def test_there_is_no_curtain_elsewhere(caller: Caller, tmp_path: Path) -> None:
    arena = await start_match(caller, tmp_path, variant=types_pb2.VARIANT_FOG)
    assert await arena.refusal(0, lift=Lift(ply=0)) == "no_curtain"
