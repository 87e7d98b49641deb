"""The page for everybody: axe finds nothing on any page in any language; keyboard, touch, installing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Literal

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.axe import found_by_axe
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
UP_WITHIN_MS = 20_000
TOUCH_PX = 24
"""The least side of what is to be touched (WCAG 2.2, AA)."""


@asynccontextmanager
async def visitor(
    browser: Chromium, locale: str, scheme: Literal["light", "dark"], width: int
) -> AsyncIterator[Page]:
    context = await browser.new_context(
        locale=locale, color_scheme=scheme, viewport={"width": width, "height": 844}, reduced_motion="reduce"
    )
    yield await context.new_page()
    await context.close()


async def lobby(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_test_id("options").click()


async def waiting(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_test_id("quick-pair").click()
    await page.get_by_test_id("pair-link-code").click()
    await expect(page.get_by_test_id("code").locator("path")).not_to_have_attribute("d", "")


async def waiting_room(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_test_id("create-table").click()
    await page.get_by_test_id("add-bot-3").click()
    await page.get_by_test_id("invite-link-1-code").click()
    await expect(page.get_by_test_id("seat-3")).to_have_attribute("data-kind", "bot")


async def tandem_table(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_test_id("play-now").click()
    await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=UP_WITHIN_MS)


async def fog_table_and_result(page: Page, url: str) -> None:
    await page.goto(url)
    # The tandem match goes on: the lobby says so, and asks.
    await expect(page.get_by_test_id("running")).to_be_visible()
    await page.get_by_test_id("play-fog").click()
    await expect(page.get_by_test_id("play-fog-leaving-confirm")).to_be_visible()
    assert await found_by_axe(page) == []
    await page.get_by_test_id("play-fog-leaving-confirm").click()
    await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=UP_WITHIN_MS)
    assert await found_by_axe(page) == []
    await page.get_by_test_id("resign").click()
    await page.get_by_test_id("resign-confirm").click()
    await expect(page.get_by_test_id("result")).to_be_visible()


async def curtain(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_test_id("device-time").select_option("0")
    await page.get_by_test_id("device-start").click()
    await page.get_by_test_id("device-start-leaving-confirm").click()  # the tandem match goes on
    await expect(page.get_by_test_id("lift")).to_be_enabled(timeout=UP_WITHIN_MS)


async def tandem_rules(page: Page, url: str) -> None:
    await page.goto(f"{url}rules/tandem")
    await page.get_by_test_id("arrive-block").click()


async def fog_rules(page: Page, url: str) -> None:
    await page.goto(f"{url}rules/fog")
    await page.get_by_test_id("lift-king").click()


async def privacy(page: Page, url: str) -> None:
    await page.goto(f"{url}privacy")
    await expect(page.get_by_test_id("kept")).to_be_visible()


async def nothing_there(page: Page, url: str) -> None:
    await page.goto(f"{url}t/00aaaaaaaaaaaaaaaaaaaaaaaa")
    await expect(page.get_by_test_id("table-gone")).to_be_visible()


PAGES: tuple[Callable[[Page, str], Awaitable[None]], ...] = (
    lobby,
    waiting,
    waiting_room,
    tandem_table,
    fog_table_and_result,
    curtain,
    tandem_rules,
    fog_rules,
    privacy,
    nothing_there,
)


@pytest.mark.parametrize(
    ("locale", "scheme", "width"),
    [("en", "light", 1280), ("nb", "dark", 390), ("de", "light", 390), ("fa", "dark", 1280)],
)
async def test_axe_finds_nothing_on_any_page(
    browser: Chromium, whole: Whole, locale: str, scheme: Literal["light", "dark"], width: int
) -> None:
    url = whole.url.rstrip("/") + "/"
    found = dict[str, list[str]]()
    async with visitor(browser, locale, scheme, width) as page:
        for show in PAGES:
            await show(page, url)
            faults = await found_by_axe(page)
            if faults:
                found[show.__name__] = faults
    assert found == {}


async def test_axe_would_find_a_picture_without_a_name(browser: Chromium, whole: Whole) -> None:
    async with visitor(browser, "en", "light", 390) as page:
        await page.goto(whole.url)
        await page.evaluate("document.querySelector('main').append(document.createElement('img'))")
        assert any("image-alt" in fault for fault in await found_by_axe(page))


async def test_the_keyboard_alone_skips_the_header_and_tries_a_rule(browser: Chromium, whole: Whole) -> None:
    async with visitor(browser, "en", "light", 1280) as page:
        await page.goto(whole.url.rstrip("/") + "/rules/tandem")
        await expect(page.get_by_test_id("try-capture")).to_be_visible()
        await page.keyboard.press("Tab")
        await expect(page.get_by_text("Skip to the content")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#content")).to_be_focused()
        await page.get_by_test_id("try-capture").locator("[data-square='e1']").focus()
        for key in ("ArrowUp", "ArrowUp", "ArrowUp", "Enter", "ArrowUp", "ArrowLeft", "Enter"):
            await page.keyboard.press(key)
        await expect(page.get_by_test_id("try-capture")).to_have_attribute("data-made", "e4d5")
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert await page.evaluate(outline) == "solid"


async def test_whatever_is_to_be_touched_is_large_enough(browser: Chromium, whole: Whole) -> None:
    async with visitor(browser, "de", "light", 390) as page:
        for path in ("/", "/r", "/rules/tandem", "/rules/fog", "/privacy"):
            await page.goto(whole.url.rstrip("/") + path)
            await expect(page.get_by_role("heading", level=1)).to_be_visible()
            small = await page.evaluate(
                """least => [...document.querySelectorAll('button, select, input, summary, a')]
                  .filter(element => element.type !== 'checkbox')
                  .map(element => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
                  .filter(([, box]) => box.width > 0 && Math.min(box.width, box.height) < least)
                  .map(([what]) => what)""",
                TOUCH_PX,
            )
            assert small == [], path


async def test_the_page_can_be_installed(browser: Chromium, whole: Whole) -> None:
    async with visitor(browser, "en", "light", 390) as page:
        url = whole.url.rstrip("/")
        await page.goto(url)
        link = await page.locator("link[rel=manifest]").get_attribute("href")
        manifest = json.loads(await (await page.request.get(f"{url}{link}")).text())
        assert {"name", "short_name", "start_url", "display", "theme_color"} <= manifest.keys()
        sizes = set[str]()
        for icon in manifest["icons"]:
            answer = await page.request.get(f"{url}{icon['src']}")
            assert answer.headers["content-type"] == icon["type"]
            sizes.add(icon["sizes"])
        assert {"192x192", "512x512"} <= sizes
        session = await page.context.new_cdp_session(page)
        told = await session.send("Page.getInstallabilityErrors")
        assert told["installabilityErrors"] in ([], [{"errorId": "in-incognito", "errorArguments": []}])
