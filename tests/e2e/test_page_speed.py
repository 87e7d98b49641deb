"""How fast the page is: first load, frames, memory, steadiness. `--log-cli-level=INFO` shows the figures."""

from __future__ import annotations

import logging
import statistics

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import CDPSession, Response, expect

from tests.kit.browser import Browser
from tests.kit.table import full_table
from tests.kit.whole import Whole

log = logging.getLogger(__name__)
pytestmark = [pytest.mark.alone, pytest.mark.asyncio(loop_scope="session")]

FIRST_LOAD_BYTES = 150_000
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
"""Knights out and back: in tandem chess nobody stops that."""
EARLY, LATE = 100, 500
GROWTH_BYTES = 2_000_000
SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
FRAMES = """milliseconds => new Promise(done => {
  const lengths = [];
  let last = performance.now();
  const end = last + milliseconds;
  requestAnimationFrame(function next(now) {
    lengths.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(next); else done(lengths.slice(2));
  });
})"""


async def test_the_first_load_is_below_150_kilobytes(browser: Chromium, whole: Whole) -> None:
    """Script and style of the lobby together, as they come over the wire."""
    async with await browser.new_context() as context:
        page = await context.new_page()
        answers = list[Response]()

        def note(answer: Response) -> None:
            answers.append(answer)

        page.on("response", note)
        await page.goto(whole.url)
        await expect(page.get_by_test_id("play-now")).to_be_visible()
        await page.wait_for_load_state("networkidle")
        loaded = [answer for answer in answers if answer.url.endswith((".js", ".css"))]
        size = sum([(await answer.request.sizes())["responseBodySize"] for answer in loaded])
        packed = [await answer.header_value("Content-Encoding") for answer in loaded]
        assert set(packed) == {"gzip"}
    log.info("first load: %.1f kB in %d files", size / 1000, len(loaded))
    assert len(loaded) >= 2
    assert size < FIRST_LOAD_BYTES


async def used_bytes(cdp: CDPSession) -> int:
    for _ in range(2):
        await cdp.send("HeapProfiler.collectGarbage")
    return int((await cdp.send("Runtime.getHeapUsage"))["usedSize"])


async def shuffle(seats: list[Browser], first: int, last: int) -> None:
    """Single moves first..last of the whole match, on both boards in turn."""
    for number in range(first, last):
        board, ply = number % 2, number // 2
        seat = 2 * board + ply % 2
        await seats[seat].command("move", board="AB"[board], ply=ply, uci=SHUFFLE[ply % 4])


@pytest.mark.timeout(240)
async def test_a_long_match_costs_no_more_at_its_end_than_at_its_beginning(
    browser: Chromium, whole: Whole
) -> None:
    """U03, frames under a CPU slowed down four times, memory over 500 moves, no layout shift."""
    time = {"initial_ms": 600_000, "increment_ms": 10_000}
    async with full_table(whole.url, variant="tandem", time=time) as seats:
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        page = await context.new_page()
        await page.add_init_script(SHIFTS)
        table = seats[0].match["table"] if seats[0].match else ""
        await page.goto(f"{whole.url}t/{table}")
        rows = page.get_by_test_id("move-list").locator("li[data-board]")
        await shuffle(seats, 0, EARLY)
        await expect(rows).to_have_count(EARLY)

        # Who has scrolled back is not pulled forward, and is told of what is new.
        moves = page.get_by_test_id("move-list")
        await moves.evaluate("box => { box.scrollTop = 40; }")
        await page.wait_for_function(
            "() => document.querySelector('[data-testid=move-list]').scrollTop === 40"
        )
        await shuffle(seats, EARLY, EARLY + 3)
        await expect(page.get_by_test_id("new-moves")).to_contain_text("3")
        assert await moves.evaluate("box => box.scrollTop") == 40
        await page.get_by_test_id("new-moves").click()
        await expect(page.get_by_test_id("new-moves")).to_have_count(0)

        cdp = await page.context.new_cdp_session(page)
        early = await used_bytes(cdp)
        await cdp.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        lengths = [float(length) for length in await page.evaluate(FRAMES, 2_000)]
        await cdp.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        await shuffle(seats, EARLY + 3, LATE)
        await expect(rows).to_have_count(LATE, timeout=15_000)
        late = await used_bytes(cdp)
        shifted = await page.evaluate("window.shifted")
        await context.close()
    rate = 1000 / statistics.median(lengths)
    smooth = sum(length < 25 for length in lengths) / len(lengths)
    log.info("at a fourth of the CPU %.1f frames a second (median), %d%% in time", rate, 100 * smooth)
    log.info("heap %.1f MB after %d moves, %.1f MB after %d", early / 1e6, EARLY, late / 1e6, LATE)
    log.info("layout shift %.4f", shifted)
    assert rate > 55
    assert late - early < GROWTH_BYTES
    assert shifted < 0.001
