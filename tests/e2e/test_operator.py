"""The operator's page in a browser, and what players see of it in their own language."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.axe import found_by_axe
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
UP_WITHIN_MS = 20_000
RESTART = {
    "nb": "Serveren starter på nytt kl.",
    "fa": "سرور ساعت",
    "de": "Der Server startet um",
    "en": "The server starts anew at",
}
CLOSED = "Partiet ble lukket av driften."


async def sign_in(page: Page, url: str, token: str) -> None:
    await page.goto(f"{url}/ops")
    await page.get_by_label("Token").fill(token)
    await page.get_by_role("button", name="Sign in").click()


async def test_an_operator_signs_in_announces_a_restart_and_closes_a_table_and_players_are_told(
    browser: Chromium, whole: Whole, operator_token: str
) -> None:
    url = whole.url.rstrip("/")
    players = {
        language: await (await browser.new_context(locale=language)).new_page() for language in RESTART
    }
    for page in players.values():
        await page.goto(url)
    player = players["nb"]
    await player.get_by_test_id("play-now").click()
    await expect(player.get_by_test_id("board-a")).to_be_visible(timeout=UP_WITHIN_MS)

    operator = await (await browser.new_context(color_scheme="dark")).new_page()
    await sign_in(operator, url, "x" * 32)
    await expect(operator.get_by_role("alert")).to_have_text("The token is not valid.")
    assert not await found_by_axe(operator)
    await sign_in(operator, url, operator_token)
    await expect(operator.get_by_role("heading", name="Numbers of the last minute")).to_be_visible()
    assert not await found_by_axe(operator)

    await operator.get_by_label("Minutes from now").fill("10")
    await operator.get_by_role("button", name="Announce a restart").click()
    await expect(operator.get_by_role("status")).to_have_text("The restart is announced.")
    for language, page in players.items():
        await expect(page.get_by_test_id("restart")).to_contain_text(RESTART[language])
    assert not await found_by_axe(players["fa"])
    await operator.get_by_role("button", name="Take it back").click()
    for page in players.values():
        await expect(page.get_by_test_id("restart")).to_be_empty()

    await operator.get_by_label("Table or its link").fill(player.url)
    await operator.get_by_role("button", name="Close the table").click()
    await expect(operator.get_by_role("status")).to_have_text("The table is closed.")
    result = player.get_by_test_id("result")
    await expect(result).to_have_attribute("data-reason", "closed")
    await expect(result).to_contain_text(CLOSED)

    rows = operator.get_by_role("table").last.get_by_role("row")
    for number, what in enumerate(("close", "withdraw", "announce", "sign_in"), 1):
        await expect(rows.nth(number)).to_contain_text(what)
    await operator.get_by_role("button", name="Sign out").click()
    await operator.goto(f"{url}/ops/reports")
    await expect(operator.get_by_label("Token")).to_be_visible()
    for page in (*players.values(), operator):
        await page.context.close()
