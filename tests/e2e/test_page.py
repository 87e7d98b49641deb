"""A person at the page: a real Chromium plays against three bots, and friends come by their invite links."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from libs.rules.position import Position
from libs.rules.tandem import TandemMatch
from tests.kit.page import play_by_mouse, position_shown
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUICK = {"TANDEMFOG_BOTS_PACE": "0.25", "TANDEMFOG_MATCHMAKING_BOTS_AFTER_MS": "4000"}
"""Bots that think a quarter of the usual time, and come to those who have waited four seconds."""
MATCH_WITHIN_S = 420.0
SETTLED_WITHIN_MS = 5_000
SEAT_COLOURS = {0: ("a", "white"), 1: ("a", "black"), 2: ("b", "white"), 3: ("b", "black")}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def quick(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    async with Whole(tmp_path_factory.mktemp("quick"), QUICK) as running:
        yield running


def choice(position: Position, dice: random.Random) -> str:
    """A person's move: mate when it is there, often a drop or a capture, else anything."""
    moves = list(position.legal_moves())
    for uci in moves:
        if position.play(uci).position.verdict() == "mate":
            return uci
    drops = [uci for uci in moves if uci[1] == "@"]
    captures = [uci for uci in moves if position.play(uci).captured]
    checks = [uci for uci in drops if position.play(uci).position.in_check()]
    for wanted, chance in ((checks, 0.9), (drops, 0.4), (captures, 0.6)):
        if wanted and dice.random() < chance:
            return dice.choice(wanted)
    return dice.choice(moves)


async def over(page: Page) -> bool:
    return await page.get_by_test_id("result").count() > 0


async def settled(page: Page, seat: int, ply: str) -> None:
    """Waits until the move has been made (the board has another ply) or the match is over."""
    board, _ = SEAT_COLOURS[seat]
    await page.wait_for_function(
        "([board, ply]) => document.querySelector('[data-testid=result]') !== null"
        " || document.querySelector(`[data-testid=board-${board}]`).dataset.ply !== ply",
        arg=[board, ply],
        timeout=SETTLED_WITHIN_MS,
    )


async def play_to_the_end(page: Page, seat: int, dice: random.Random) -> set[str]:
    """Plays a seat by mouse until the result is shown; the kinds of moves that were made."""
    board, colour = SEAT_COLOURS[seat]
    made = set[str]()
    async with asyncio.timeout(MATCH_WITHIN_S):
        while not await over(page):
            position = await position_shown(page, board)
            ply = await page.get_by_test_id(f"board-{board}").get_attribute("data-ply")
            if position.turn != seat % 2 or ply is None or not position.legal_moves():
                await page.wait_for_timeout(50)
                continue
            uci, drag = choice(position, dice), dice.random() < 0.5
            try:
                await play_by_mouse(page, board, colour, uci, drag=drag)
                await settled(page, seat, ply)
            except Exception as fault:
                if await over(page):  # It ended while the hand was on its way.
                    break
                raise AssertionError(f"{uci} was not made (dragged: {drag}) on {position.fen()}") from fault
            made.add(("dropped" if uci[1] == "@" else "moved") + (" by dragging" if drag else " by clicks"))
    return made


async def test_a_person_plays_a_whole_tandem_match_against_three_bots(
    browser: Chromium, quick: Whole
) -> None:
    async with await browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = await context.new_page()
        faults = list[str]()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        await page.goto(quick.url)
        await page.get_by_test_id("play-now").click()
        await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=20_000)
        await expect(page.get_by_test_id("board-b")).to_be_visible()
        for board, colour in SEAT_COLOURS.values():
            await expect(page.get_by_test_id(f"hand-{board}-{colour}")).to_be_visible()
            await expect(page.get_by_test_id(f"clock-{board}-{colour}")).to_be_visible()
        made = await play_to_the_end(page, 0, random.Random(7))
        result = page.get_by_test_id("result")
        assert await result.get_attribute("data-reason") in ("mate", "time")
        assert await result.get_attribute("data-winner") in ("1", "2")
        assert {"moved by dragging", "moved by clicks"} <= made
        boards = [await position_shown(page, board) for board in ("a", "b")]
        if await result.get_attribute("data-reason") == "mate":
            ended = TandemMatch.at((boards[0], boards[1]), "online").outcome
            assert ended is not None
            assert str(ended.winner) == await result.get_attribute("data-winner")
        assert faults == []


async def test_friends_take_their_seats_by_invite_links_and_play_to_mate(
    browser: Chromium, quick: Whole
) -> None:
    """A contact mate on board A, by two people in two browsers; bots play board B."""
    moves = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    async with await browser.new_context() as maker, await browser.new_context() as friend:
        pages = [await maker.new_page(), await friend.new_page()]
        await pages[0].goto(quick.url)
        await pages[0].get_by_test_id("create-table").click()
        await expect(pages[0].get_by_test_id("seat-0")).to_have_attribute("data-kind", "human")  # its maker
        link = await pages[0].get_by_test_id("invite-link-1").input_value()
        await pages[1].goto(link)
        await pages[1].get_by_test_id("take-invited").click()
        for seat in (2, 3):
            await pages[0].get_by_test_id(f"add-bot-{seat}").click()
        for page in pages:
            await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=20_000)
        for number, uci in enumerate(moves):
            mover = pages[number % 2]
            await expect(mover.get_by_test_id("board-a")).to_have_attribute("data-ply", str(number))
            await play_by_mouse(mover, "a", SEAT_COLOURS[number % 2][1], uci, drag=bool(number % 2))
        for page in pages:
            await expect(page.get_by_test_id("result")).to_have_attribute("data-reason", "mate")
            await expect(page.get_by_test_id("result")).to_have_attribute("data-winner", "1")


@pytest.mark.rule("F-see")
async def test_a_person_plays_fog_against_a_bot_and_never_gets_a_hidden_piece(
    browser: Chromium, quick: Whole
) -> None:
    async with await browser.new_context() as context:
        page = await context.new_page()
        received = list[str]()
        page.on(
            "websocket",
            lambda ws: ws.on("framereceived", lambda payload: received.append(str(payload))),
        )
        await page.goto(quick.url)
        await page.get_by_test_id("play-fog").click()
        board = page.get_by_test_id("board-a")
        await expect(board).to_be_visible(timeout=20_000)
        await play_by_mouse(page, "a", "white", "a2a3", drag=False)
        await expect(board).to_have_attribute("data-ply", "2", timeout=20_000)
        assert await board.locator("piece.black").count() == 0  # nothing of Black can stand on a2-h4 yet
        assert any('"full"' in text for text in received)
        assert not any("rnbqkbnr" in text for text in received)
        await page.get_by_test_id("resign").click()
        await page.get_by_test_id("resign-confirm").click()
        await expect(page.get_by_test_id("result")).to_have_attribute("data-reason", "resignation")
        await expect(board.locator("piece.black")).to_have_count(16)  # the fog lifts (F-after)


@pytest.mark.rule("B-fill")
@pytest.mark.parametrize("variant", ["tandem", "fog"])
async def test_whoever_waits_alone_is_offered_computers_and_plays_with_them(
    browser: Chromium, quick: Whole, variant: str
) -> None:
    async with await browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = await context.new_page()
        await page.goto(quick.url)
        await page.get_by_test_id("quick-variant").select_option(variant)
        await page.get_by_test_id("quick-play").click()
        await expect(page.get_by_test_id("waiting")).to_have_attribute("data-state", "waiting")
        offer, button = page.get_by_test_id("bots-offer"), page.get_by_test_id("take-bots")
        places = [await element.bounding_box() for element in (offer, button)]
        await expect(button).to_be_disabled()
        await expect(offer.get_by_text("If nobody comes")).to_be_visible()
        await expect(offer.get_by_text("Play with computers now")).to_be_visible()
        await expect(offer.get_by_text("If nobody comes")).to_be_hidden()
        # Nothing has moved.
        assert [await element.bounding_box() for element in (offer, button)] == places
        await button.click()
        board = page.get_by_test_id("board-a")
        await expect(board).to_be_visible(timeout=20_000)
        await expect(page.get_by_test_id("resign")).to_be_visible()
