"""What a table says of its players, and what players say to it: marks, clock, draw, abort, windows, voice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.browser import Browser
from tests.kit.page import at_a_table, middle, play_by_mouse, typed
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")

OFFLINE_WITHIN_MS = 15_000
"""T-leave."""
STANDS_ON = """square =>
  [...document.querySelectorAll('[data-testid=board-a] piece')].some(piece => piece.cgKey === square)"""
VOICE = """
window.spoken = [];
SpeechSynthesis.prototype.speak = words => window.spoken.push([words.text, words.lang]);
"""
"""Chromium without a screen has no voice: what the page gives it to say is noted."""


@asynccontextmanager
async def people(browser: Chromium, count: int, **settings: Any) -> AsyncIterator[list[Page]]:
    """Pages of so many people, each in a browser of its own."""
    async with AsyncExitStack() as stack:
        pages = []
        for _ in range(count):
            context = await stack.enter_async_context(
                await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en", **settings)
            )
            pages.append(await context.new_page())
        yield pages


async def answered(client: Browser, moves: int, uci: str) -> None:
    """A client's move once so many have been made on both boards together."""
    await client.wait_for(lambda seat: seat.match and len(seat.match["moves"]) == moves)
    await client.move(uci)


async def name_of(page: Page, place: str) -> str:
    return await page.get_by_test_id(f"player-{place}").locator(".name").inner_text()


@pytest.mark.rule("T-wait")
async def test_who_has_no_move_is_said_to_wait_for_a_piece_until_it_comes(
    browser: Chromium, whole: Whole
) -> None:
    """In a check that only a piece still to come can block: in words, to the player and to the others."""
    async with (
        people(browser, 2) as [white, black],
        at_a_table(whole.url, white, black) as (white_b, black_b),
    ):
        await expect(white.get_by_test_id("abort")).to_be_visible()
        for ply, (page, move) in enumerate([(white, "f3"), (black, "e5"), (white, "g4"), (black, "Qh4")], 1):
            await expect(page.get_by_test_id("board-a")).to_have_attribute("data-ply", str(ply - 1))
            await typed(page, move, ply)
        await expect(white.get_by_test_id("abort")).to_have_count(0)  # gone since the second move (T-abort)
        for page in (white, black):
            await expect(page.get_by_test_id("waiting-a-white")).to_have_text("waiting for a piece")
            await expect(page.get_by_test_id("waiting-a-black")).to_have_count(0)
        await expect(white.get_by_test_id("status")).to_have_text("You have no move now: wait for a piece.")
        await expect(black.get_by_test_id("status")).to_contain_text("to move.")
        await expect(white.get_by_test_id("result")).to_have_count(0)

        for moves, (client, uci) in enumerate(
            [(white_b, "e2e4"), (black_b, "d7d5"), (white_b, "a2a3"), (black_b, "d5e4")], 4
        ):
            await answered(client, moves, uci)
        await expect(white.get_by_test_id("status")).to_have_text("Check! Your move.")
        for page in (white, black):
            await expect(page.get_by_test_id("waiting-a-white")).to_have_count(0)
        await typed(white, "P@g3", 5)


@pytest.mark.rule("T-leave")
async def test_a_player_whose_browser_is_gone_is_marked_offline_until_they_are_back(
    browser: Chromium, whole: Whole
) -> None:
    async with people(browser, 2) as [page, other], at_a_table(whole.url, page, other):
        gone = page.get_by_test_id("offline-a-black")
        await expect(page.get_by_test_id("hand-a-black")).to_be_visible()
        await expect(gone).to_have_count(0)
        kept = await other.context.storage_state()
        await other.context.close()
        await expect(gone).to_have_text("offline", timeout=OFFLINE_WITHIN_MS)
        for place in ("a-white", "b-white", "b-black"):
            await expect(page.get_by_test_id(f"offline-{place}")).to_have_count(0)
        async with people(browser, 1, storage_state=kept) as [back]:
            await back.goto(page.url.removesuffix("/0"))
            await expect(gone).to_have_count(0)
            await expect(back.get_by_test_id("offline-a-black")).to_have_count(0)
            await expect(back.get_by_test_id("player-a-black")).to_contain_text("you")


@pytest.mark.rule("T-club-confirm")
async def test_in_the_club_form_a_move_is_shown_may_be_taken_back_and_is_sent_by_a_press_of_the_clock(
    browser: Chromium, whole: Whole
) -> None:
    async with people(browser, 1) as [page]:
        sent = list[str]()
        page.on("websocket", lambda ws: ws.on("framesent", lambda payload: sent.append(str(payload))))
        async with at_a_table(whole.url, page, profile="club") as (black, *_):
            board, clock = page.get_by_test_id("board-a"), page.get_by_test_id("clock-a-white")
            field = page.get_by_test_id("typed-move")
            await field.fill("d4")
            await field.press("Enter")
            await page.wait_for_function(STANDS_ON, arg="d4")
            await expect(page.get_by_test_id("status")).to_have_text("Press your clock to send the move.")
            await expect(clock).to_have_attribute("aria-label", "Press your clock to send the move")
            await field.fill("e2e4")
            await field.press("Enter")
            await expect(page.get_by_test_id("typed-problem")).to_have_text(
                "Press your clock to send the move."
            )
            await page.get_by_test_id("take-back").click()
            await page.wait_for_function(STANDS_ON, arg="d2")
            await expect(page.get_by_test_id("status")).to_have_text("Your move.")
            await expect(page.get_by_test_id("press-clock")).to_have_count(0)

            await field.press("Enter")  # e2e4 still stands there
            await page.wait_for_function(STANDS_ON, arg="e4")
            assert not any('"t":"move"' in text for text in sent)
            assert black.match
            assert black.match["boards"]["A"]["ply"] == 0
            await page.mouse.click(*await middle(clock))
            await expect(board).to_have_attribute("data-ply", "1")
            assert ['"e2e4"' in text for text in sent if '"t":"move"' in text] == [True]
            await expect(page.get_by_test_id("press-clock")).to_have_count(0)

            await answered(black, 1, "e7e5")
            await expect(board).to_have_attribute("data-ply", "2")
            await field.fill("Nf3")
            await field.press("Enter")
            await expect(page.get_by_test_id("press-clock")).to_be_visible()
            await field.blur()
            await page.keyboard.press("Space")
            await expect(board).to_have_attribute("data-ply", "3")


@pytest.mark.rule("T-draw")
async def test_a_draw_is_offered_by_one_and_agreed_by_all_four(browser: Chromium, whole: Whole) -> None:
    async with people(browser, 2) as [page, other], at_a_table(whole.url, page, other) as (white_b, black_b):
        name = await name_of(page, "a-white")
        await page.get_by_test_id("offer-draw").click()
        await expect(page.get_by_test_id("offer-draw")).to_have_text("Draw offered")
        await expect(page.get_by_test_id("offer-draw")).to_be_disabled()
        await expect(page.get_by_test_id("draw-offer")).to_have_count(0)
        await expect(other.get_by_test_id("draw-offer")).to_contain_text(f"{name} offered a draw.")
        await other.get_by_test_id("accept-draw").click()
        await expect(other.get_by_test_id("accept-draw")).to_have_count(0)
        asked = [await name_of(page, place) for place in ("b-white", "b-black")]
        for each in (page, other):
            await expect(each.get_by_test_id("draw-offer")).to_contain_text(
                f"waiting for {', '.join(asked)}."
            )
        await white_b.command("accept_draw")
        await black_b.wait_for(lambda seat: seat.match and seat.match["standing"]["draw_agreed"] == [0, 1, 2])
        await expect(page.get_by_test_id("result")).to_have_count(0)  # the fourth has not agreed
        await black_b.command("accept_draw")
        for each in (page, other):
            result = each.get_by_test_id("result")
            await expect(result).to_have_attribute("data-reason", "agreement")
            await expect(result).to_have_attribute("data-winner", "")
            await expect(result).to_contain_text("The players agreed to a draw.")


@pytest.mark.rule("T-abort")
async def test_before_the_second_move_anybody_may_abort_after_being_asked_once_more(
    browser: Chromium, whole: Whole
) -> None:
    async with people(browser, 1) as [page], at_a_table(whole.url, page) as clients:
        await typed(page, "e4", 1)
        await page.get_by_test_id("abort").click()
        await expect(page.get_by_text("Abort the match without a result?")).to_be_visible()
        await page.get_by_test_id("abort-cancel").click()
        await expect(page.get_by_test_id("abort-confirm")).to_have_count(0)
        assert all(client.match and client.match["result"] is None for client in clients)
        await page.get_by_test_id("abort").click()
        await page.get_by_test_id("abort-confirm").click()
        result = page.get_by_test_id("result")
        await expect(result).to_have_attribute("data-reason", "aborted")
        await expect(result).to_contain_text("No result")
        for client in clients:
            await client.wait_for(lambda seat: seat.match and seat.match["result"])


@pytest.mark.scenario("R08")
async def test_a_second_window_takes_the_seat_the_first_is_told_and_may_take_it_back(
    browser: Chromium, whole: Whole
) -> None:
    async with people(browser, 1) as [first], at_a_table(whole.url, first) as (black, *_):
        second = await first.context.new_page()
        await second.goto(first.url)
        await expect(first.get_by_test_id("moved")).to_contain_text(
            "open on another device or in another tab"
        )
        await expect(second.get_by_test_id("moved")).to_have_count(0)
        await typed(second, "e4", 1)
        await expect(first.get_by_test_id("board-a")).to_have_attribute("data-ply", "1")  # still watched
        await answered(black, 1, "e7e5")
        await expect(first.get_by_test_id("board-a")).to_have_attribute("data-ply", "2")
        await expect(first.get_by_test_id("typed-move")).to_be_hidden()
        await play_by_mouse(first, "a", "white", "d2d4", drag=False)
        await expect(first.get_by_test_id("notice")).to_be_visible()
        await expect(first.get_by_test_id("board-a")).to_have_attribute("data-ply", "2")

        await first.get_by_test_id("play-here").click()
        await expect(first.get_by_test_id("moved")).to_have_count(0)
        await expect(second.get_by_test_id("moved")).to_be_visible()
        await typed(first, "Nf3", 3)
        await expect(second.get_by_test_id("board-a")).to_have_attribute("data-ply", "3")


async def spoken(page: Page) -> list[list[str]]:
    """What was said aloud; it is said after the line is drawn, so the first word is waited for."""
    await page.wait_for_function("() => window.spoken.length > 0")
    heard: list[list[str]] = await page.evaluate("window.spoken")
    return heard


async def test_a_partners_quick_messages_are_spoken_where_that_is_switched_on(
    browser: Chromium, whole: Whole
) -> None:
    """In the page's language, as they come: no free text, none of one's own, none a second time."""
    async with people(browser, 1) as [page]:
        await page.add_init_script(VOICE)
        async with at_a_table(whole.url, page) as (*_, partner):
            switch, log = page.get_by_test_id("switch-voice"), page.get_by_test_id("talk-log").locator("li")
            await expect(switch).to_have_attribute("aria-pressed", "false")
            await switch.click()
            await expect(switch).to_have_attribute("aria-pressed", "true")
            await page.get_by_test_id("say-yes").click()
            await expect(log.last).to_contain_text("Yes")
            await partner.command("say", text="look at f7")
            await partner.command("say", quick="need_queen")
            await expect(log.last).to_contain_text("I need a queen")
            assert await spoken(page) == [["I need a queen", "en"]]

            await page.reload()
            await expect(log).to_have_count(3)
            await page.get_by_test_id("language").select_option("fa")
            await expect(page.locator("html")).to_have_attribute("lang", "fa")
            await partner.command("say", quick="go")
            await expect(log.last).to_contain_text("حرکت کن")
            assert await spoken(page) == [["حرکت کن", "fa"]]

            await switch.click()
            await partner.command("say", quick="sit")
            await expect(log.last).to_contain_text("صبر کن")
            assert len(await spoken(page)) == 1

            # A browser without a voice has no switch for it, and what was chosen before does no harm.
            await switch.click()
            faults = list[str]()
            page.on("pageerror", lambda error: faults.append(str(error)))
            await page.add_init_script(
                "delete window.speechSynthesis; delete window.SpeechSynthesisUtterance"
            )
            await page.reload()
            await expect(log).to_have_count(5)
            await partner.command("say", quick="thanks")
            await expect(log.last).to_contain_text("ممنون")
            await expect(page.get_by_test_id("switch-sound")).to_be_visible()
            await expect(switch).to_have_count(0)
            assert faults == []
