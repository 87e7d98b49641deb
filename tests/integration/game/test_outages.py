"""Time in which nobody could have moved costs nobody (T-outage), and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gen.tandemfog.game.v1.game_pb2 import AttendRequest, AttestRequest, Move, ReportPresenceRequest
from libs.runtime.refusals import Refusal, call
from services.game.attendance import LATE_MS
from tests.integration.game.kit import (
    Arena,
    Caller,
    StoreClock,
    attest_when_asked,
    calling,
    game_service,
    game_settings,
    secret_file,
    start_match,
    until,
)
from tests.integration.game.test_feed import following
from tests.integration.game.test_presence import report
from tests.kit.service import ServiceProcess
from tests.kit.valkey import ValkeyServer, running_valkey

SECOND = 1_000_000


@pytest.mark.rule("T-outage")
async def test_an_outage_costs_nobody_and_stands_in_the_record(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4 A:e7e5 B:e2e4")
    clock.advance(10 * SECOND)
    await arena.play("B:e7e5")
    clock.pass_silently(3600 * SECOND)
    assert await arena.remaining() == [170 * SECOND, 180 * SECOND, 180 * SECOND, 170 * SECOND]
    clock.pass_silently(60 * SECOND)
    await arena.state()
    clock.advance(2 * SECOND)
    await arena.play("A:g1f3")
    state = await arena.state()
    assert [left.remaining_us for left in state.clocks] == [
        168 * SECOND,
        180 * SECOND,
        178 * SECOND,
        170 * SECOND,
    ]
    assert [(outage.at_ms, outage.lasted_ms) for outage in state.outages] == [(10_000, 3_660_000)]
    assert state.at_us == 12 * SECOND


@pytest.mark.rule("T-outage")
async def test_a_pause_is_an_outage_whole_or_not_at_all(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    clock.pass_silently(2_500_000)
    assert await arena.remaining() == [177_500_000, 180 * SECOND] * 2
    clock.pass_silently(1)
    assert await arena.remaining() == [180 * SECOND] * 4
    assert [(outage.at_ms, outage.lasted_ms) for outage in (await arena.state()).outages] == [(0, 2_500)]


@pytest.mark.rule("T-outage")
async def test_a_look_at_a_match_is_no_sign_that_anybody_could_move(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    """The service died; what is read before anybody can move again must not eat the time of its absence."""
    arena = await start_match(caller, tmp_path)
    clock.advance(SECOND)
    clock.pass_silently(2 * SECOND)
    await arena.state()
    clock.pass_silently(2 * SECOND)
    assert await arena.remaining() == [179 * SECOND, 180 * SECOND] * 2


@pytest.mark.rule("T-outage")
async def test_a_new_replica_takes_even_a_short_silence_for_an_outage(
    valkey_url: str, clock: StoreClock, tmp_path: Path
) -> None:
    """Until it has heard of a gateway; from then on a beat may come late."""
    settings = game_settings(valkey_url, tmp_path, beat_ms=600)
    async with game_service(settings) as caller:
        arena = await start_match(caller, tmp_path)
        clock.pass_silently(900_000)
        assert await arena.remaining() == [179_100_000, 180 * SECOND] * 2
        clock.pass_silently(1)
        assert await arena.remaining() == [180 * SECOND] * 4
        await report_life(caller)
        clock.pass_silently(900_001)
        assert await arena.remaining() == [179_099_999, 180 * SECOND] * 2


@pytest.mark.rule("T-outage")
async def test_another_store_means_that_nobody_could_move_since(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    """However short: its restart is seen by its name, not by the beats."""
    arena = await start_match(caller, tmp_path)
    clock.advance(SECOND)
    clock.pass_silently(300_000)
    clock.rename_store()
    assert await arena.remaining() == [179 * SECOND, 180 * SECOND] * 2
    assert (await arena.state()).epoch == 1


@pytest.mark.rule("T-outage")
async def test_no_deadline_passes_in_an_outage_and_the_leave_limit_stands_still(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4 A:e7e5")
    await report(arena, "g1", s1=0)
    clock.advance(59 * SECOND)
    await arena.state()
    clock.pass_silently(10_000 * SECOND)
    assert await arena.outcome() is None
    clock.advance(0)
    clock.advance(SECOND - 1)
    assert await arena.outcome() is None
    clock.advance(1)
    assert await arena.outcome() == (1, "leaving")


@pytest.mark.rule("T-outage")
async def test_an_outage_after_a_deadline_that_is_noticed_only_then_is_none_of_the_matchs(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4 A:e7e5 B:e2e4 B:e7e5")
    clock.advance(100 * SECOND)
    clock.pass_silently(30 * SECOND)
    await arena.state()
    clock.advance(81 * SECOND)  # a second after the flag, with which everything is gone
    clock.pass_silently(30 * SECOND)
    assert await arena.outcome() == (2, "time")
    state = await arena.state()
    assert state.at_us == 180 * SECOND
    assert [(outage.at_ms, outage.lasted_ms) for outage in state.outages] == [(100_000, 30_000)]


@pytest.mark.rule("T-outage")
async def test_time_never_goes_back_when_the_stores_clock_does(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    clock.advance(10 * SECOND)
    await arena.play("A:e2e4")
    clock.advance(-8 * SECOND)  # another machine's clock took over
    assert await arena.remaining() == [170 * SECOND, 180 * SECOND, 170 * SECOND, 180 * SECOND]
    await arena.play("A:e7e5")
    clock.advance(9 * SECOND)
    assert await arena.remaining() == [169 * SECOND, 180 * SECOND, 169 * SECOND, 180 * SECOND]


@asynccontextmanager
async def game_process(url: str, folder: Path) -> AsyncIterator[ServiceProcess]:
    environment = {
        "TANDEMFOG_STORE_URL": url,
        "TANDEMFOG_TOKEN_SECRET_FILE": str(secret_file(folder)),
        "TANDEMFOG_GAME_BEAT_MS": "100",
    }
    async with ServiceProcess("game", environment) as game:
        yield game


async def report_life(caller: Caller) -> None:
    await call(caller.game.ReportPresence, ReportPresenceRequest(gateway_id="g1"))


async def test_a_killed_game_service_goes_on_where_it_was(valkey_url: str, tmp_path: Path) -> None:
    async with game_process(valkey_url, tmp_path) as game:
        async with calling(game.address) as caller:
            await report_life(caller)
            arena = await start_match(caller, tmp_path)
            acknowledged = 1
            moving = asyncio.create_task(play_on(arena))
            await until(lambda: plies_made(arena, 4))
            await game.kill()
            acknowledged = await moving
        await game.start()
        async with calling(game.address) as caller:
            arena.caller = caller
            await report_life(caller)
            whole = await arena.whole()
            assert acknowledged <= whole.state.version <= acknowledged + 1
            assert [event.version for event in whole.log] == list(range(1, whole.state.version + 1))
            ply = whole.state.boards[0].ply
            assert await arena.move(ply % 2, ply, SHUFFLE[ply % 4]) == whole.state.version + 1
            assert (await arena.state()).epoch == 0


SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


async def play_on(arena: Arena) -> int:
    """Moves on board A until the service is gone; the last version that was acknowledged."""
    version = 1
    for ply in range(10_000):
        try:
            version = await arena.move(ply % 2, ply, SHUFFLE[ply % 4])
        except Refusal:
            break
    return version


async def plies_made(arena: Arena, plies: int) -> bool:
    return (await arena.state()).boards[0].ply >= plies


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[ValkeyServer]:
    """A store that the test may stop."""
    with running_valkey(tmp_path / "valkey") as server:
        yield server


@pytest.mark.scenario("K06")
@pytest.mark.rule("T-outage")
async def test_a_killed_store_loses_nothing_and_everybody_takes_a_new_full_view(
    own_valkey: ValkeyServer, tmp_path: Path
) -> None:
    clock = StoreClock(own_valkey.url)
    settings = game_settings(own_valkey.url, tmp_path, beat_ms=50)
    async with game_service(settings) as caller, following(caller, 7) as stream:
        arena = await start_match(caller, tmp_path)
        clock.advance(10 * SECOND)
        version = await arena.move(0, 0, "e2e4", request_id="last")
        own_valkey.stop(signal.SIGKILL)
        assert await arena.refusal(2, gesture=1) == "unavailable"
        own_valkey.start()
        clock.pass_silently(20 * SECOND)  # what the real clock would do
        assert (await arena.act(0, request_id="last", move=Move(uci="e2e4"))).version == version
        assert (await arena.act(0, request_id="last", move=Move(uci="e2e4"))).duplicate
        await until(lambda: epoch_is(arena, 1))
        state = await arena.state()
        assert state.version == version
        assert [left.remaining_us for left in state.clocks] == [
            170 * SECOND,
            180 * SECOND,
            170 * SECOND,
            180 * SECOND,
        ]
        assert [(outage.at_ms, outage.lasted_ms) for outage in state.outages] == [(10_000, 20_000)]
        await stream.rejoined(7)
        clock.advance(0)
        await arena.play("A:e7e5")
        while (item := (await stream.next()).event).event.version < version + 1:
            pass
        assert (item.event.moved.uci, item.state.epoch) == ("e7e5", 1)
    clock.close()


async def epoch_is(arena: Arena, epoch: int) -> bool:
    return (await arena.state()).epoch == epoch


@pytest.mark.rule("T-outage")
async def test_time_stands_still_as_soon_as_the_last_gateway_is_gone_and_goes_on_with_its_return(
    valkey_url: str, clock: StoreClock, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path, beat_ms=20)
    async with game_service(settings) as caller:
        arena = await start_match(caller, tmp_path)
        await arena.play("A:e2e4 B:e2e4")
        streams = [caller.game.Attend(AttendRequest()) for _ in range(2)]
        for stream in streams:
            await stream.read()
        await report_life(caller)
        clock.advance(179 * SECOND)  # both Black clocks have a second left
        await arena.state()
        streams[0].cancel()  # one gateway of two: nothing
        clock.pass_silently(500_000)
        assert await arena.remaining() == [180 * SECOND, 500_000] * 2
        streams[1].cancel()

        async def stopped() -> bool:
            return clock.beat_us() == 1

        await until(stopped)
        clock.pass_silently(2 * SECOND)  # less than what a pause without beats may last
        assert await arena.remaining() == [180 * SECOND, 500_000] * 2
        assert await arena.outcome() is None
        await report_life(caller)
        clock.pass_silently(400_000)
        assert await arena.remaining() == [180 * SECOND, 100_000] * 2
        assert [outage.lasted_ms for outage in (await arena.state()).outages] == [2000]
        clock.pass_silently(100_000)
        assert await arena.outcome() == (1, "time")


async def until_beaten(clock: StoreClock) -> None:
    async def beaten() -> bool:
        return clock.beat_us() == clock.now_us

    await until(beaten)


@pytest.mark.rule("T-outage")
async def test_a_gateway_that_does_not_attest_is_believed_for_a_while_by_its_report(
    valkey_url: str, clock: StoreClock, tmp_path: Path
) -> None:
    settings = game_settings(valkey_url, tmp_path, beat_ms=20, gateway_silence_ms=200)
    async with game_service(settings) as caller:
        arena = await start_match(caller, tmp_path)
        await report_life(caller)
        clock.pass_silently(4 * SECOND)
        await until_beaten(clock)
        await asyncio.sleep(0.3)  # the gateway's silence is the thing itself that is waited for
        clock.pass_silently(4 * SECOND)
        await arena.state()
        await asyncio.sleep(0.1)
        assert clock.beat_us() == clock.now_us - 4 * SECOND


@asynccontextmanager
async def beside_a_gateway_that_attests(valkey_url: str, folder: Path) -> AsyncIterator[tuple[Arena, Any]]:
    """A match, and the stream of the one gateway, which has reported, and attests no more by itself."""
    async with game_service(game_settings(valkey_url, folder, beat_ms=20)) as caller:
        arena = await start_match(caller, folder)
        stream = caller.game.Attend(AttendRequest(attests=True))
        await stream.read()
        await report_life(caller)
        yield arena, stream
        stream.cancel()


@pytest.mark.rule("T-outage")
async def test_a_beat_reaches_only_as_far_as_a_gateway_has_attested(
    valkey_url: str, clock: StoreClock, tmp_path: Path
) -> None:
    """A gateway that hangs keeps its connections: what it does not say must tell."""
    async with beside_a_gateway_that_attests(valkey_url, tmp_path) as (arena, _):
        await call(arena.caller.game.Attest, AttestRequest())
        clock.pass_silently(4 * SECOND)
        await until_beaten(clock)
        before = await arena.remaining()
        await asyncio.sleep(LATE_MS / 1000 + 0.2)  # its silence is the thing itself that is waited for
        clock.pass_silently(3 * SECOND)
        assert await arena.remaining() == before, "time has stood still since it was heard"
        await asyncio.sleep(0.1)
        assert clock.beat_us() == clock.now_us - 3 * SECOND


@pytest.mark.rule("T-outage")
async def test_no_flag_falls_before_a_gateway_has_shown_that_it_takes_moves(
    valkey_url: str, clock: StoreClock, tmp_path: Path
) -> None:
    """All of them may hang: it is asked for, and the deadline decides at its own instant once one answers."""
    async with beside_a_gateway_that_attests(valkey_url, tmp_path) as (arena, stream):
        clock.advance(181 * SECOND)
        await stream.read()  # the question
        with pytest.raises(Refusal) as caught:  # to look at the match makes none fall either
            await arena.state()
        assert caught.value.reason == "busy"
        answering = asyncio.create_task(attest_when_asked(arena.caller, stream))

        async def fallen() -> bool:
            try:
                return await arena.outcome() is not None
            except Refusal:
                return False

        await until(fallen)
        assert await arena.outcome() == (0, "nobody_played")
        assert (await arena.state()).at_us == 180 * SECOND
        answering.cancel()
