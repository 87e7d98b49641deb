"""The keyboard's place on the page: what opens, closes or comes anew takes the focus along."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.browser import Browser
from tests.kit.page import at_a_table, typed
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
STARTED_WITHIN_MS = 20_000
TO_A_PROMOTION = ("a2a4", "b7b5", "a4b5", "g8f6", "b5b6", "f6g8", "b6c7", "g8f6")


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Chromium) -> AsyncIterator[Page]:
    async with await browser.new_context(locale="en", viewport={"width": 1280, "height": 800}) as context:
        yield await context.new_page()


def has_come_to(ply: int, client: Browser) -> bool:
    return client.match is not None and client.match["boards"]["A"]["ply"] == ply


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


@pytest.mark.rule("T-promotion")
async def test_a_promotion_holds_the_focus_and_gives_it_back_to_the_board(whole: Whole, page: Page) -> None:
    async with at_a_table(whole.url, page) as others:
        for ply, uci in enumerate(TO_A_PROMOTION, 1):
            if ply % 2:
                await typed(page, uci, ply)
            else:
                await others[0].wait_for(partial(has_come_to, ply - 1))
                await others[0].move(uci)
        board = page.get_by_test_id("board-a")
        await expect(board).to_have_attribute("data-ply", "8")
        await board.focus()
        # From e2 to the pawn on c7, and on to b8.
        await press(page, *["ArrowUp"] * 5, *["ArrowLeft"] * 2, "Enter", "ArrowUp", "ArrowLeft", "Enter")
        dialog = page.get_by_role("dialog")
        await expect(page.get_by_test_id("promote-q")).to_be_focused()
        await expect(dialog).to_have_attribute("aria-modal", "true")
        for choice in "rbnq":
            await press(page, "Tab")
            await expect(page.get_by_test_id(f"promote-{choice}")).to_be_focused()
        await press(page, "Shift+Tab")
        await expect(page.get_by_test_id("promote-n")).to_be_focused()
        await press(page, "Escape")
        await expect(dialog).to_have_count(0)
        await expect(board).to_be_focused()
        await press(page, "ArrowDown", "ArrowRight", "Enter", "ArrowUp", "ArrowLeft", "Enter")
        await expect(page.get_by_test_id("promote-q")).to_be_focused()
        await press(page, "Enter")
        await expect(board).to_have_attribute("data-ply", "9")
        await expect(board).to_be_focused()
        await press(page, "ArrowLeft")
        await expect(page.get_by_test_id("looking-back")).to_have_count(0)


@pytest.mark.parametrize("asked", ["resign", "leave", "abort"])
async def test_a_question_takes_the_focus_where_a_second_enter_does_no_harm(
    whole: Whole, page: Page, asked: str
) -> None:
    async with at_a_table(whole.url, page):
        button = page.get_by_test_id(asked)
        for close in ("Enter", "Escape"):
            await button.focus()
            await press(page, "Enter")
            await expect(page.get_by_test_id(f"{asked}-cancel")).to_be_focused()
            await press(page, close)
            await expect(button).to_be_focused()
        await press(page, "Enter", "Tab")
        await expect(page.get_by_test_id(f"{asked}-confirm")).to_be_focused()
        await press(page, "Enter")
        await expect(page.get_by_test_id("result")).to_be_visible()
        await expect(page.get_by_test_id("play")).to_be_focused()


async def test_the_question_before_another_table_takes_the_focus_too(whole: Whole, page: Page) -> None:
    async with at_a_table(whole.url, page):
        await page.goto(whole.url)
        button = page.get_by_test_id("play-now")
        await expect(page.get_by_test_id("running")).to_be_visible()
        await button.focus()
        await press(page, "Enter")
        await expect(page.get_by_test_id("play-now-leaving-cancel")).to_be_focused()
        await press(page, "Escape")
        await expect(button).to_be_focused()


async def test_a_match_begins_with_the_focus_on_it(whole: Whole, page: Page) -> None:
    await page.goto(whole.url)
    await page.get_by_test_id("play-now").focus()
    await press(page, "Enter")
    await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=STARTED_WITHIN_MS)
    await expect(page.get_by_test_id("play")).to_be_focused()
