"""The table in a real Chromium: four people play to mate, fog keeps its secrets, a keyboard is enough."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.browser import Browser
from tests.kit.page import at_a_table, play_by_mouse, position_shown, square_centre, typed
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")

STARTED_WITHIN_MS = 20_000
PLACES = {0: ("a", "white"), 1: ("a", "black"), 2: ("b", "white"), 3: ("b", "black")}
VOLUMES = """
window.volumes = [];
const set = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) {
  if (value < 1) window.volumes.push(value);
  return set.call(this, value, at);
};
"""
SLOW_SENDING = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) { setTimeout(() => send.call(this, text), window.slow_ms ?? 0); };
"""


@asynccontextmanager
async def people(browser: Chromium, count: int, *scripts: str) -> AsyncIterator[list[Page]]:
    """Pages of so many people, with storage and cookies of their own; an error on any fails the test."""
    faults = list[str]()
    async with AsyncExitStack() as stack:
        pages = []
        for _ in range(count):
            context = await browser.new_context(viewport={"width": 1280, "height": 800})
            stack.push_async_callback(context.close)
            for script in scripts:
                await context.add_init_script(script)
            page = await context.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
            pages.append(page)
        yield pages
    assert faults == []


async def move(pages: list[Page], seat: int, ply: int, uci: str, *, drag: bool = False) -> None:
    """One move by a seat's mouse, once its board has come to that ply."""
    board, colour = PLACES[seat]
    await expect(pages[seat].get_by_test_id(f"board-{board}")).to_have_attribute("data-ply", str(ply))
    await play_by_mouse(pages[seat], board, colour, uci, drag=drag)


async def pieces(page: Page) -> Counter[str]:
    """All pieces that a page shows by colour: on both boards and in the four hands."""
    found = Counter[str]()
    for board in "ab":
        placement = (await position_shown(page, board)).fen().split()[0]
        for letter in re.findall("[a-zA-Z]", placement):
            found["white" if letter.isupper() else "black"] += 1
    return found


async def tap(page: Page, board: str, square: str) -> None:
    await page.mouse.click(*await square_centre(page.get_by_test_id(f"board-{board}"), square))


@pytest.mark.timeout(240)
@pytest.mark.rule("T-capture")
async def test_four_people_play_a_match_through_invite_links_to_mate_and_again(
    browser: Chromium, whole: Whole
) -> None:
    """U02, C01, C03: with a drop, a promotion, a drop queued before its piece came, a reload, a word."""
    async with people(browser, 5, VOLUMES) as pages:
        watcher = pages[4]
        await pages[0].goto(whole.url)
        await pages[0].get_by_test_id("create-table").click()
        await expect(pages[0].get_by_test_id("seat-0")).to_have_attribute("data-kind", "human")
        await watcher.goto(pages[0].url)
        for seat in (1, 2, 3):
            await pages[seat].goto(await pages[0].get_by_test_id(f"invite-link-{seat}").input_value())
            await pages[seat].get_by_test_id("take-invited").click()
        for page in pages:
            await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=STARTED_WITHIN_MS)
        await pages[2].get_by_test_id("switch-sound").click()

        for ply, uci in enumerate(["a2a4", "b7b5", "a4b5", "g8f6", "b5b6", "f6g8", "b6c7", "g8f6"]):
            await move(pages, 2 + ply % 2, ply, uci, drag=ply % 3 == 0)
        for ply, uci in enumerate(["e2e4", "e7e5", "f1c4", "b8c6"]):
            await move(pages, ply % 2, ply, uci)

        # White is to move on A: Black queues a knight still to come, cancels by a tap, queues again.
        queue = pages[1].get_by_test_id("board-a")
        await expect(pages[1].get_by_test_id("hand-a-black")).to_have_attribute("data-hand", "PP")
        await play_by_mouse(pages[1], "a", "black", "N@b4", drag=False)
        await expect(queue).to_have_attribute("data-premove", "N@b4")
        await tap(pages[1], "a", "d5")
        await expect(queue).to_have_attribute("data-premove", "")
        await play_by_mouse(pages[1], "a", "black", "N@b4", drag=True)
        await expect(queue).to_have_attribute("data-premove", "N@b4")

        # White on B promotes and takes the knight; everybody sees that the queen was a pawn.
        await move(pages, 2, 8, "c7b8q")
        for page in pages:
            await expect(page.get_by_test_id("board-b").locator("square.promoted")).to_have_count(1)
        await pages[3].reload()
        await move(pages, 3, 9, "a8b8")
        await expect(pages[0].get_by_test_id("hand-a-white")).to_have_attribute("data-hand", "P")
        assert await pieces(pages[0]) == {"white": 32, "black": 32}
        await expect(queue).to_have_attribute("data-premove", "N@b4")

        await pages[3].keyboard.press("2")  # "I need a knight"
        await expect(pages[0].get_by_test_id("talk-log")).to_contain_text("I need a knight")
        for seat in (1, 2):
            await expect(pages[seat].get_by_test_id("talk-log")).not_to_contain_text("knight")
        assert await watcher.get_by_test_id("talk-log").count() == 0
        await pages[3].get_by_test_id("say-text").fill("careful now")
        await pages[3].get_by_test_id("say-send").click()
        await expect(pages[0].get_by_test_id("talk-log")).to_contain_text("careful now")
        await pages[0].get_by_test_id("report-2").click()
        await expect(pages[0].get_by_test_id("report-2")).to_be_disabled()
        await pages[0].get_by_test_id("mute").click()
        await expect(pages[0].get_by_test_id("mute")).to_have_attribute("aria-pressed", "true")
        await pages[3].get_by_test_id("say-thanks").click()
        await expect(pages[3].get_by_test_id("talk-log").locator("li")).to_have_count(3)
        await expect(pages[0].get_by_test_id("talk-log").locator("li")).to_have_count(2)
        assert "Your move" in await pages[0].title()
        assert "Your move" not in await watcher.title()
        assert await watcher.get_by_test_id("typed-move").count() == 0

        await move(pages, 0, 4, "d1h5")
        await expect(queue).to_have_attribute("data-ply", "6")  # the queued knight, at once
        await expect(queue).to_have_attribute("data-premove", "")
        await expect(pages[1].get_by_test_id("hand-a-black")).to_have_attribute("data-hand", "PP")
        await pages[0].get_by_test_id("typed-move").fill("P@a5")
        await pages[0].keyboard.press("Enter")
        await move(pages, 1, 7, "a7a6")
        await move(pages, 0, 8, "h5f7")
        for page in pages:
            await expect(page.get_by_test_id("result")).to_have_attribute("data-reason", "mate")
            await expect(page.get_by_test_id("result")).to_have_attribute("data-winner", "1")
        heard = await pages[0].evaluate("window.volumes")
        assert {0.25, 0.07} <= set(heard)  # the own board in full, the partner's quieter
        silent = await pages[2].evaluate("window.volumes")
        assert len(silent) < len(heard) / 4  # nothing once it was switched off

        await pages[0].reload()
        await expect(pages[0].get_by_test_id("mute")).to_have_attribute("aria-pressed", "true")

        played = pages[0].url
        for page in pages[:3]:
            await page.get_by_test_id("rematch").click()
        await expect(pages[3].get_by_test_id("rematch-agreed")).to_be_visible()
        await pages[3].get_by_test_id("rematch").click()
        for page in pages[:4]:
            await expect(page.get_by_test_id("board-a")).to_have_attribute(
                "data-ply", "0", timeout=STARTED_WITHIN_MS
            )
            assert page.url != played


async def memory(page: Page) -> list[str]:
    """Every string that the page's memory holds, as a snapshot of its heap has them."""
    session = await page.context.new_cdp_session(page)
    parts = list[str]()
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: parts.append(event["chunk"]))
    await session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    await session.detach()
    strings: list[str] = json.loads("".join(parts))["strings"]
    return strings


def has_seen(count: int, browser: Browser) -> bool:
    return browser.match is not None and len(browser.match["moves"]) == count


@asynccontextmanager
async def fog_against(url: str, page: Page) -> AsyncIterator[Browser]:
    """A fog game without a clock: White on the page, Black as a websocket client."""
    async with Browser(url) as black:
        made = await black.command("create_table", variant="fog", public=False)
        table = made["table"]
        await black.command("take_seat", table=table, seat=1, name="Ola")
        await page.goto(f"{url}t/{table}/0")
        await page.get_by_test_id("take-invited").click()
        await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=STARTED_WITHIN_MS)
        await black.wait_for(lambda b: b.match)
        yield black


@pytest.mark.rule("F-secret")
async def test_fog_hides_in_page_memory_and_traffic_what_the_rules_hide(
    browser: Chromium, whole: Whole
) -> None:
    """F10, F12, F14: nothing hidden in DOM, heap and frames; premoves get no hint; one sound for all."""
    hidden = ["g8f6", "d7d5", "d5e4", "Nf6", "dxe4"]
    async with people(browser, 1, VOLUMES) as [page]:
        received, sent = list[str](), list[str]()

        def listen(websocket: Any) -> None:
            websocket.on("framereceived", lambda payload: received.append(str(payload)))
            websocket.on("framesent", lambda payload: sent.append(str(payload)))

        page.on("websocket", listen)
        board = page.get_by_test_id("board-a")
        async with fog_against(whole.url, page) as black:
            sounds = list[list[float]]()
            for ply, (white, answer) in enumerate([("e2e4", "g8f6"), ("g1f3", "d7d5"), ("b1c3", "d5e4")]):
                await move([page], 0, 2 * ply, white)
                await black.wait_for(partial(has_seen, 2 * ply + 1))
                await expect(board).to_have_attribute("data-ply", str(2 * ply + 1))
                if ply == 2:
                    # A premove into the fog: shown, kept here, not answered by anything.
                    commands = len(sent)
                    await play_by_mouse(page, "a", "white", "f3e5", drag=False)
                    await expect(board).to_have_attribute("data-premove", "f3e5")
                    assert [text for text in sent[commands:] if "ping" not in text] == []
                    await tap(page, "a", "h5")
                    await expect(board).to_have_attribute("data-premove", "")
                await page.wait_for_function("() => window.volumes.length > 0")  # the own move
                await page.evaluate("window.volumes.length = 0")
                await black.move(answer)
                await expect(board).to_have_attribute("data-ply", str(2 * ply + 2))
                await page.wait_for_function("() => window.volumes.length > 0")
                sounds.append(await page.evaluate("window.volumes"))
            assert sounds[0] == sounds[1] == sounds[2] != []
            await expect(page.get_by_test_id("move-list").locator("em")).to_have_count(3)
            announced = await page.get_by_test_id("announcements").inner_text()
            assert announced.count("Ola made a move.") >= 2
            frames = [json.loads(text) for text in received]
            seen = {frame["boards"]["A"]["pieces"] for frame in frames if frame.get("boards")}
            strings = await memory(page)
            shown = await board.locator("piece.black").count()
            latest = [frame for frame in frames if frame.get("boards")][-1]["boards"]["A"]["pieces"]
            assert shown == sum(letter.islower() for letter in latest)
            whole_boards = {text for text in strings if re.fullmatch(r"[prnbqkPRNBQK.?]{64}", text)}
            assert whole_boards <= seen
            assert all("?" in text for text in whole_boards)
            for word in hidden:
                assert not any(word in text for text in received), f"{word} was sent"
                assert word not in strings, f"{word} is in the page's memory"
            html = await page.content()
            assert not any(word in html for word in hidden)
            await page.get_by_test_id("resign").click()
            await page.get_by_test_id("resign-confirm").click()
            await expect(board.locator("piece.black")).to_have_count(16)


async def tab_to(page: Page, test_id: str) -> None:
    """Goes on by Tab until the element has the focus."""
    for _ in range(120):
        if await page.evaluate("document.activeElement?.dataset?.testid") == test_id:
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {test_id}")


async def test_a_keyboard_is_enough_from_the_lobby_to_the_end(browser: Chromium, whole: Whole) -> None:
    """Typed moves, arrow keys, announcements; the own piece moves before the server has heard of it."""
    async with people(browser, 1, SLOW_SENDING) as [page]:
        await page.goto(whole.url)
        await tab_to(page, "play-fog")
        await page.keyboard.press("Enter")
        board = page.get_by_test_id("board-a")
        await expect(board).to_be_visible(timeout=STARTED_WITHIN_MS)
        await page.keyboard.press("m")
        await page.keyboard.type("Ke5")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("typed-problem")).to_contain_text("Ke5")
        await page.evaluate("window.slow_ms = 3000")
        await page.keyboard.press("ControlOrMeta+a")
        await page.keyboard.type("e4")
        await page.keyboard.press("Enter")
        await page.wait_for_function(
            "() => [...document.querySelectorAll('cg-board piece')].some(piece => piece.cgKey === 'e4')",
            timeout=2_500,
        )
        assert await board.get_attribute("data-ply") == "0"
        await page.evaluate("window.slow_ms = 0")
        await expect(board).to_have_attribute("data-ply", "2", timeout=STARTED_WITHIN_MS)
        announcements = page.get_by_test_id("announcements")
        await expect(announcements).to_contain_text("pawn e4")
        await expect(announcements).to_contain_text("made a move.")
        assert "check" not in await announcements.inner_text()

        await page.keyboard.press("Escape")
        await tab_to(page, "board-a")
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):  # from e2 to the knight on g1
            await page.keyboard.press(key)
        await expect(announcements).to_contain_text("knight on g1 chosen")
        for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "Enter"):
            await page.keyboard.press(key)
        await expect(page.get_by_test_id("move-list").locator("b", has_text="Nf3")).to_have_count(1)

        await tab_to(page, "resign")
        await page.keyboard.press("Enter")
        await tab_to(page, "resign-confirm")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("result")).to_have_attribute("data-reason", "resignation")
        await tab_to(page, "to-replay")
        await page.keyboard.press("Enter")
        await expect(page.get_by_test_id("replay")).to_be_visible()
        await page.keyboard.press("Home")
        await expect(page.get_by_test_id("replay")).to_have_attribute("data-count", "0")


@pytest.mark.scenario("F12")
async def test_a_move_typed_before_the_turn_is_kept_or_refused_in_words(
    browser: Chromium, whole: Whole
) -> None:
    async with people(browser, 1) as [page], at_a_table(whole.url, page):
        board, problem = page.get_by_test_id("board-a"), page.get_by_test_id("typed-problem")
        await typed(page, "e4", 1)
        for move, why in (("e7e5", "no piece of yours"), ("N@d2", "empty square"), ("P@d8", "rank 1 or 8")):
            await page.get_by_test_id("typed-move").fill(move)
            await page.keyboard.press("Enter")
            await expect(problem).to_contain_text(why)
            await expect(board).to_have_attribute("data-premove", "")
        await typed(page, "e4e5", 1)
        await expect(board).to_have_attribute("data-premove", "e4e5")
        await expect(problem).to_be_empty()


async def test_reduced_motion_and_turned_boards_are_respected(browser: Chromium, whole: Whole) -> None:
    """Who wants no motion gets none; F turns both boards, the seat's own moves and promotions included."""
    async with people(browser, 1) as [page]:
        await page.emulate_media(reduced_motion="reduce")
        await page.goto(whole.url)
        await page.get_by_test_id("play-now").click()
        board = page.get_by_test_id("board-a")
        await expect(board).to_be_visible(timeout=STARTED_WITHIN_MS)
        await page.keyboard.press("f")
        await expect(board).to_have_attribute("data-orientation", "black")
        await expect(page.get_by_test_id("board-b")).to_have_attribute("data-orientation", "white")
        await play_by_mouse(page, "a", "white", "e2e4", drag=False)
        await expect(page.get_by_test_id("move-list").locator("[data-board=A] b").first).to_have_text("e4")
        assert await page.locator(".anim").count() == 0
        moving = await page.evaluate(
            "document.getAnimations().filter(each => each.playState === 'running').length"
        )
        assert moving == 0
