"""The page in each of its languages, at the size of a desk and of a phone; pictures stay in test-results/."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.page import at_a_table, typed
from tests.kit.service import ROOT
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
PICTURES = ROOT / "test-results" / "page"
UP_WITHIN_MS = 20_000
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
NAMES = {"en": "Tandem chess", "nb": "tandemsjakk", "de": "Tandemschach", "fa": "شطرنج دوبل"}
NOWHERE = {
    "en": ("There is no such page", "Rules of Fog of war"),
    "nb": ("Denne siden finnes ikke", "Regler for krigståke"),
    "de": ("Diese Seite gibt es nicht", "Regeln von Nebel des Krieges"),
    "fa": ("چنین صفحه‌ای نیست", "قواعد مه جنگ"),
}
PAGES = {"lobby": "/", "tandem": "/rules/tandem", "fog": "/rules/fog", "privacy": "/privacy"}
LATIN_DIGITS = r"""() => {
  const said = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (!walk.currentNode.parentElement.closest('coords, script, style')) said.push(walk.currentNode.data);
  }
  for (const each of document.querySelectorAll('body *')) {
    for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']) {
      if (!each.matches('[data-testid^=fen-]')) said.push(each.getAttribute(name) ?? '');
    }
  }
  const own = /(?<![A-Za-z0-9])[KQRBNP]?@?[a-h]?[1-8]?x?[a-h][1-8]([a-h][1-8])?/g;
  return said.filter(text => /[0-9]/.test(text.replaceAll(own, '')));
}"""
TEXT_ENDS_AT = """element => {
  const text = document.createRange();
  text.selectNodeContents(element);
  return text.getBoundingClientRect().right;
}"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def keep(page: Page, name: str) -> None:
    """A picture of the whole page as test output; nothing may be wider than the screen."""
    assert await page.evaluate(OVERFLOW) <= 0, name
    PICTURES.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=str(Path(PICTURES, f"{name}.png")), full_page=True)


@pytest.mark.parametrize("language", list(NAMES))
async def test_lobby_rules_waiting_room_and_table_in_each_language_and_size(
    browser: Chromium, whole: Whole, language: str
) -> None:
    url = whole.url.rstrip("/")
    for size, (width, height) in SIZES.items():
        context = await browser.new_context(locale=language, viewport={"width": width, "height": height})
        page = await context.new_page()
        for name, path in PAGES.items():
            await page.goto(url + path)
            await expect(page.get_by_role("heading", level=1)).to_be_visible()
            await keep(page, f"{language}-{size}-{name}")
        root = page.locator("html")
        await expect(root).to_have_attribute("lang", language)
        await expect(root).to_have_attribute("dir", "rtl" if language == "fa" else "ltr")
        await page.goto(f"{url}/rules/tandem")
        await expect(page.get_by_role("heading", level=1)).to_contain_text(NAMES[language])
        await page.goto(url)
        await page.get_by_test_id("create-table").click()
        await expect(page.get_by_test_id("seat-0")).to_have_attribute("data-kind", "human")
        await keep(page, f"{language}-{size}-waiting")
        await page.goto(url)
        await page.get_by_test_id("play-now").click()
        await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=UP_WITHIN_MS)
        await keep(page, f"{language}-{size}-table")
        await context.close()


async def test_the_language_is_changed_in_the_middle_of_a_match_without_a_reload_and_remembered(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(locale="de", viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    await page.goto(whole.url)
    await page.get_by_test_id("play-now").click()
    await expect(page.get_by_test_id("resign")).to_have_text("Aufgeben", timeout=UP_WITHIN_MS)
    await page.evaluate("window.marker = 'the same page'")
    await page.get_by_test_id("language").select_option("fa")
    await expect(page.get_by_test_id("resign")).to_have_text("تسلیم")
    await expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert await page.evaluate("window.marker") == "the same page"
    await page.reload()
    await expect(page.get_by_test_id("resign")).to_have_text("تسلیم", timeout=UP_WITHIN_MS)
    await context.close()


async def test_persian_mirrors_the_page_but_neither_boards_nor_clocks_and_has_its_own_digits(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(locale="fa-IR", viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    await page.goto(whole.url)
    await expect(page.get_by_test_id("level").locator("option").first).to_have_text("سطح ۱")
    await page.get_by_test_id("name").fill("Kari")
    await page.get_by_test_id("play-now").click()
    board = page.get_by_test_id("board-a")
    await expect(board).to_be_visible(timeout=UP_WITHIN_MS)
    bot = page.get_by_test_id("player-a-black").locator(".name")
    await expect(bot).to_have_text(re.compile("^رایانهٔ [۱-۳]$"))
    king = await board.locator("piece.white.king").bounding_box()
    queen = await board.locator("piece.white.queen").bounding_box()
    assert king
    assert queen
    assert king["x"] > queen["x"]
    # A Latin name is cut at its end when it is too long, as a clock is read from left to right.
    mine = page.get_by_test_id("player-a-white")
    for element in (page.get_by_test_id("clock-a-white"), mine.locator(".name")):
        assert await element.evaluate("element => getComputedStyle(element).direction") == "ltr"
    await page.set_viewport_size({"width": 390, "height": 844})
    end_of_name = await mine.locator(".name").evaluate(TEXT_ENDS_AT)
    disc = await mine.locator(".disc").bounding_box()
    assert disc
    assert 0 <= disc["x"] - end_of_name < 12
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.goto(whole.url.rstrip("/") + "/rules/fog")
    squares = page.get_by_test_id("try-king").locator("[data-square='a1'], [data-square='h1']")
    boxes = [await squares.nth(index).bounding_box() for index in range(2)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["x"] < boxes[1]["x"]
    await context.close()


@pytest.mark.parametrize("language", list(NOWHERE))
async def test_a_path_that_leads_nowhere_says_so_in_the_language_with_ways_to_rules_and_lobby(
    browser: Chromium, whole: Whole, language: str
) -> None:
    url, (heading, rules) = whole.url.rstrip("/"), NOWHERE[language]
    async with await browser.new_context(locale=language, viewport={"width": 320, "height": 640}) as context:
        page = await context.new_page()
        for path in ("/nothing", "/t/", "/t/0a/9", "/rules/chess"):
            answer = await page.goto(url + path)
            assert answer
            assert answer.status == (200 if path == "/t/0a/9" else 404)
            await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
            await expect(page.locator("html")).to_have_attribute("lang", language)
        await keep(page, f"nowhere-{language}")
        await page.get_by_test_id("no-page").locator("..").get_by_role("link").nth(1).click()
        await page.wait_for_url(f"{url}/rules")
        await keep(page, f"rules-{language}")
        await page.get_by_role("link", name=rules, exact=True).click()
        await page.wait_for_url(f"{url}/rules/fog")
        answer = await page.goto(f"{url}/rules")
        assert answer
        assert answer.status == 200
        await page.locator("main").get_by_role("link").last.click()
        await expect(page.get_by_test_id("play-now")).to_be_visible()


async def latin_digits(page: Page) -> list[str]:
    """Whatever the page says with Latin digits, outside of moves, squares and the boards' edges."""
    found: list[str] = await page.evaluate(LATIN_DIGITS)
    return found


async def test_persian_says_every_number_in_persian_digits_and_reads_them_in_typed_moves(
    browser: Chromium, whole: Whole
) -> None:
    """Moves and squares stay as chess writes them, on the boards' edges, too."""
    url = whole.url.rstrip("/")
    async with await browser.new_context(locale="fa-IR", viewport={"width": 1280, "height": 800}) as context:
        page = await context.new_page()
        for path in PAGES.values():
            await page.goto(url + path)
            await expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert await latin_digits(page) == [], path
        await page.goto(url)
        await page.get_by_test_id("quick-play").click()
        await expect(page.get_by_test_id("people")).to_contain_text("۱")
        assert await latin_digits(page) == []
        await page.get_by_test_id("leave-queue").click()
        await page.get_by_test_id("create-level-1").select_option("4")
        await page.get_by_test_id("create-time").select_option("3")
        await page.get_by_test_id("create-table").click()
        await expect(page.get_by_test_id("seat-1")).to_contain_text("سطح ۴")
        assert await latin_digits(page) == []

        async with at_a_table(whole.url, page) as (black, *_):
            await typed(page, "e۴", 1)
            await black.wait_for(lambda seat: seat.match and seat.match["boards"]["A"]["ply"] == 1)
            await black.move("d7d5")
            await typed(page, "e٤d٥", 3)
            row = page.get_by_test_id("move-list").locator("li[data-board]").first
            await expect(row.locator(".number")).to_have_text("۱.")
            await expect(row.locator("b")).to_have_text("e4")
            await expect(row.locator(".left")).to_have_text(re.compile("^[۰-۹]+:[۰-۹]{2}$"))
            await expect(page.get_by_test_id("clock-b-white")).to_have_text(re.compile("^[۰-۹]:[۰-۹]{2}$"))
            await expect(page.get_by_test_id("diagonal-a-white")).to_have_text(
                re.compile("^[+−±][۰-۹]:[۰-۹]{2}$")
            )
            await expect(page.locator("coords.ranks coord").first).to_have_text("1")
            await page.get_by_test_id("step-back").click()
            await expect(page.get_by_test_id("looking-back")).to_contain_text("۲")
            assert await latin_digits(page) == []
            await page.get_by_test_id("resign").click()
            await page.get_by_test_id("resign-confirm").click()
            await expect(page.get_by_test_id("result")).to_be_visible()
            assert await latin_digits(page) == []
            await page.get_by_test_id("to-replay").click()
            await expect(page.get_by_test_id("replay-moment")).to_contain_text("حرکت ۳ از ۳")
            assert await latin_digits(page) == []


async def test_a_refusal_is_said_in_the_players_language(browser: Chromium, whole: Whole) -> None:
    context = await browser.new_context(locale="nb-NO")
    page = await context.new_page()
    await page.goto(f"{whole.url.rstrip('/')}/p/oaaaaaaaaaaaaaaaaaaaaaaaa")
    await page.get_by_test_id("join-pair").click()
    await expect(page.get_by_test_id("notice")).to_contain_text("Dette paret finnes ikke lenger.")
    await context.close()
