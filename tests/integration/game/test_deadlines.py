"""Time decides, by the server's clock alone: with the test turning the store's time, nothing sleeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.tandemfog.game.v1.game_pb2 import ActRequest, GetStatusRequest, Move
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import Refusal, call
from tests.integration.game.kit import (
    BOT,
    HUMAN,
    Caller,
    StoreClock,
    game_service,
    game_settings,
    seat,
    start_match,
)

SECOND = 1_000_000
OPENING = "A:e2e4 A:e7e5 B:e2e4 B:e7e5"


@pytest.mark.scenario("K04")
@pytest.mark.parametrize("short_us", [1_000, 1])
async def test_a_move_just_before_the_deadline_counts_and_stops_the_clock(
    caller: Caller, clock: StoreClock, tmp_path: Path, short_us: int
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    clock.advance(180 * SECOND - short_us)
    await arena.move(0, 2, "g1f3")
    assert await arena.outcome() is None
    assert (await arena.remaining())[0] == short_us


@pytest.mark.scenario("K04")
@pytest.mark.rule("T-clock")
@pytest.mark.parametrize("late_us", [0, 1, 1_000])
@pytest.mark.parametrize("second_replica", [False, True])
async def test_a_move_at_or_after_the_deadline_is_refused_before_any_sweep(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path, late_us: int, second_replica: bool
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play(f"{OPENING} A:g1f3 A:b8c6")
    clock.advance(5 * SECOND)
    await arena.play("B:g1f3")  # B-Black's deadline is 5 s after A-White's
    clock.advance(175 * SECOND + late_us)
    async with game_service(game_settings(valkey_url, tmp_path)) as other:
        answering = other if second_replica else caller
        assert await arena.move_refusal(0, 4, "f1c4", caller=answering) == "over"
        assert await arena.outcome() == (2, "time")
        state = await arena.state()
    assert state.at_us == 180 * SECOND
    assert [left.remaining_us for left in state.clocks] == [0, 180 * SECOND, 175 * SECOND, 5 * SECOND]


@pytest.mark.scenario("K03")
@pytest.mark.rule("T-clock")
async def test_the_earliest_deadline_decides_and_the_other_clocks_show_what_was_left_then(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4 A:e7e5 B:e2e4")
    clock.advance(1_000)  # B's Black uses 1 ms before White's clock runs again
    await arena.play("B:e7e5")
    clock.advance(180 * SECOND + 400_000)
    assert await arena.move_refusal(2, 2, "g1f3") == "over"
    assert await arena.outcome() == (2, "time")
    state = await arena.state()
    assert state.at_us == 180 * SECOND
    assert [left.remaining_us for left in state.clocks] == [0, 180 * SECOND, 1_000, 179_999_000]
    assert not any(left.running for left in state.clocks)
    log = (await arena.whole()).log
    assert [event.WhichOneof("what") for event in log[-2:]] == ["moved", "ended"]
    assert log[-1].at_us == 180 * SECOND


@pytest.mark.scenario("K03")
async def test_on_an_exact_tie_board_a_decides(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4 B:e2e4 B:e7e5")  # deadlines of A-Black (team 2) and B-White (team 2) ...
    await arena.play("B:d2d4")  # ... and now of A-Black (team 2) and B-Black (team 1)
    clock.advance(200 * SECOND)
    assert await arena.outcome() == (1, "time")


@pytest.mark.scenario("K01")
@pytest.mark.scenario("K02")
async def test_nothing_that_a_client_can_send_flags_anybody_or_moves_a_clock(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    clock.advance(10 * SECOND)
    before = await arena.state()
    for number in range(4):
        assert await arena.refusal(number, gesture=99) == "bad_gesture"
        assert await arena.refusal(number) == "bad_request"
    assert await arena.move_refusal(1, 2, "flag") == "not_your_turn"
    assert await arena.move_refusal(0, 2, "flag") == "bad_uci"
    assert await arena.state() == before
    fields = {field.name for field in (*ActRequest.DESCRIPTOR.fields, *Move.DESCRIPTOR.fields)}
    # No time in it but what the gateway itself has measured of the line (T-lag), and when it read it all,
    # which only a histogram is told.
    measured = {"measured_lag_ms", "received_at_us"}
    assert fields - measured == {"request_id", "token", "move", "gesture", "lift", "board", "ply", "uci"}


@pytest.mark.scenario("K02")
async def test_per_board_the_time_used_is_the_time_since_the_start(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    for word in ["A:e2e4", "B:d2d4", "A:e7e5", "A:g1f3", "B:d7d5", "B:c1f4", "A:b8c6"]:
        clock.advance(1_234_567)
        await arena.play(word)
    clock.advance(765_433)
    left = await arena.remaining()
    for white in (0, 2):
        assert 360 * SECOND - left[white] - left[white + 1] == 7 * 1_234_567 + 765_433


@pytest.mark.scenario("K02")
@pytest.mark.rule("T-lag")
async def test_per_board_the_time_used_is_the_time_since_the_start_and_the_delay_credited(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    # 700 ms: more than a move may get; 90 ms: less than it took; 300 ms: more than the move took.
    asked = [("A:e2e4", 700, 500), ("B:d2d4", 90, 90), ("A:e7e5", 0, 0), ("A:g1f3", 700, 500)]
    asked += [("A:b8c6", 90, 90), ("A:f3g1", 700, 100)]  # the quota was 1 s and has had 50 ms twice
    for word, measured_ms, _ in asked:
        clock.advance(1_000_000)
        await arena.play(word, measured_lag_ms=measured_ms)
    clock.advance(40_000)
    await arena.play("B:d7d5", measured_lag_ms=300)
    clock.advance(20_000)
    await arena.play("B:c1f4", measured_lag_ms=300)
    whole = await arena.whole()
    credited = [event.moved.lag_us for event in whole.log if event.HasField("moved")]
    assert credited == [1000 * credit_ms for _, _, credit_ms in asked] + [300_000, 20_000]
    left = [clock.remaining_us for clock in whole.state.clocks]
    for board, credit_us in ((0, 1_190_000), (1, 410_000)):
        used_us = 360 * SECOND - left[2 * board] - left[2 * board + 1]
        assert used_us == 6_060_000 - credit_us


@pytest.mark.rule("T-lag")
async def test_delay_never_moves_a_running_deadline_and_bots_have_none(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    seats = [seat(HUMAN, "P"), seat(BOT, "Bot"), seat(HUMAN, "Q"), seat(HUMAN, "R")]
    arena = await start_match(caller, tmp_path, seats=seats)
    clock.advance(SECOND)
    await arena.move(0, 0, "e2e4", measured_lag_ms=400)
    clock.advance(SECOND)
    await arena.move(1, 1, "e7e5", lease=1, measured_lag_ms=400)
    state = await arena.state()
    assert [left.remaining_us for left in state.clocks][:2] == [179_400_000, 179 * SECOND]
    clock.advance(178 * SECOND)  # B-White has not moved: no delay of anybody's helps it
    assert await arena.move_refusal(2, 0, "e2e4", measured_lag_ms=400) == "over"
    assert (await arena.state()).at_us == 180 * SECOND


@pytest.mark.scenario("K07")
@pytest.mark.rule("T-clock")
async def test_the_clock_runs_from_the_start_and_without_a_move_nobody_played(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    idle = await start_match(caller, tmp_path)
    half = await start_match(caller, tmp_path)
    await half.play("B:e2e4")
    clock.advance(30 * SECOND)
    assert await idle.remaining() == [150 * SECOND, 180 * SECOND] * 2
    clock.advance(150 * SECOND)
    assert await idle.outcome() == (0, "nobody_played")
    assert await half.outcome() == (2, "time")


@pytest.mark.scenario("T04")
@pytest.mark.rule("T-wait")
async def test_who_waits_for_a_piece_that_does_not_come_loses_at_the_exact_deadline(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    # A back-rank check that a piece could block: not mate online, and Black has nothing in hand.
    await arena.play("A:e2e4 A:g7g5 A:d2d4 A:f7f6 A:d1h5")
    state = await arena.state()
    assert state.boards[0].verdict == "waiting"
    assert await arena.move_refusal(1, 5, "e8d8") != "accepted"
    clock.advance(180 * SECOND - 1)
    await arena.play("B:e2e4")
    assert await arena.outcome() is None
    clock.advance(1)
    assert await arena.outcome() == (1, "time")
    assert (await arena.state()).at_us == 180 * SECOND


@pytest.mark.scenario("T04")
async def test_a_piece_that_comes_may_be_dropped_by_who_waited(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4 A:g7g5 A:d2d4 A:f7f6 A:d1h5 B:e2e4 B:d7d5")
    assert await arena.move_refusal(1, 5, "P@f7") == "not_in_hand"
    await arena.play("B:e4d5")  # the partner captures a black pawn
    await arena.play("A:P@f7")
    assert (await arena.state()).boards[0].verdict == "normal"


@pytest.mark.rule("T-clock")
async def test_status_ends_a_match_whose_deadline_has_passed_and_counts_from_it(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    request = GetStatusRequest(match_id=arena.match_id)
    assert not (await call(caller.game.GetStatus, request)).over
    clock.advance(185 * SECOND)
    status = await call(caller.game.GetStatus, request)
    assert (status.over, status.outcome.reason, status.ended_ago_ms) == (True, "time", 5_000)
    with pytest.raises(Refusal, match="unknown_match"):
        await call(caller.game.GetStatus, GetStatusRequest(match_id="07" + "a" * 24))


@pytest.mark.rule("F-win")
async def test_a_fog_game_without_a_clock_ends_idle_after_seven_days(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path, variant=types_pb2.VARIANT_FOG, initial_ms=None)
    day = 24 * 3600 * SECOND
    clock.advance(6 * day)
    await arena.move(0, 0, "e2e4")
    clock.advance(7 * day - 1)
    assert await arena.outcome() is None
    clock.advance(1)
    assert await arena.move_refusal(1, 1, "e7e5") == "over"
    assert await arena.outcome() == (0, "idle")


async def test_an_ended_match_is_found_by_a_replica_that_never_heard_of_it(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    async with game_service(game_settings(valkey_url, tmp_path)) as first:
        arena = await start_match(first, tmp_path)
        await arena.play(OPENING)
        await arena.gesture(1, "resign")
        clock.advance(SECOND)
    async with game_service(game_settings(valkey_url, tmp_path)) as second:
        arena.caller = second
        assert await arena.outcome() == (1, "resignation")
        assert await arena.move_refusal(0, 2, "g1f3") == "over"
