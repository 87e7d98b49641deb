"""Two people on one device: behind the curtain nothing of either side is in traffic, memory or DOM."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.page import play_by_mouse
from tests.kit.whole import Whole

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.rule("F-curtain")]

UP_WITHIN_MS = 20_000
ALL_FOG = "?" * 64


@dataclass
class Device:
    """A page that two people share, and every message that its websockets have brought."""

    page: Page
    received: list[str] = field(default_factory=list)

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.received]

    async def start(self, url: str, clocked: bool = False) -> None:
        """A table of Kari and Ola, made in the lobby."""
        await self.page.goto(url)
        await self.page.get_by_test_id("device-white").fill("Kari")
        await self.page.get_by_test_id("device-black").fill("Ola")
        if clocked:
            await self.page.get_by_test_id("device-time").select_option("0")
        await self.page.get_by_test_id("device-start").click()
        await self.falls("white")

    async def falls(self, turn: str) -> None:
        """Waits for the curtain before this side."""
        curtain = self.page.get_by_test_id("curtain")
        await expect(curtain).to_have_attribute("data-turn", turn, timeout=UP_WITHIN_MS)

    async def lift(self, colour: str) -> None:
        """Lifts the curtain; this side's board is there."""
        await self.page.get_by_test_id("lift").click()
        board = self.page.get_by_test_id("board-a")
        await expect(board).to_have_attribute("data-orientation", colour)

    async def move(self, colour: str, uci: str) -> None:
        await play_by_mouse(self.page, "a", colour, uci, drag=False)

    async def memory(self) -> str:
        """Every string that the page's memory holds, after its waste was collected."""
        session = await self.page.context.new_cdp_session(self.page)
        chunks: list[str] = []
        session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
        await session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        await session.detach()
        return "\n".join(json.loads("".join(chunks))["strings"])


@asynccontextmanager
async def device(
    browser: Chromium, locale: str = "en", scheme: Literal["light", "dark"] = "light", width: int = 1280
) -> AsyncIterator[Device]:
    context = await browser.new_context(
        locale=locale, color_scheme=scheme, viewport={"width": width, "height": 844}, reduced_motion="reduce"
    )
    shared = Device(await context.new_page())
    shared.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda text: shared.received.append(str(text))),
    )
    yield shared
    await context.close()


def boards_seen(frames: list[dict[str, Any]]) -> set[str]:
    """What these frames show of the board; nothing for one that is all fog."""
    shown = {frame["boards"]["A"]["pieces"] for frame in frames if "boards" in frame}
    return shown - {ALL_FOG}


async def test_behind_the_curtain_nothing_of_either_side_is_on_the_device(
    browser: Chromium, whole: Whole
) -> None:
    async with device(browser) as shared:
        await shared.start(whole.url)
        moves = (("white", "b1a3"), ("black", "g8h6"))
        own: dict[str, set[str]] = {"white": {"b1a3"}, "black": {"g8h6"}}
        for ply, (colour, uci) in enumerate(moves, 1):
            other = "black" if colour == "white" else "white"
            lifted = len(shared.received)
            await shared.lift(colour)
            if ply == 1:  # the memory is read rightly: what is on the screen is found there
                held = await shared.memory()
                assert all(board in held for board in boards_seen(shared.frames[lifted:]))
            await shared.move(colour, uci)
            await expect(shared.page.get_by_test_id("board-a")).to_have_attribute("data-ply", str(ply))
            seen = "".join(shared.received[lifted:])
            own[colour] |= boards_seen(shared.frames[lifted:])
            assert f'"uci":"{uci}"' in seen
            assert not any(secret in seen for secret in own[other])
            behind = len(shared.received)
            await shared.falls(other)
            assert boards_seen(shared.frames[behind:]) == set()
            told = "".join(shared.received[behind:])
            written = await shared.page.content()
            kept = await shared.page.evaluate("() => JSON.stringify({ ...localStorage, ...sessionStorage })")
            held = await shared.memory()
            for place in (told, written, kept, held):
                assert [secret for secret in own["white"] | own["black"] if secret in place] == []
            assert await shared.page.locator("cg-board, piece").count() == 0
        lifted = len(shared.received)
        await shared.lift("white")
        told = "".join(shared.received[lifted:])
        assert not any(secret in told for secret in own["black"])


async def test_the_keyboard_alone_plays_a_turn_each_with_the_clock_at_rest_in_between(
    browser: Chromium, whole: Whole
) -> None:
    async with device(browser, scheme="dark", width=390) as shared:
        page = shared.page
        await shared.start(whole.url, clocked=True)
        for colour, name, move in (("white", "Kari", "e4"), ("black", "Ola", "e5")):
            await expect(page.get_by_test_id("curtain-turn")).to_be_focused()
            await expect(page.get_by_test_id("curtain-turn")).to_contain_text(name)
            await page.keyboard.press("Enter")  # a key meant for the move lifts nothing
            await expect(page.locator(".clock.running")).to_have_count(0)
            await page.keyboard.press("Tab")
            await expect(page.get_by_test_id("lift")).to_be_focused()
            await page.keyboard.press("Enter")
            await expect(page.get_by_test_id("board-a")).to_have_attribute("data-orientation", colour)
            await expect(page.get_by_test_id(f"clock-a-{colour}")).to_have_class("clock running")
            await expect(page.get_by_test_id("play")).to_be_focused()  # single keys are listened to
            await page.keyboard.press("m")
            await page.keyboard.type(move)
            await page.keyboard.press("Enter")
            await shared.falls("black" if colour == "white" else "white")
        lifted = len(shared.received)
        await page.reload()
        await shared.falls("white")
        await shared.lift("white")
        await expect(page.get_by_test_id("announcements")).to_contain_text("Ola made a move.")
        await page.reload()
        await shared.falls("white")
        await shared.lift("white")
        await expect(page.get_by_test_id("move-list")).to_contain_text("e4")
        assert "e7e5" not in "".join(shared.received[lifted:])


async def test_an_offer_is_answered_after_the_lift_and_the_rematch_swaps_colours(
    browser: Chromium, whole: Whole
) -> None:
    async with device(browser) as shared:
        page = shared.page
        await shared.start(whole.url)
        await shared.lift("white")
        await page.get_by_test_id("offer-draw").click()
        await shared.move("white", "e2e4")
        await shared.falls("black")
        await shared.lift("black")
        await page.get_by_test_id("decline-draw").click()
        await expect(page.get_by_test_id("draw-offer")).to_have_count(0)
        await page.get_by_test_id("resign").click()
        await page.get_by_test_id("resign-confirm").click()
        await expect(page.get_by_test_id("result")).to_contain_text("Kari won")
        await expect(page.locator("cg-board piece")).to_have_count(32)
        await page.get_by_test_id("rematch").click()
        await expect(page.get_by_test_id("curtain-turn")).to_contain_text("Ola (White)", timeout=UP_WITHIN_MS)
        await shared.lift("white")


async def nothing_shown(page: Page) -> None:
    """No board; there is no time to wait for it, but for a message from tab to tab."""
    await expect(page.locator("cg-board, piece")).to_have_count(0, timeout=300)


async def test_a_side_that_is_lifted_in_another_tab_goes_from_the_first_one_at_once(
    browser: Chromium, whole: Whole
) -> None:
    """The same side, and the other one while what came of a move is still looked at: one view at a time."""
    async with device(browser) as shared:
        first = shared.page
        await shared.start(whole.url)
        await shared.lift("white")
        second = await first.context.new_page()
        other = Device(second)
        await second.goto(first.url)
        await other.falls("white")
        await other.lift("white")
        await nothing_shown(first)
        await shared.falls("white")
        held = await shared.memory()
        assert [board for board in boards_seen(shared.frames) if board in held] == []

        await shared.lift("white")
        await nothing_shown(second)
        await shared.move("white", "b1a3")
        await expect(first.get_by_test_id("board-a")).to_have_attribute("data-ply", "1")
        await other.falls("black")
        await other.lift("black")
        await nothing_shown(first)
        await shared.falls("black")
        await other.move("black", "g8h6")
        await shared.falls("white")
