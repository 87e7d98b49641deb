"""The replay in a real Chromium: true time, four clocks, links, downloads, fog through either side's eyes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from libs.rules.bpgn import read_bpgn
from tests.kit.browser import Browser
from tests.kit.table import DATA, full_table, played, real_game, replay
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVES = 40


async def steps(page: Page, key: str, count: int) -> None:
    """Presses a key and waits for the number of moves that it leads to."""
    await page.keyboard.press(key)
    await expect(page.get_by_test_id("replay")).to_have_attribute("data-count", str(count))


async def expect_boards(page: Page, position: Mapping[str, Any]) -> None:
    """Both boards come to stand as the replay's answer has them."""
    for board in "AB":
        shown = page.get_by_test_id(f"board-{board.lower()}")
        await expect(shown).to_have_attribute("data-fen", position[board]["fen"])


def clock_text(remaining_ms: int) -> str:
    return f"{remaining_ms // 60_000}:{remaining_ms // 1000 % 60:02}"


async def test_a_tandem_match_is_stepped_through_scrubbed_linked_and_taken_home(
    browser: Chromium, whole: Whole
) -> None:
    game = real_game("game_01")
    async with full_table(whole.url, variant="tandem") as seats:
        table = seats[0].match["table"] if seats[0].match else ""
        context = await browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
        await context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = await context.new_page()
        faults = list[str]()
        page.on("pageerror", lambda error: faults.append(str(error)))
        await page.goto(f"{whole.url}r/{table}#7")
        await expect(page.get_by_test_id("replay-status")).to_contain_text("still being played")
        await replay(seats, game.record, 0, MOVES)
        await seats[0].command("resign")
        view = page.get_by_test_id("replay")
        await expect(view).to_have_attribute("data-count", "7")  # it comes by itself once the match is over
        answer = await (await context.request.get(f"{whole.url}api/tables/{table}/replay")).json()

        for key, count in (("End", MOVES), ("ArrowLeft", MOVES - 1), ("Home", 0), ("ArrowRight", 1)):
            await steps(page, key, count)
            await expect_boards(page, answer["full"][count])
        for place, text in (("a-white", clock_text(answer["moves"][0]["remaining_ms"])), ("a-black", "3:00")):
            await expect(page.get_by_test_id(f"clock-{place}")).to_have_text(text)
        await page.get_by_test_id("replay-scrubber").fill("25")
        await expect(view).to_have_attribute("data-count", "25")
        await expect_boards(page, answer["full"][25])
        await page.wait_for_url("**#25")
        assert (await page.get_by_test_id("replay-link").input_value()) == page.url
        await page.get_by_test_id("move-list").locator("button").nth(11).click()
        await expect(view).to_have_attribute("data-count", "12")

        await page.get_by_test_id("fen-b").click()
        await expect(page.get_by_test_id("fen-b")).to_contain_text("✓")
        assert await page.evaluate("navigator.clipboard.readText()") == answer["full"][12]["B"]["fen"]
        async with page.expect_download() as download:
            await page.get_by_test_id("replay-export").click()
        record, problems = read_bpgn((await (await download.value).path()).read_bytes())
        assert problems == []
        assert [(move.board, move.uci) for move in record.moves] == played(seats[0])  # U05

        await steps(page, "Home", 0)
        await page.get_by_test_id("replay-speed").select_option("10")
        await page.keyboard.press("Space")
        await expect(view).to_have_attribute(
            "data-count", str(MOVES), timeout=20_000
        )  # it plays to the end and stops
        await expect(page.get_by_test_id("replay-play")).to_have_text("Play")
        await expect(page.get_by_test_id("replay-result")).to_contain_text("Resignation")
        assert faults == []
        await context.close()


@pytest.mark.rule("F-after")
async def test_a_fog_game_is_replayed_as_white_saw_it_as_black_saw_it_and_in_full(
    browser: Chromium, whole: Whole
) -> None:
    async with full_table(whole.url, variant="fog") as seats:
        moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f3e5", "c6e5"]
        for ply, uci in enumerate(moves):
            await seats[ply % 2].command("move", board="A", ply=ply, uci=uci)
        await seats[1].command("resign")
        context = await browser.new_context()
        await context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = await context.new_page()
        table = seats[0].match["table"] if seats[0].match else ""
        await page.goto(f"{whole.url}r/{table}")
        answer = await (await context.request.get(f"{whole.url}api/tables/{table}/replay")).json()
        view, eyes = page.get_by_test_id("replay"), page.get_by_test_id("replay-eyes")
        await expect(view).to_have_attribute("data-count", "6")
        board, listed = page.get_by_test_id("board-a"), page.get_by_test_id("move-list")
        await expect(board.locator("square.fog")).to_have_count(0)
        await expect(listed.locator("b")).to_have_text(["e4", "e5", "Nf3", "Nc6", "Nxe5", "Nxe5"])
        await eyes.select_option("white")
        await expect(board.locator("piece.black")).to_have_count(0)
        await expect(board.locator("square.fallen")).to_have_count(1)  # where White's knight fell
        await expect(listed.locator("b")).to_have_text(["e4", "Nf3", "Nxe5"])
        await eyes.select_option("black")
        await expect(listed.locator("b")).to_have_text(["e5", "Nc6", "Nxe5"])
        await expect(board.locator("piece.black")).to_have_count(15)
        await eyes.select_option("full")
        await expect(board.locator("piece.white")).to_have_count(15)
        for seen in ("full", "white", "black"):
            await eyes.select_option(seen)
            await page.get_by_test_id("fen-a").click()
            await expect(page.get_by_test_id("fen-a")).to_contain_text("✓")
            fen = await page.evaluate("navigator.clipboard.readText()")
            assert fen == answer[seen][6]["A"]["fen"]
            missing = {"white": "k", "black": "K"}.get(seen)
            assert missing is None or missing not in fen.split()[0]
        await context.close()


async def test_a_running_match_has_no_replay(browser: Chromium, whole: Whole) -> None:
    """F07: while it runs the page shows the way to the table, and no position."""
    async with Browser(whole.url) as guest:
        made = await guest.command("play_now", variant="fog")
        await guest.wait_for(lambda b: b.match)
        context = await browser.new_context()
        page = await context.new_page()
        texts = list[str]()
        page.on("websocket", lambda ws: ws.on("framereceived", lambda payload: texts.append(str(payload))))
        await page.goto(f"{whole.url}r/{made['table']}")
        await expect(page.get_by_test_id("replay-status")).to_contain_text("still being played")
        assert await page.locator("cg-board").count() == 0
        boards = [frame["boards"]["A"]["pieces"] for frame in map(json.loads, texts) if frame.get("boards")]
        assert all(set(pieces) == {"?"} for pieces in boards)
        await context.close()


async def test_who_has_scrolled_the_moves_away_is_not_pulled_back_by_the_replay_that_plays(
    browser: Chromium, whole: Whole
) -> None:
    """It follows as long as the move shown is in sight, and a step by hand leads back to it."""
    async with await browser.new_context(viewport={"width": 1280, "height": 560}) as context:
        page = await context.new_page()
        await page.goto(f"{whole.url}r")
        await page.get_by_test_id("import-file").set_input_files(DATA / "game_10.bpgn")
        view, moves = page.get_by_test_id("replay"), page.get_by_test_id("move-list")
        await expect(view).to_have_attribute("data-count", "0")
        await page.get_by_test_id("replay-speed").select_option("steady")
        current = moves.locator("[aria-current]")

        await page.get_by_test_id("replay-scrubber").fill("40")
        await expect(current).to_be_in_viewport()
        await page.get_by_test_id("replay-play").click()
        await expect(view).to_have_attribute("data-count", "42", timeout=10_000)
        await expect(current).to_be_in_viewport(ratio=0.9)  # followed
        await moves.evaluate("box => { box.scrollTop = 0; }")
        for count in (43, 44):
            await expect(view).to_have_attribute("data-count", str(count), timeout=10_000)
        assert await moves.evaluate("box => box.scrollTop") == 0
        await page.keyboard.press("ArrowRight")
        await expect(current).to_be_in_viewport(ratio=0.9)
