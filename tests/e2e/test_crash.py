"""What was acknowledged is never lost: crashes and restarts in the middle of a match."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import aiohttp
import pytest

from libs.rules.record import MatchRecord
from libs.rules.tandem import seat_of
from tests.kit.browser import Browser, Refused
from tests.kit.table import full_table, played, positions, real_game, replay
from tests.kit.whole import Whole

pytestmark = pytest.mark.alone

BACK_WITHIN_S = 20.0
SECOND_START_S = 5.0


async def play_through(browsers: list[Browser], record: MatchRecord, first: int, last: int) -> None:
    """Moves first..last, each sent with one request id until it is acknowledged, as a patient page does."""
    plies = [0, 0]
    for number, move in enumerate(record.moves[:last]):
        seat = seat_of(move.board, plies[move.board] % 2)
        if number >= first:
            await insist(browsers[seat], f"move-{number}", "AB"[move.board], plies[move.board], move.uci)
        plies[move.board] += 1


async def insist(browser: Browser, request_id: str, board: str, ply: int, uci: str) -> None:
    async with asyncio.timeout(BACK_WITHIN_S):
        while True:
            try:
                await browser.command("move", request_id=request_id, board=board, ply=ply, uci=uci)
                return
            except Refused as refusal:
                if refusal.reason not in ("unavailable", "busy"):
                    raise
                await asyncio.sleep(0.1)


async def all_have(browsers: list[Browser], count: int) -> None:
    for browser in browsers:
        await browser.wait_for(lambda b: b.match and len(b.match["moves"]) == count, BACK_WITHIN_S)


@pytest.mark.scenario("K06")
@pytest.mark.parametrize("service", ["game", "visibility"])
async def test_a_match_goes_on_after_kill_9_of_a_service(tmp_path: Path, service: str) -> None:
    game = real_game("game_13")
    moves = [(move.board, move.uci) for move in game.record.moves]
    async with Whole(tmp_path) as whole, full_table(whole.url, variant="tandem") as browsers:
        await replay(browsers, game.record, last=12)
        old = whole.pid(service)
        whole.kill(service)
        await play_through(browsers, game.record, 12, 20)
        await all_have(browsers, 20)
        assert whole.pid(service) != old
        assert played(browsers[0]) == moves[:20]  # nothing lost, nothing twice
        await play_through(browsers, game.record, 20, len(moves))
        for browser in browsers:
            await browser.wait_for(lambda b: b.match and b.match["result"])
            assert browser.match is not None
            assert played(browser) == moves
            assert positions(browser) == game.final_positions
            assert browser.match["result"]["reason"] == "mate"


async def test_a_match_survives_a_stop_of_everything_and_the_next_start(tmp_path: Path) -> None:
    game = real_game("game_13")
    async with Whole(tmp_path) as whole, full_table(whole.url, variant="tandem") as browsers:
        await replay(browsers, game.record, last=12)
        await all_have(browsers, 12)
        before = browsers[0].match
        places = [browser.place for browser in browsers]
        assert await whole.stop() == 0
        async with Whole(tmp_path) as again:
            for browser, place in zip(browsers, places, strict=True):
                assert place is not None
                browser.match = None
                await browser.connect(again.url)
                await browser.join(place[0], place[2])
                await browser.wait_for(lambda b: b.match)
            after = browsers[0].match
            assert before is not None
            assert after is not None
            assert after["moves"] == before["moves"]
            assert after["outages"], "the record tells the pause (T-outage)"
            await replay(browsers, game.record, first=12)
            for browser in browsers:
                await browser.wait_for(lambda b: b.match and b.match["result"])
                assert positions(browser) == game.final_positions


async def test_the_second_start_takes_less_than_five_seconds(tmp_path: Path) -> None:
    async with Whole(tmp_path):
        pass
    started_at = time.monotonic()
    async with Whole(tmp_path) as again:
        took_s = time.monotonic() - started_at
        async with aiohttp.ClientSession() as session, session.get(again.url) as page:
            assert page.status == 200
    assert took_s < SECOND_START_S
