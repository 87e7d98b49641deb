"""After a match: the result, the replay and games of one's own, in each language, size and colour scheme."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.e2e.test_page_languages import OVERFLOW, SIZES, keep
from tests.kit.axe import found_by_axe
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
UP_WITHIN_MS = 20_000
GAMES = Path(__file__).parents[1] / "data" / "bpgn"
Looks = list[tuple[str, Literal["light", "dark"]]]
OPPOSITE: Looks = [("desk", "light"), ("phone", "dark")]
ALL: Looks = [*OPPOSITE, ("desk", "dark"), ("phone", "light")]


async def looks_right(page: Page, name: str, looks: Looks) -> None:
    """Pictures of a page at these sizes and schemes, with nothing for axe to find on any."""
    for size, scheme in looks:
        width, height = SIZES[size]
        await page.set_viewport_size({"width": width, "height": height})
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        await page.wait_for_function(f"() => {OVERFLOW} <= 0")  # boards take their new size a frame later
        await keep(page, f"{name}-{size}-{scheme}")
        assert await found_by_axe(page) == [], (name, size, scheme)


@pytest.mark.parametrize(
    ("language", "looks"), [("en", ALL), ("nb", OPPOSITE), ("de", OPPOSITE), ("fa", ALL)]
)
async def test_result_replay_and_import_in_each_language_size_and_scheme(
    browser: Chromium, whole: Whole, language: str, looks: Looks
) -> None:
    async with await browser.new_context(locale=language) as context:
        page = await context.new_page()
        await page.goto(whole.url)
        await page.get_by_test_id("play-now").click()
        await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=UP_WITHIN_MS)
        await page.get_by_test_id("resign").click()
        await page.get_by_test_id("resign-confirm").click()
        await expect(page.get_by_test_id("result")).to_be_visible()
        await looks_right(page, f"{language}-result", looks)
        await page.get_by_test_id("to-replay").click()
        await expect(page.get_by_test_id("replay")).to_be_visible()
        await looks_right(page, f"{language}-replay", looks)

        await page.goto(f"{whole.url}r")
        await page.get_by_test_id("import-text").fill("1. zzz")
        await page.get_by_test_id("import-show").click()
        await expect(page.get_by_test_id("import-failure")).not_to_be_empty()
        await looks_right(page, f"{language}-import", looks)
        await page.get_by_test_id("import-file").set_input_files(GAMES / "game_10.bpgn")
        await expect(page.get_by_test_id("replay")).to_be_visible()
        await page.get_by_test_id("import-notes").locator("summary").click()
        await page.keyboard.press("End")
        await looks_right(page, f"{language}-imported", looks)
