"""What the server tells moves nothing on the page: what comes and goes has a place of its own."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.browser import Browser
from tests.kit.page import at_a_table, play_by_mouse, typed
from tests.kit.whole import Whole

log = logging.getLogger(__name__)
pytestmark = pytest.mark.asyncio(loop_scope="session")
STARTED_WITHIN_MS = 20_000
SHIFT = 0.001
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
CUT = """
const Real = WebSocket;
const sockets = [];
let isCut = false;
window.WebSocket = class extends Real {
  constructor(url) { super(isCut ? `${url}/nowhere` : url); sockets.push(this); }
};
window.cut = () => { isCut = true; for (const socket of sockets) socket.close(); };
window.mend = () => { isCut = false; };
"""
WATCH_SHIFTS = """
window.shifts = [];
const name = ({ node }) => node?.nodeType === 1
  ? `${node.tagName.toLowerCase()}.${node.className}[${node.dataset.testid ?? ''}]`
  : String(node?.textContent);
const note = entries => {
  for (const each of entries) if (!each.hadRecentInput) {
    window.shifts.push({ value: each.value, moved: each.sources.map(name) });
  }
};
const observer = new PerformanceObserver(list => note(list.getEntries()));
observer.observe({ type: 'layout-shift', buffered: true });
window.shifted = async () => {
  for (let frame = 0; frame < 10; frame++) await new Promise(done => requestAnimationFrame(done));
  note(observer.takeRecords());
  return window.shifts.splice(0);
};
"""


class Steady:
    """A page whose layout shifts are taken up phase by phase."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.phases: dict[str, list[dict[str, Any]]] = {}

    async def until_now(self, phase: str) -> None:
        """What has shifted since the last phase belongs to this one."""
        self.phases[phase] = await self.page.evaluate("window.shifted()")

    def unsteady(self) -> dict[str, list[dict[str, Any]]]:
        """The phases in which the page has moved, with what has."""
        for phase, shifts in self.phases.items():
            log.info("%s: %.4f", phase, sum(shift["value"] for shift in shifts))
        return {
            phase: shifts
            for phase, shifts in self.phases.items()
            if sum(shift["value"] for shift in shifts) >= SHIFT
        }


async def no_input(page: Page) -> None:
    """Waits until what moves counts: half a second after an input it is taken for its answer."""
    await page.wait_for_timeout(600)
    await page.evaluate("window.shifted()")


@asynccontextmanager
async def black_at_a_table(url: str, page: Page, variant: str) -> AsyncIterator[dict[int, Browser]]:
    """Black on A on the page, who sits down first, clients on the other seats; the match begins soon."""
    async with AsyncExitStack() as stack:
        seats = (0, 2, 3) if variant == "tandem" else (0,)
        others = {seat: await stack.enter_async_context(Browser(url)) for seat in seats}
        table = (await others[0].command("create_table", variant=variant, public=False))["table"]
        await page.goto(f"{url}t/{table}/1")
        await page.get_by_test_id("take-invited").click()
        await expect(page.get_by_test_id("seat-1")).to_have_attribute("data-kind", "human")
        await no_input(page)
        for seat, other in others.items():
            await other.command("take_seat", table=table, seat=seat, name=f"A rather long name {seat}"[:20])
        yield others


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
async def test_nothing_moves_from_the_lobby_to_the_first_moves_of_computers(
    browser: Chromium, whole: Whole, device: dict[str, Any]
) -> None:
    context = await browser.new_context(**device, locale="en")
    page = await context.new_page()
    await page.add_init_script(WATCH_SHIFTS)
    steady = Steady(page)
    await page.goto(whole.url)
    await page.get_by_test_id("options").click()
    await page.get_by_test_id("play-seat").select_option("1")
    await no_input(page)
    await page.get_by_test_id("play-now").click()
    await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=STARTED_WITHIN_MS)
    await steady.until_now("start")
    await expect(page.get_by_test_id("board-a")).to_have_attribute("data-ply", "1", timeout=STARTED_WITHIN_MS)
    rows = page.get_by_test_id("move-list").locator("li[data-board=B]")
    await expect(rows.nth(2)).to_be_attached(timeout=STARTED_WITHIN_MS)
    await steady.until_now("moves")
    assert steady.unsteady() == {}
    await context.close()


@pytest.mark.parametrize(
    ("variant", "device", "scrolled"),
    [
        pytest.param("tandem", PHONE, False, id="tandem-phone"),
        pytest.param("tandem", PHONE, True, id="tandem-phone-scrolled"),
        pytest.param("tandem", TABLET, False, id="tandem-tablet"),
        pytest.param("tandem", DESK, False, id="tandem-desk"),
        pytest.param("fog", PHONE, True, id="fog-phone-scrolled"),
        pytest.param("fog", DESK, False, id="fog-desk"),
    ],
)
async def test_nothing_moves_when_a_match_begins_draws_are_offered_the_seat_moves_and_it_ends(
    browser: Chromium, whole: Whole, variant: str, device: dict[str, Any], scrolled: bool
) -> None:
    context = await browser.new_context(**device, locale="en", reduced_motion="reduce")
    page = await context.new_page()
    await page.add_init_script(WATCH_SHIFTS)
    steady = Steady(page)
    async with black_at_a_table(whole.url, page, variant) as others:
        white, rest = others[0], list(others.values())
        board = page.get_by_test_id("board-a")
        await expect(board).to_be_visible(timeout=STARTED_WITHIN_MS)
        await steady.until_now("start")
        if scrolled:
            await page.evaluate("scrollTo(0, 300)")

        for other in rest:
            await other.wait_for(lambda client: client.match)
        await white.move("e2e4")
        await expect(board).to_have_attribute("data-ply", "1")
        if variant == "tandem":
            await others[2].move("d2d4")
            await expect(page.get_by_test_id("board-b")).to_have_attribute("data-ply", "1")
            await others[3].move("d7d5")
            await expect(page.get_by_test_id("board-b")).to_have_attribute("data-ply", "2")
        await steady.until_now("moves")

        await white.command("offer_draw")
        await expect(page.get_by_test_id("accept-draw")).to_be_visible()
        await steady.until_now("draw offered")
        if variant == "tandem":
            await others[2].command("decline_draw")
            await expect(page.get_by_test_id("draw-offer")).to_have_count(0)
            await steady.until_now("draw declined by the partner")

        second = await context.new_page()
        await second.goto(page.url)
        await expect(page.get_by_test_id("moved")).to_be_visible()
        await page.bring_to_front()
        await steady.until_now("moved to another window")
        await second.close()

        await white.command("resign")
        await expect(page.get_by_test_id("result")).to_be_visible()
        await steady.until_now("result")
        await white.command("rematch", agree=True, rotate=False)
        await expect(page.get_by_test_id("rematch-agreed")).to_be_visible()
        await steady.until_now("rematch wished for")
    assert steady.unsteady() == {}
    await context.close()


@pytest.mark.parametrize("locale", ["en", "de", "fa"])
@pytest.mark.parametrize(
    ("variant", "device"),
    [
        pytest.param("tandem", PHONE, id="tandem-phone"),
        pytest.param("tandem", NARROW, id="tandem-narrow"),
        pytest.param("tandem", TABLET, id="tandem-tablet"),
        pytest.param("tandem", DESK, id="tandem-desk"),
        pytest.param("fog", PHONE, id="fog-phone"),
    ],
)
async def test_nothing_moves_when_a_move_chosen_for_the_next_turn_is_shown_and_played(
    browser: Chromium, whole: Whole, variant: str, device: dict[str, Any], locale: str
) -> None:
    context = await browser.new_context(**device, locale=locale, reduced_motion="reduce")
    page = await context.new_page()
    await page.add_init_script(WATCH_SHIFTS)
    steady = Steady(page)
    async with black_at_a_table(whole.url, page, variant) as others:
        board, note = page.get_by_test_id("board-a"), page.get_by_test_id("premove")
        await expect(board).to_be_visible(timeout=STARTED_WITHIN_MS)
        field = page.get_by_test_id("typed-move")
        place = await field.bounding_box()
        await play_by_mouse(page, "a", "black", "e7e5", drag=False)
        await expect(note).to_contain_text("e7e5")
        assert await field.bounding_box() == place  # nor for the input itself
        await no_input(page)
        await others[0].wait_for(lambda client: client.match)
        await others[0].move("e2e4")
        await expect(board).to_have_attribute("data-ply", "2")
        await expect(note).to_have_count(0)
        await steady.until_now("played")
    assert steady.unsteady() == {}
    await context.close()


@pytest.mark.scenario("F12")
async def test_a_reload_brings_back_the_move_chosen_for_the_next_turn_or_says_that_it_is_gone(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(**DESK, locale="en")
    page = await context.new_page()
    await page.add_init_script(WATCH_SHIFTS)
    board = page.get_by_test_id("board-a")
    async with black_at_a_table(whole.url, page, "fog") as others:
        white = others[0]
        await expect(board).to_be_visible(timeout=STARTED_WITHIN_MS)
        await play_by_mouse(page, "a", "black", "e7e5", drag=False)
        await expect(board).to_have_attribute("data-premove", "e7e5")
        await page.reload()
        await expect(board).to_have_attribute("data-premove", "e7e5")
        await expect(page.get_by_test_id("premove")).to_contain_text("e7e5")
        await white.wait_for(lambda client: client.match)
        await white.move("e2e4")
        await expect(board).to_have_attribute("data-ply", "2")  # played when its turn came
        await expect(board).to_have_attribute("data-premove", "")

        # Played from another window meanwhile: the one chosen here was for a turn that is over.
        await play_by_mouse(page, "a", "black", "b8c6", drag=False)
        await expect(board).to_have_attribute("data-premove", "b8c6")
        kept = await page.evaluate("sessionStorage.getItem('tandemfog.premove')")
        second = await context.new_page()
        await second.goto(page.url)
        await expect(page.get_by_test_id("moved")).to_be_visible()
        await expect(board).to_have_attribute("data-premove", "")
        await white.wait_for(lambda client: client.match and len(client.match["moves"]) == 2)
        await white.move("g1f3")
        await expect(second.get_by_test_id("board-a")).to_have_attribute("data-ply", "3")
        await play_by_mouse(second, "a", "black", "g8f6", drag=False)
        await expect(board).to_have_attribute("data-ply", "4")
        await page.evaluate("kept => sessionStorage.setItem('tandemfog.premove', kept)", kept)
        await page.reload()
        await expect(page.get_by_test_id("notice")).to_contain_text("b8c6")
        await expect(board).to_have_attribute("data-premove", "")
    await context.close()


async def test_clocks_stand_marked_while_the_connection_is_lost(browser: Chromium, whole: Whole) -> None:
    context = await browser.new_context(**DESK, locale="en")
    page = await context.new_page()
    await page.add_init_script(CUT)
    async with at_a_table(whole.url, page):
        clock = page.get_by_test_id("clock-a-black")
        await typed(page, "e4", 1)
        await expect(clock).to_have_class(re.compile("running"), timeout=STARTED_WITHIN_MS)
        await page.evaluate("window.cut()")
        await expect(page.get_by_test_id("connection")).to_be_visible()
        await expect(clock).to_have_class(re.compile("unknown"))
        await expect(clock).not_to_have_class(re.compile("running"))
        await expect(clock).to_have_attribute("aria-label", re.compile("before the connection was lost"))
        shown = await clock.inner_text()
        await page.wait_for_timeout(1_500)
        assert await clock.inner_text() == shown
        await page.evaluate("window.mend()")
        await expect(clock).to_have_class(re.compile("running"), timeout=STARTED_WITHIN_MS)
        await expect(clock).not_to_have_text(shown)
    await context.close()
