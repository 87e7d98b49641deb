"""A bot that nobody plays is moved for shortly before its flag."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.game.kit import (
    BOT,
    HUMAN,
    StoreClock,
    game_service,
    game_settings,
    seat,
    start_match,
    until,
)

SECOND = 1_000_000


@pytest.mark.scenario("W02")
async def test_a_bot_without_a_worker_does_not_lose_on_time(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    seats = [seat(HUMAN, "Ada"), *(seat(BOT, f"Bot {number}") for number in (1, 2, 3))]
    async with game_service(game_settings(valkey_url, tmp_path, beat_ms=20)) as caller:
        arena = await start_match(caller, tmp_path, seats=seats)
        await arena.play("A:e2e4")
        clock.advance(179 * SECOND)
        assert [board.ply for board in (await arena.state()).boards] == [1, 0]
        clock.advance(SECOND // 2)

        async def rescued() -> bool:
            return [board.ply for board in (await arena.state()).boards] == [2, 1]

        await until(rescued)
        state = await arena.state()
        assert [left.remaining_us for left in state.clocks][1:3] == [SECOND // 2, SECOND // 2]
        clock.advance(100_000)
        assert await arena.outcome() is None


@pytest.mark.rule("T-wait")
async def test_a_bot_that_has_to_wait_is_asked_once_and_then_loses_on_time(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    seats = [*(seat(HUMAN, f"P{number}") for number in (0, 1, 2)), seat(BOT, "Bot")]
    async with game_service(game_settings(valkey_url, tmp_path, beat_ms=20)) as caller:
        arena = await start_match(caller, tmp_path, seats=seats)
        for ply, uci in enumerate(["e2e4", "g7g5", "d2d4", "f7f6", "d1h5"]):
            await arena.move(2 + ply % 2, ply, uci, lease=ply % 2)
        await arena.play("A:e2e4")
        await arena.play("A:e7e5")
        clock.advance(SECOND)
        await arena.play("A:g1f3")
        clock.advance(178 * SECOND + SECOND // 2 + 1)
        assert (await arena.state()).boards[1].verdict == "waiting"
        clock.advance(SECOND)

        async def over() -> bool:
            return await arena.outcome() == (2, "time")

        await until(over)
        assert (await arena.state()).at_us == 180 * SECOND
