"""Recorded games, replayed by four websocket clients through every service, end as they did."""

from __future__ import annotations

import asyncio

import pytest

from libs.rules.bpgn import read_bpgn
from libs.rules.tandem import seat_of, team_of
from tests.kit.browser import Browser, Refused
from tests.kit.table import RealGame, full_table, played, positions, real_game, replay
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEAT_NAMES = ("WhiteA", "BlackA", "WhiteB", "BlackB")
MATED = ("game_01", "game_07", "game_12", "game_13", "game_15", "game_18", "game_20")
FLAGGED = ("game_02", "game_04")
SHORT_CLOCK = {"initial_ms": 15_000, "increment_ms": 0}
THINKING_S = 2.5


def loser_of(game: RealGame) -> int:
    """The seat that was mated, flagged or gave up, by the record's words or else by its mated board."""
    for seat, name in enumerate(SEAT_NAMES):
        if str(game.known["end"]).startswith(name):
            return seat
    board = (game.known["verdict_a"], game.known["verdict_b"]).index("mate")
    return seat_of(board, game.final_positions[board].turn)


async def finished(browsers: list[Browser], timeout_s: float = 10.0) -> None:
    for browser in browsers:
        await browser.wait_for(lambda b: b.match and b.match["result"], timeout_s)


async def check_as_recorded(browsers: list[Browser], game: RealGame, reason: str) -> None:
    """Every client has the record's moves in the record's order, its final boards and hands, one result."""
    moves = [(move.board, move.uci) for move in game.record.moves]
    for browser in browsers:
        assert browser.match is not None
        assert played(browser) == moves
        assert positions(browser) == game.final_positions
        assert browser.match["result"] == {"winner": 3 - team_of(loser_of(game)), "reason": reason}
        assert browser.gaps == 0
    await check_export(browsers[0], game)


async def check_export(browser: Browser, game: RealGame) -> None:
    """Our BPGN reads back equal to the log the clients have seen, clocks included (U05)."""
    assert browser.match is not None
    status, text = await browser.get(f"/api/tables/{browser.match['table']}/export")
    assert status == 200
    record, problems = read_bpgn(text)
    assert problems == []
    seen = [
        ("AB".index(move["board"]), move["uci"], move["remaining_ms"], move["at_ms"])
        for move in browser.match["moves"]
    ]
    assert [(move.board, move.uci, move.clock_ms, move.at_ms) for move in record.moves] == seen
    assert [(move.board, move.uci) for move in record.moves] == [(m.board, m.uci) for m in game.record.moves]
    assert record.result == ("1-0" if browser.match["result"]["winner"] == 1 else "0-1")


@pytest.mark.scenario("U05")
@pytest.mark.rule("T-mate")
@pytest.mark.parametrize("name", MATED)
async def test_a_recorded_game_with_a_mate_ends_by_itself(whole: Whole, name: str) -> None:
    game = real_game(name)
    async with full_table(whole.url, variant="tandem") as browsers:
        await replay(browsers, game.record)
        await finished(browsers)
        await check_as_recorded(browsers, game, "mate")


def thinking_place(game: RealGame, loser: int, rival: int) -> int:
    """How many moves are made when the loser is on move for the first time while the rival is not."""
    plies = [0, 0]
    for number, move in enumerate(game.record.moves):
        on_move = {seat_of(board, plies[board] % 2) for board in (0, 1)}
        if loser in on_move and rival not in on_move:
            return number
        plies[move.board] += 1
    raise AssertionError("the loser never moves alone")


@pytest.mark.rule("T-clock")
@pytest.mark.parametrize("name", FLAGGED)
async def test_a_recorded_game_ends_by_a_flag_fall(whole: Whole, name: str) -> None:
    game = real_game(name)
    loser = loser_of(game)
    other_board = 1 - loser // 2
    rival = seat_of(other_board, game.final_positions[other_board].turn)  # whose clock runs at the end, too
    async with full_table(whole.url, variant="tandem", time=SHORT_CLOCK) as browsers:
        pause = thinking_place(game, loser, rival)
        await replay(browsers, game.record, last=pause)
        await asyncio.sleep(THINKING_S)  # The loser thinks, while the rival's clock stands.
        await replay(browsers, game.record, first=pause)
        await finished(browsers, 20.0)
        await check_as_recorded(browsers, game, "time")
        assert browsers[0].match is not None
        remaining = browsers[0].match["clocks"]["remaining_ms"]
        assert remaining[loser] == 0
        assert all(left > 0 for seat, left in enumerate(remaining) if seat != loser)


async def test_a_recorded_game_ends_by_resigning(whole: Whole) -> None:
    game = real_game("game_05")
    async with full_table(whole.url, variant="tandem") as browsers:
        await replay(browsers, game.record)
        await browsers[loser_of(game)].command("resign")
        await finished(browsers)
        await check_as_recorded(browsers, game, "resignation")


@pytest.mark.rule("B-refuse")
async def test_a_recorded_drop_of_a_piece_that_is_not_there_is_refused_and_the_match_runs_on(
    whole: Whole,
) -> None:
    game = real_game("game_10")  # Its reader stops before 19A, which drops a pawn that is not in the hand.
    async with full_table(whole.url, variant="tandem") as browsers:
        await replay(browsers, game.record)
        made = len(game.record.moves)
        await browsers[0].wait_for(lambda b: b.match and len(b.match["moves"]) == made)
        before = browsers[0].match
        with pytest.raises(Refused) as refusal:
            await browsers[0].move("P@e7")
        assert refusal.value.reason == "not_in_hand"
        assert browsers[0].match == before
        assert before is not None
        assert before["result"] is None
        assert positions(browsers[0]) == game.final_positions
        origin, targets = next((o, t) for o, t in before["legal"]["from"].items() if t)
        await browsers[0].move(f"{origin}{targets[0]}")
        for browser in browsers:
            await browser.wait_for(lambda b: b.match and len(b.match["moves"]) == made + 1)
