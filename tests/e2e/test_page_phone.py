"""The table under fingers: a swipe makes the other board the large one, and takes no piece along."""

from __future__ import annotations

import time

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import CDPSession, Page, expect

from tests.kit.page import middle, square_centre
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
UP_WITHIN_MS = 20_000
Point = tuple[float, float]
BIGGER = """([more, less]) => {
  const width = name => document.querySelector(`[data-testid=board-${name}]`).clientWidth;
  return width(more) > width(less);
}"""


async def finger(session: CDPSession, start: Point, end: Point) -> None:
    """A finger put down, drawn along a line and lifted: a tenth of a second, however busy the machine is."""
    begun_s = time.time()
    for step in range(6):
        x, y = (near + (far - near) * step / 5 for near, far in zip(start, end, strict=True))
        kind = "touchMove" if step else "touchStart"
        event = {"type": kind, "touchPoints": [{"x": x, "y": y}], "timestamp": begun_s + 0.02 * step}
        await session.send("Input.dispatchTouchEvent", event)
    lifted = {"type": "touchEnd", "touchPoints": [], "timestamp": begun_s + 0.12}
    await session.send("Input.dispatchTouchEvent", lifted)


async def large(page: Page) -> str:
    """The board that is the larger one."""
    widths = await page.evaluate(
        "() => ['a', 'b'].map(name => document.querySelector(`[data-testid=board-${name}]`).clientWidth)"
    )
    assert widths[0] != widths[1]
    return "ab"[widths[1] > widths[0]]


async def test_a_swipe_swaps_the_boards_of_a_phone_and_pieces_are_dragged_all_the_same(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en"
    )
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    await page.goto(whole.url)
    await page.get_by_test_id("play-now").tap()
    own, partners = page.get_by_test_id("board-a"), page.get_by_test_id("board-b")
    await expect(own).to_be_visible(timeout=UP_WITHIN_MS)
    assert await large(page) == "a"

    # A finger on a piece drags it: aside, where it may not go, and forward, where it may.
    await finger(session, await square_centre(own, "e2"), await square_centre(own, "a2"))
    await expect(own).to_have_attribute("data-ply", "0")
    assert await large(page) == "a"
    await finger(session, await square_centre(own, "e2"), await square_centre(own, "e4"))
    await expect(page.get_by_test_id("move-list").locator("[data-board=A] b").first).to_have_text("e4")
    assert await large(page) == "a"

    # Over empty squares of the own board, over the partner's, over a name: the other one is large.
    await finger(session, await square_centre(own, "g4"), await square_centre(own, "c4"))
    await page.wait_for_function(BIGGER, arg=["b", "a"])
    await finger(session, await square_centre(partners, "c4"), await square_centre(partners, "g4"))
    await page.wait_for_function(BIGGER, arg=["a", "b"])
    button = await middle(page.get_by_test_id("swap"))
    await finger(session, button, button)
    await page.wait_for_function(BIGGER, arg=["b", "a"])

    # The own board is played on while it is the small one; up and down nothing is swapped.
    await expect(own).to_have_attribute("data-ply", "2", timeout=UP_WITHIN_MS)
    await finger(session, await square_centre(own, "d2"), await square_centre(own, "d3"))
    await expect(page.get_by_test_id("move-list").locator("[data-board=A] b").nth(2)).to_have_text("d3")
    await finger(session, await square_centre(partners, "e4"), await square_centre(partners, "e6"))
    assert await large(page) == "b"

    # On its side the phone has room for both, with everybody's name, clock and hand in sight.
    await page.set_viewport_size({"width": 844, "height": 390})
    await page.evaluate("scrollTo(0, 0)")
    for board in "ab":
        for colour in ("white", "black"):
            for part in ("player", "clock", "hand"):
                await expect(page.get_by_test_id(f"{part}-{board}-{colour}")).to_be_in_viewport(ratio=0.9)
        await expect(page.get_by_test_id(f"board-{board}")).to_be_in_viewport(ratio=0.95)
    await context.close()
