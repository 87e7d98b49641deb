"""Looking back during play: nobody is pulled forward, nothing moves there, one key leads to the game."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import expect

from tests.kit.page import at_a_table, play_by_mouse, typed
from tests.kit.table import full_table
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.scenario("U03")
async def test_looking_back_stays_where_it_is_while_moves_arrive_and_moves_only_at_the_latest_position(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    page = await context.new_page()
    sent = list[str]()
    page.on("websocket", lambda ws: ws.on("framesent", lambda payload: sent.append(str(payload))))
    board, back = page.get_by_test_id("board-a"), page.get_by_test_id("looking-back")
    async with at_a_table(whole.url, page) as (black, white_b, black_b):
        await typed(page, "e4", 1)
        await black.wait_for(lambda client: client.match and len(client.match["moves"]) == 1)
        await black.move("d7d5")
        await expect(board).to_have_attribute("data-ply", "2")
        start = await board.get_attribute("data-fen")
        await typed(page, "exd5", 3)
        await page.evaluate("document.activeElement.blur()")

        await page.keyboard.press("ArrowLeft")
        await expect(board).to_have_attribute("data-ply", "2")
        await expect(board).to_have_attribute("data-fen", start or "")
        await page.keyboard.press("ArrowLeft")
        await expect(board).to_have_attribute("data-ply", "1")
        # Three moves arrive: on the other board, and the answer on this one.
        await white_b.move("d2d4")
        await black_b.wait_for(lambda client: client.match and client.match["boards"]["B"]["ply"] == 1)
        await black_b.move("d7d5")
        await black.wait_for(lambda client: client.match and client.match["boards"]["A"]["ply"] == 3)
        await black.move("d8d5")
        await expect(page.get_by_test_id("moves-since")).to_contain_text("3")
        await expect(board).to_have_attribute("data-ply", "1")
        await expect(page.get_by_test_id("board-b")).to_have_attribute("data-ply", "2")
        await expect(page.get_by_test_id("status")).to_contain_text("Your move.")

        # It is White's turn, but not at this position.
        await play_by_mouse(page, "a", "white", "d2d4", drag=True)
        await play_by_mouse(page, "a", "white", "d2d4", drag=False)
        await page.get_by_test_id("typed-move").fill("d4")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("typed-problem")).to_contain_text("Go back to the game first")
        await expect(board).to_have_attribute("data-premove", "")
        assert not any('"d2d4"' in text for text in sent)

        await page.get_by_test_id("step-on").click()
        await expect(board).to_have_attribute("data-ply", "2")
        rows = page.get_by_test_id("move-list")
        await rows.get_by_role("button", name="exd5").click()
        await expect(board).to_have_attribute("data-ply", "3")
        await expect(rows.locator("[aria-current]")).to_have_attribute("data-board", "A")
        assert await rows.locator("[data-board=B] button").count() == 0
        await page.get_by_test_id("back-to-now").click()
        await expect(board).to_have_attribute("data-ply", "4")
        await expect(back).to_have_count(0)
        await play_by_mouse(page, "a", "white", "b1c3", drag=False)
        await expect(board).to_have_attribute("data-ply", "5")
    await context.close()


async def test_who_watches_fog_is_told_how_many_moves_were_made_and_has_nothing_to_look_back_on(
    browser: Chromium, whole: Whole
) -> None:
    """F-spectators: in the list after a reload, too, and no more than the number."""
    page = await (await browser.new_context(locale="en")).new_page()
    rows, back = page.get_by_test_id("move-list").locator("li"), page.get_by_test_id("looking-back")
    async with full_table(whole.url, variant="fog") as (white, black):
        assert white.match is not None
        await page.goto(f"{whole.url}t/{white.match['table']}")
        await expect(rows).to_have_text(["No move yet."])
        for ply, uci in enumerate(("e2e4", "d7d5", "e4d5")):
            await (white, black)[ply % 2].command("move", board="A", ply=ply, uci=uci)
        for _ in range(2):
            await expect(rows).to_have_text([f"A {number} a move was made" for number in ("1.", "1…", "2.")])
            await page.keyboard.press("ArrowLeft")
            await expect(page.get_by_test_id("step-back")).to_be_disabled()
            await expect(rows.get_by_role("button")).to_have_count(0)
            await expect(back).to_have_count(0)
            await page.reload()
        await black.command("resign")
        await expect(rows).to_have_text(["A 1. e4", "A 1… d5", "A 2. exd5"])
    await page.context.close()
