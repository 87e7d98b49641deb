"""The page in a real Chromium, used as a person does: by mouse, by what is on the screen."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from playwright.async_api import Browser as Chromium
from playwright.async_api import Locator, Page, async_playwright, expect

from libs.rules.position import Position
from tests.kit.browser import Browser

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

STARTED_WITHIN_S = 20.0


@asynccontextmanager
async def chromium() -> AsyncIterator[Chromium]:
    """The Chromium that `make test` found, else the system's."""
    path = os.environ.get("TANDEMFOG_CHROMIUM") or shutil.which("chromium")
    assert path, "no Chromium: `make test` installs one, or set TANDEMFOG_CHROMIUM"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        await browser.close()


@asynccontextmanager
async def at_a_table(
    url: str, *pages: Page, names: Sequence[str] = (), **settings: Any
) -> AsyncIterator[list[Browser]]:
    """A tandem match that has just started: pages on the first seats, clients on the others in order."""
    async with AsyncExitStack() as stack:
        others = [await stack.enter_async_context(Browser(url)) for _ in range(4 - len(pages))]
        made = await others[0].command("create_table", variant="tandem", public=False, **settings)
        for seat, other in enumerate(others, len(pages)):
            named: dict[str, Any] = {"name": names[seat - len(pages)]} if names else {}
            await other.command("take_seat", table=made["table"], seat=seat, **named)
        for seat, page in enumerate(pages):
            await page.goto(f"{url}t/{made['table']}/{seat}")
            await page.get_by_test_id("take-invited").click()
        for other in others:
            await other.wait_for(lambda client: client.match, STARTED_WITHIN_S)
        for page in pages:
            await expect(page.get_by_test_id("board-a")).to_be_visible(timeout=1000 * STARTED_WITHIN_S)
        yield others


async def typed(page: Page, move: str, ply: int, board: str = "a") -> None:
    """A move by the page's field, made once the board has it."""
    await page.get_by_test_id("typed-move").fill(move)
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id(f"board-{board}")).to_have_attribute("data-ply", str(ply))


async def square_centre(board: Locator, square: str) -> tuple[float, float]:
    """Where on the screen the middle of a square is, either side at the bottom."""
    squares = board.locator("cg-board")
    await expect(squares).to_be_visible()
    while (box := await squares.bounding_box()) is None:  # a board that turns is drawn anew
        await expect(squares).to_be_visible()
    file, rank = ord(square[0]) - ord("a"), int(square[1]) - 1
    if await board.get_attribute("data-orientation") == "black":
        file, rank = 7 - file, 7 - rank
    side = box["width"] / 8
    return box["x"] + (file + 0.5) * side, box["y"] + (7.5 - rank) * side


async def position_shown(page: Page, board: str) -> Position:
    """The tandem position that the page has on board "a" or "b"."""
    fen = await page.get_by_test_id(f"board-{board}").get_attribute("data-fen")
    assert fen
    return Position.from_fen(fen, "tandem")


async def play_by_mouse(page: Page, board: str, colour: str, uci: str, *, drag: bool) -> None:
    """Makes a move or a drop with the mouse, by two clicks or by dragging."""
    place = page.get_by_test_id(f"board-{board}")
    target = await square_centre(place, uci[2:4])
    if uci[1] == "@":
        origin = await middle(page.get_by_test_id(f"hand-{board}-{colour}-{uci[0].lower()}"))
    else:
        origin = await square_centre(place, uci[:2])
    await page.mouse.move(*origin)
    await page.mouse.down()
    if drag:
        await page.mouse.move(*target, steps=4)
    else:
        await page.mouse.up()
        await page.mouse.move(*target)
        await page.mouse.down()
    await page.mouse.up()
    if len(uci) == 5:
        await page.get_by_test_id(f"promote-{uci[4]}").click()


async def middle(element: Locator) -> tuple[float, float]:
    await expect(element).to_be_visible()
    box = await element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
