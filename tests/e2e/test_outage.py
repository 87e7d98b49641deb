"""T-outage over the wire: whatever process dies, its absence costs nobody time, and the record tells it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.kit.browser import Browser, Frame, Refused
from tests.kit.table import full_table
from tests.kit.whole import Whole

pytestmark = pytest.mark.alone

BACK_WITHIN_S = 20.0
# What may be charged around the absence: this client's own notice of it and its tries.
CHARGED_AT_MOST_MS = 500
HUNG_S = 8.0


async def until_moved(whole: Whole, browser: Browser, ply: int, uci: str) -> None:
    """Tries one move with one request id until it is acknowledged, over a new websocket if need be."""
    async with asyncio.timeout(BACK_WITHIN_S):
        while True:
            try:
                await browser.command("move", request_id=f"m-{ply}", board="A", ply=ply, uci=uci)
                return
            except Refused as refusal:
                if refusal.reason not in ("unavailable", "busy", "not_joined", "moved"):
                    raise
                await asyncio.sleep(0.02)
            except (ConnectionError, OSError, TimeoutError):
                await come_back(whole, browser)


async def come_back(whole: Whole, browser: Browser) -> None:
    place = browser.place
    assert place is not None
    while True:
        try:
            await browser.connect(whole.url)
            await browser.join(place[0], place[2])
            return
        except (ConnectionError, OSError, Refused):
            await asyncio.sleep(0.02)


async def charged_ms(whole: Whole, browsers: list[Browser]) -> tuple[int, Frame]:
    """What Black on A, who is on move, is charged for the move that is made at last; and the match then."""
    await until_moved(whole, browsers[1], 1, "e7e5")
    await browsers[1].wait_for(lambda b: b.match and len(b.match["moves"]) == 2)
    match = browsers[1].match
    assert match is not None
    left_ms = next(m["remaining_ms"] for m in match["moves"] if (m["board"], m["ply"]) == ("A", 2))
    return 180_000 - int(left_ms), match


async def open_with_e4(browsers: list[Browser]) -> None:
    await browsers[0].move("e2e4")
    await browsers[1].wait_for(lambda b: b.match and b.match["boards"]["A"]["ply"] == 1)


@pytest.mark.rule("T-outage")
@pytest.mark.scenario("K06")
@pytest.mark.parametrize("killed", ["game", "gateway", "store"])
async def test_a_crash_costs_the_player_on_move_little_time_and_is_on_record(
    tmp_path: Path, killed: str
) -> None:
    async with Whole(tmp_path) as whole, full_table(whole.url, variant="tandem") as browsers:
        await open_with_e4(browsers)
        whole.kill(killed)
        gone_at = time.monotonic()
        charged, match = await charged_ms(whole, browsers)
        gone_ms = (time.monotonic() - gone_at) * 1000
        assert charged < CHARGED_AT_MOST_MS, f"{charged} ms charged of {gone_ms:.0f} ms away"
        if gone_ms > CHARGED_AT_MOST_MS:
            assert match["outages"]


@pytest.mark.rule("T-outage")
@pytest.mark.scenario("K06")
@pytest.mark.parametrize("hung", ["game", "gateway", "store"])
async def test_what_hangs_and_comes_to_itself_has_cost_the_player_on_move_nothing(
    tmp_path: Path, hung: str
) -> None:
    """Not dead, so that no connection breaks: only its silence tells."""
    async with Whole(tmp_path) as whole, full_table(whole.url, variant="tandem") as browsers:
        await open_with_e4(browsers)
        with whole.hung(hung):
            await asyncio.sleep(HUNG_S)
        charged, match = await charged_ms(whole, browsers)
        assert charged < CHARGED_AT_MOST_MS, f"{charged} ms charged of {HUNG_S} s"
        assert sum(outage["length_ms"] for outage in match["outages"]) > 1000 * (HUNG_S - 0.5)
