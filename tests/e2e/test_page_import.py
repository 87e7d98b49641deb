"""A game in somebody's own text put into the page: shown like one that was played here, or told why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAMES = Path(__file__).parents[1] / "data" / "bpgn"
INDEX: dict[str, dict[str, Any]] = {
    entry["file"]: entry for entry in json.loads((GAMES / "index.json").read_text())
}
DROPPED = """text => {
  const data = new DataTransfer();
  data.items.add(new File([text], 'game.bpgn'));
  return data;
}"""


async def shows_its_end(page: Page, file: str) -> None:
    """The game begins at its start and ends on the boards that its index has."""
    known, view = INDEX[file], page.get_by_test_id("replay")
    await expect(view).to_have_attribute("data-count", "0")
    await page.keyboard.press("End")
    await expect(view).to_have_attribute("data-count", str(known["moves_replayed"]))
    await expect(page.get_by_test_id("board-a")).to_have_attribute("data-fen", known["final_a"])
    await expect(page.get_by_test_id("board-b")).to_have_attribute("data-fen", known["final_b"])


@pytest.mark.scenario("U05")
async def test_a_real_game_is_shown_from_a_file_from_a_text_and_dropped(
    browser: Chromium, whole: Whole
) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    page = await context.new_page()
    faults = list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    await page.goto(whole.url)
    await page.get_by_test_id("import-link").click()

    await page.get_by_test_id("import-file").set_input_files(GAMES / "game_04.bpgn")
    await shows_its_end(page, "game_04.bpgn")
    await expect(page.get_by_test_id("replay-result")).to_contain_text("BlackB ran out of time")
    await expect(page.get_by_test_id("clock-b-black")).to_have_text("0:00.0")
    await expect(page.get_by_test_id("import-problems")).to_contain_text("40B Q@f6: The move is there twice")
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_test_id("replay")).to_have_attribute("data-count", "169")

    # A text that breaks off is shown as far as it goes, and says so in the reader's language.
    await page.get_by_test_id("import-another").click()
    await page.get_by_test_id("import-text").fill((GAMES / "game_10.bpgn").read_text())
    await page.get_by_test_id("import-show").click()
    await shows_its_end(page, "game_10.bpgn")
    await page.get_by_test_id("language").select_option("de")
    problem = "19A P@e7+: Diese Figur ist nicht auf der Hand. Die Partie wird bis dorthin gezeigt."
    await expect(page.get_by_test_id("import-problems")).to_contain_text(problem)
    await expect(page.get_by_test_id("replay")).to_have_attribute("data-count", "61")

    # Clocks without a time control: they are shown as far as the text tells, and glyphs end nothing.
    await page.get_by_test_id("import-another").click()
    text = "1A. e4$1{119.5} ; the usual one (\n1a. e5 ±{118}(1a. c5) 2A. Nf3{110} *"
    await page.get_by_test_id("import-text").fill(text)
    await page.get_by_test_id("import-show").click()
    await expect(page.get_by_test_id("clock-a-white")).to_have_text("1:59")
    await expect(page.get_by_test_id("import-problems")).to_have_count(0)
    await page.keyboard.press("End")
    await expect(page.get_by_test_id("clock-a-white")).to_have_text("1:50")
    await expect(page.get_by_test_id("clock-a-black")).to_have_text("1:58")

    await page.get_by_test_id("import-another").click()
    data = await page.evaluate_handle(DROPPED, (GAMES / "game_08.bpgn").read_text())
    await page.get_by_test_id("import").dispatch_event("drop", {"dataTransfer": data})
    await shows_its_end(page, "game_08.bpgn")

    for text, said in (("hallo", "In diesem Text steht keine Partie"), ("x" * 262_145, "256 kB")):
        await page.goto(f"{whole.url}r")
        await page.get_by_test_id("import-text").evaluate(
            "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }", text
        )
        await page.get_by_test_id("import-show").click()
        await expect(page.get_by_test_id("import-failure")).to_contain_text(said)
    assert faults == []
    await context.close()
