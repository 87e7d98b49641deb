"""Names and messages as people write them: no long word tears a page apart, each has its own direction."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.browser import Browser
from tests.kit.page import at_a_table
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
UP_WITHIN_MS = 20_000
WIDEST = "W" * 20
LONG = "Schachfreund_Wuppert"
SIZES = [(320, 640), (390, 844), (768, 1024), (1280, 800)]
ADDRESS = "https://example.org/" + "a-very-long-path-without-a-space/" * 4
PLACES = ".card, .log, .talk, .seat, .strip, .row, .result, .status, .curtain, .tables li"
STICKING_OUT = """async places => {
  // A board is drawn to its new size after the page around it.
  for (let frame = 0; frame < 4; frame++) await new Promise(done => requestAnimationFrame(done));
  const found = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`the page: ${scrollWidth}`);
  for (const each of document.querySelectorAll(places)) {
    const { visibility, overflowX } = getComputedStyle(each);
    if (each.scrollWidth > each.clientWidth + 1 && visibility !== 'hidden' && overflowX !== 'hidden') {
      found.push(`${each.tagName}.${each.className}: ${each.scrollWidth} in ${each.clientWidth}`);
    }
  }
  return found;
}"""


async def sticking_out(page: Page, what: str) -> dict[str, Any]:
    """What does not fit into its place, by window size."""
    found = dict[str, Any]()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        if wide := await page.evaluate(STICKING_OUT, PLACES):
            found[f"{what} at {width}"] = wide
    return found


async def named(page: Page, name: str) -> None:
    await page.add_init_script(f"localStorage.setItem('tandemfog.name', '{name}')")


@pytest.mark.parametrize("locale", ["en", "de", "fa"])
async def test_no_page_is_wider_than_its_window_whatever_people_are_called_and_write(
    browser: Chromium, whole: Whole, locale: str
) -> None:
    context = await browser.new_context(locale=locale, reduced_motion="reduce")
    page = await context.new_page()
    await named(page, WIDEST)
    found = dict[str, Any]()
    async with Browser(whole.url) as maker:
        open_table = (await maker.command("create_table", variant="tandem", public=True))["table"]
        for seat in range(2):
            async with Browser(whole.url) as other:
                await other.command("take_seat", table=open_table, seat=seat, name=(WIDEST, LONG)[seat])
                await page.goto(whole.url)
                await expect(page.locator(f"[data-table='{open_table}']")).to_be_visible()
                found |= await sticking_out(page, "lobby")
                await page.goto(f"{whole.url}t/{open_table}/3")
                await expect(page.get_by_test_id("take-invited")).to_be_visible()
                found |= await sticking_out(page, "waiting room")
    async with at_a_table(whole.url, page, names=[LONG, WIDEST, LONG]) as others:
        partner = others[2]
        await partner.command("say", text="W" * 200)
        await partner.command("say", text=ADDRESS)
        await expect(page.get_by_test_id("talk-log").locator("li")).to_have_count(2)
        await others[0].command("offer_draw")
        await expect(page.get_by_test_id("draw-offer")).to_be_visible()
        found |= await sticking_out(page, "table")
        watcher = await context.new_page()
        await watcher.goto(page.url)
        await expect(watcher.get_by_test_id("board-a")).to_be_visible()
        found |= await sticking_out(watcher, "table elsewhere")
        await watcher.close()
        await others[0].command("resign")
        await expect(page.get_by_test_id("result")).to_be_visible()
        await others[1].command("rematch", agree=True, rotate=False)
        await expect(page.get_by_test_id("rematch-agreed")).to_be_visible()
        found |= await sticking_out(page, "result")
        await page.goto(page.url.replace("/t/", "/r/").removesuffix("/0"))
        await expect(page.get_by_test_id("replay")).to_be_visible()
        found |= await sticking_out(page, "replay")
    assert found == {}
    await context.close()


async def test_a_curtain_and_a_game_put_in_fit_their_windows_with_long_names(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(locale="en", reduced_motion="reduce")
    page = await context.new_page()
    await page.goto(whole.url)
    await page.get_by_test_id("device-white").fill(WIDEST)
    await page.get_by_test_id("device-black").fill(LONG)
    await page.get_by_test_id("device-start").click()
    await expect(page.get_by_test_id("lift")).to_be_enabled(timeout=UP_WITHIN_MS)
    found = await sticking_out(page, "curtain")
    await page.goto(f"{whole.url}r")
    await page.get_by_test_id("import-text").fill(
        f'[Event "{"E" * 90}"]\n[White "{WIDEST}"]\n[Black "{LONG}"]\n\n1. e4 e5 *'
    )
    await page.get_by_test_id("import-show").click()
    await expect(page.get_by_test_id("replay")).to_be_visible()
    await page.get_by_test_id("import-notes").locator("summary").click()
    found |= await sticking_out(page, "import")
    assert found == {}
    await context.close()


async def test_names_and_messages_keep_their_own_direction(browser: Chromium, whole: Whole) -> None:
    context = await browser.new_context(locale="en")
    page = await context.new_page()
    async with at_a_table(whole.url, page) as others:
        await others[2].command("say", text="سلام! e4 خوب بود.")
        line = page.get_by_test_id("talk-log").locator("li bdi").last
        await expect(line).to_have_text("سلام! e4 خوب بود.")
        # The full stop ends the sentence where it ends in Persian: at its left.
        first, last = await line.evaluate(
            """bdi => [0, bdi.textContent.length - 1].map(index => {
              const letter = new Range();
              letter.setStart(bdi.firstChild, index);
              letter.setEnd(bdi.firstChild, index + 1);
              return letter.getBoundingClientRect().left;
            })"""
        )
        assert last < first
    await context.close()


async def test_the_table_has_room_for_usual_names_and_signs_beside_the_boards(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(locale="nb", reduced_motion="reduce")
    page = await context.new_page()
    async with at_a_table(whole.url, page, names=["Guest 622", "Guest 333", "Guest 100"]) as others:
        for width, height in ((768, 1024), (1280, 800)):
            await page.set_viewport_size({"width": width, "height": height})
            cut = await page.locator(".strip .name").evaluate_all(
                "names => names.filter(name => name.scrollWidth > name.clientWidth).length"
            )
            assert cut == 0, width
        # All of the desk's table is in sight at once.
        assert await page.evaluate("document.documentElement.scrollHeight") <= 800
        await page.set_viewport_size({"width": 390, "height": 844})
        await others[2].disconnect()
        gone, board = page.get_by_test_id("offline-b-black"), page.get_by_test_id("board-b")
        await expect(gone).to_be_visible(timeout=UP_WITHIN_MS)
        sign, squares = await gone.bounding_box(), await board.bounding_box()
        assert sign is not None
        assert squares is not None
        assert sign["y"] + sign["height"] <= squares["y"] or sign["y"] >= squares["y"] + squares["height"]
    await context.close()
