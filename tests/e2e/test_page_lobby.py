"""The lobby in a real Chromium: tables with seats, links and codes, quick play, the list, the way back."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack, suppress

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Locator, Page, expect

from tests.kit.browser import Browser, Refused
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
UP_WITHIN_MS = 20_000
LONG = "Schachfreund_Wuppert"
SHIFT = 0.02
"""The most that a page may move by itself (the sum of its layout shifts; 0.1 counts as good on the web)."""
NOTHING_KEPT = {
    "refused": "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty("
    "window, name, { get() { throw new DOMException('refused', 'SecurityError'); } });",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
}
WATCH_SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shifted += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });
}"""


async def person(browser: Chromium, whole: Whole, path: str = "", sent: list[str] | None = None) -> Page:
    """Somebody with a browser of their own, who has just opened a page; `sent` is given all that it sends."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    await context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = await context.new_page()
    if sent is not None:
        page.on("websocket", lambda ws: ws.on("framesent", lambda payload: sent.append(str(payload))))
    await page.goto(whole.url.rstrip("/") + path)
    await expect(page.get_by_test_id("connection")).to_be_hidden()
    return page


async def at_the_board(page: Page) -> None:
    await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=UP_WITHIN_MS)


@pytest.mark.parametrize("storage", ["refused", "full"])
async def test_a_browser_that_keeps_nothing_plays_all_the_same(
    browser: Chromium, whole: Whole, storage: str
) -> None:
    async with await browser.new_context(locale="en") as context:
        page = await context.new_page()
        await page.add_init_script(NOTHING_KEPT[storage])
        await page.goto(whole.url)
        await page.get_by_test_id("play-now").click()
        await at_the_board(page)
        await expect(page.get_by_test_id("resign")).to_be_visible()


async def test_a_table_is_made_with_a_chosen_seat_computers_of_chosen_levels_and_links_for_the_rest(
    browser: Chromium, whole: Whole
) -> None:
    maker = await person(browser, whole)
    await maker.get_by_test_id("name").fill("Kari")
    await maker.get_by_test_id("create-profile").select_option("club")
    await maker.get_by_test_id("create-seat").select_option("2")
    await maker.get_by_test_id("create-level-0").select_option("5")
    await maker.get_by_test_id("create-level-1").select_option("1")
    await maker.get_by_test_id("create-table").click()
    await expect(maker.get_by_test_id("seat-0")).to_contain_text("level 5")
    await expect(maker.get_by_test_id("seat-1")).to_contain_text("level 1")
    await expect(maker.get_by_test_id("seat-2")).to_contain_text("Kari")
    await expect(maker.get_by_role("heading", level=1)).to_contain_text("7 min")
    link = await maker.get_by_test_id("invite-link-3").input_value()
    await maker.get_by_test_id("invite-link-3-copy").click()
    await expect(maker.get_by_text("Copied")).to_be_visible()
    assert await maker.evaluate("navigator.clipboard.readText()") == link
    await maker.get_by_test_id("invite-link-3-code").click()
    await expect(maker.get_by_test_id("code")).to_be_visible()
    await maker.wait_for_function("() => document.querySelector('[data-testid=code] path').getAttribute('d')")
    drawn = await maker.get_by_test_id("code").locator("path").get_attribute("d")
    assert drawn
    assert drawn.count("M") > 100
    friend = await person(browser, whole, link.removeprefix(whole.url.rstrip("/")))
    await friend.get_by_test_id("take-invited").click()
    for page in (maker, friend):
        await at_the_board(page)


async def test_public_tables_come_and_go_in_the_lobby_of_others_who_sit_down_or_watch(
    browser: Chromium, whole: Whole
) -> None:
    sent = list[str]()
    maker, other, third = [await person(browser, whole, sent=sent) for _ in range(3)]
    await maker.get_by_test_id("create-variant").select_option("fog")
    await maker.get_by_test_id("create-public").check()
    await maker.get_by_test_id("create-table").click()
    await expect(maker.get_by_test_id("seat-0")).to_have_attribute("data-kind", "human")
    table = maker.url.rsplit("/", 1)[1]
    row = other.locator(f"[data-table='{table}']")
    await expect(row).to_be_visible()
    await row.get_by_role("button").click()
    for page in (maker, other):
        await at_the_board(page)
    row = third.locator(f"[data-table='{table}']")
    await expect(row.get_by_role("button")).to_have_count(0)
    await row.get_by_role("link").click()
    await at_the_board(third)
    await expect(third.locator("piece.white")).to_have_count(0)  # F-spectators
    # The list is pushed to those who look at it, and nobody asks for it again and again.
    watching = [json.loads(text)["on"] for text in sent if '"watch_list"' in text]
    assert sorted(watching) == [False] * 3 + [True] * 3
    assert not any('"list_tables"' in text for text in sent)


@pytest.mark.parametrize("width", [390, 1280])
async def test_no_row_of_the_list_moves_for_tables_that_come_go_fill_and_start(
    browser: Chromium, whole: Whole, width: int
) -> None:
    context = await browser.new_context(viewport={"width": width, "height": 800}, locale="en")
    page = await context.new_page()
    await page.add_init_script(f"({WATCH_SHIFTS})()")
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Browser(whole.url)) for _ in range(8)]

        async def table(maker: Browser, variant: str) -> Locator:
            made = (await maker.command("create_table", variant=variant, public=True))["table"]
            await maker.command("take_seat", table=made, seat=0, name="W" * 20)
            return page.locator(f"[data-table='{made}']")

        rows = [
            await table(people[0], "fog"),
            await table(people[1], "fog"),
            await table(people[2], "tandem"),
        ]
        await page.goto(whole.url)
        for row in rows:
            await expect(row).to_be_visible()
        sort = page.get_by_test_id("tables-sort")
        await page.get_by_test_id("tables").scroll_into_view_if_needed()
        await rows[1].get_by_role("button").hover()
        await page.wait_for_timeout(
            600
        )  # what moves within half a second of an input is taken for its answer
        await page.evaluate("window.shifted = 0")
        before = [await row.bounding_box() for row in rows]

        new = [await table(people[3], "tandem"), await table(people[4], "fog")]
        await people[0].command("leave")
        await people[5].command(
            "take_seat", table=await rows[2].get_attribute("data-table"), seat=1, name=LONG
        )
        await people[6].command(
            "take_seat", table=await rows[1].get_attribute("data-table"), seat=1, name=LONG
        )
        for row in new:
            await expect(row).to_be_visible()
        await expect(rows[0]).to_have_attribute("data-gone", "true")
        await expect(rows[2]).to_contain_text(LONG)
        await expect(rows[1]).to_contain_text("Being played")
        assert [await row.bounding_box() for row in rows] == before
        assert await page.evaluate("window.shifted") == 0
        await expect(rows[0].get_by_role("link")).to_have_count(0)

        await sort.click()  # who wants to sees open tables first, and only those that there are
        await expect(rows[0]).to_have_count(0)
        await expect(sort).to_be_disabled()
        for maker in people:
            with suppress(Refused):
                await maker.command("leave")
    await context.close()


async def test_two_people_who_press_quick_play_get_the_same_table(browser: Chromium, whole: Whole) -> None:
    pages = [await person(browser, whole) for _ in range(2)]
    await pages[0].get_by_test_id("quick-variant").select_option("fog")
    await pages[0].get_by_test_id("quick-play").click()
    await expect(pages[0].get_by_test_id("waiting")).to_have_attribute("data-state", "waiting")
    await pages[0].reload()  # the place in the queue is kept
    await expect(pages[0].get_by_test_id("waiting")).to_have_attribute("data-state", "waiting")
    await pages[1].get_by_test_id("quick-variant").select_option("fog")
    await pages[1].get_by_test_id("quick-play").click()
    for page in pages:
        await at_the_board(page)
    assert pages[0].url == pages[1].url


async def test_who_sits_down_in_another_tab_waits_no_more_and_the_first_tab_says_so(
    browser: Chromium, whole: Whole
) -> None:
    first = await person(browser, whole)
    await first.get_by_test_id("quick-play").click()
    await expect(first.get_by_test_id("waiting")).to_have_attribute("data-state", "waiting")
    second = await first.context.new_page()
    await second.goto(whole.url)
    await second.get_by_test_id("play-fog").click()
    await at_the_board(second)
    await expect(first.get_by_test_id("waiting")).to_have_count(0)
    await expect(first.get_by_test_id("notice")).to_contain_text("You have sat down at another table")
    await first.reload()  # and it does not ask for the place again
    await expect(first.get_by_test_id("running")).to_be_visible()
    await expect(first.get_by_test_id("waiting")).to_have_count(0)
    await expect(second.get_by_test_id("notice")).to_have_count(0)


async def test_partners_come_together_by_a_link_wait_as_a_pair_and_may_stop(
    browser: Chromium, whole: Whole
) -> None:
    first = await person(browser, whole)
    await first.get_by_test_id("name").fill("Kari")
    await first.get_by_test_id("quick-pair").click()
    link = await first.get_by_test_id("pair-link").input_value()
    second = await person(browser, whole, link.removeprefix(whole.url.rstrip("/")))
    await second.get_by_test_id("name").fill("Ola")
    await second.get_by_test_id("join-pair").click()
    for page in (first, second):
        await expect(page.get_by_test_id("members")).to_contain_text("Kari, Ola")
    third = await person(browser, whole, link.removeprefix(whole.url.rstrip("/")))
    await third.get_by_test_id("join-pair").click()
    await expect(third.get_by_test_id("notice")).to_contain_text("The pair is complete.")
    await second.get_by_test_id("pair-play").click()
    for page in (first, second):
        await expect(page.get_by_test_id("waiting")).to_have_attribute("data-state", "waiting")
    await second.get_by_test_id("leave-queue").click()
    await expect(second.get_by_test_id("quick-play")).to_be_visible()
    await expect(first.get_by_test_id("waiting")).to_have_attribute("data-members", "1")
    await first.get_by_test_id("leave-queue").click()


async def test_a_reload_and_a_lost_network_lead_back_to_the_seat(browser: Chromium, whole: Whole) -> None:
    page = await person(browser, whole)
    await page.get_by_test_id("options").click()
    await page.get_by_test_id("play-seat").select_option("3")
    await page.get_by_test_id("play-now").click()
    await at_the_board(page)
    mine = page.get_by_test_id("player-b-black")
    await expect(mine).to_contain_text("you")
    await page.reload()
    await at_the_board(page)
    await expect(mine).to_contain_text("you")
    whole.kill("gateway")
    await expect(page.get_by_test_id("connection")).to_be_visible()
    await expect(page.get_by_test_id("connection")).to_be_hidden(timeout=UP_WITHIN_MS)
    await expect(mine).to_contain_text("you")


async def test_nothing_on_a_page_moves_while_it_loads(browser: Chromium, whole: Whole) -> None:
    for path in ("/", "/rules/tandem", "/rules/fog"):
        context = await browser.new_context(viewport={"width": 390, "height": 844})
        page = await context.new_page()
        await page.add_init_script(f"({WATCH_SHIFTS})()")
        await page.goto(whole.url.rstrip("/") + path)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await expect(page.get_by_test_id("connection")).to_be_hidden()
        assert await page.evaluate("window.shifted") < SHIFT, path
        await context.close()


async def test_no_button_takes_anybody_out_of_a_running_match_unasked_and_the_lobby_leads_back_to_it(
    browser: Chromium, whole: Whole
) -> None:
    page, friend = [await person(browser, whole) for _ in range(2)]
    await page.get_by_test_id("play-fog").click()
    await at_the_board(page)
    match = page.url
    await page.get_by_role("link", name="tandemfog").click()
    back = page.get_by_test_id("running")
    await expect(back).to_be_in_viewport()

    # A seat to take in the list, and one by a link.
    await friend.get_by_test_id("create-variant").select_option("fog")
    await friend.get_by_test_id("create-public").check()
    await friend.get_by_test_id("create-table").click()
    await expect(friend.get_by_test_id("seat-0")).to_have_attribute("data-kind", "human")
    table = friend.url.rsplit("/", 1)[1]
    await page.locator(f"[data-table='{table}']").get_by_role("button").click()
    await expect(page.get_by_test_id("sit-leaving-confirm")).to_be_visible()
    for button in ("play-now", "play-fog", "quick-play", "quick-pair", "create-table", "device-start"):
        await page.get_by_test_id(button).click()
        await expect(page.get_by_test_id(f"{button}-leaving-confirm")).to_be_visible()
    await page.get_by_test_id("quick-play-leaving-cancel").click()
    await expect(page.get_by_test_id("quick-play")).to_be_visible()
    await page.goto(f"{whole.url}t/{table}/1")  # a new page knows it, too
    for button in ("take-invited", "take-seat-1"):
        await page.get_by_test_id(button).click()
        await expect(page.get_by_test_id(f"{button}-leaving-confirm")).to_be_visible()
    await expect(friend.get_by_test_id("seat-1")).to_have_attribute("data-kind", "free")
    await page.get_by_test_id("running-back").click()
    await at_the_board(page)
    assert page.url == match
    await expect(back).to_have_count(0)

    # Who says yes goes; the match is over in another tab, and then nothing is asked any more.
    other = await page.context.new_page()
    await other.goto(whole.url)
    await expect(other.get_by_test_id("running")).to_be_visible()
    await page.get_by_test_id("resign").click()
    await page.get_by_test_id("resign-confirm").click()
    await expect(page.get_by_test_id("result")).to_be_visible()
    await expect(other.get_by_test_id("running")).to_have_count(0)
    await other.get_by_test_id("play-fog").click()
    await at_the_board(other)
    await other.get_by_role("link", name="tandemfog").click()
    await other.get_by_test_id("play-now").click()
    await other.get_by_test_id("play-now-leaving-confirm").click()
    await expect(other.get_by_test_id("board-b")).to_be_visible(timeout=UP_WITHIN_MS)
