"""What a table shows has its room: on phones either way up, in each language, in forced colours, by touch."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, expect

from tests.kit.browser import Browser
from tests.kit.page import at_a_table, play_by_mouse, typed
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")
PHONE = (390, 844)
NARROW = (320, 640)
GUESTS = ["Guest 333", "Guest 622", "Guest 100"]
LONG = ["Maximilian Musterman", "Guest 622", "Guest 100"]


@asynccontextmanager
async def table(
    browser: Chromium,
    whole: Whole,
    size: tuple[int, int],
    locale: str = "en",
    names: list[str] = GUESTS,
    *,
    context: dict[str, Any] | None = None,
    **settings: Any,
) -> AsyncIterator[tuple[Page, list[Browser]]]:
    """White on A on a page of this size, at a table of this form; the others are clients."""
    touch: dict[str, Any] = {"has_touch": True, "is_mobile": True} if size[0] < 900 else {}
    own = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=locale,
        reduced_motion="reduce",
        **touch,
        **(context or {}),
    )
    page = await own.new_page()
    async with at_a_table(whole.url, page, names=names, **settings) as others:
        yield page, others
    await own.close()


async def cut_off(page: Page, selector: str) -> list[str]:
    """The texts of which something is hidden by the box that they stand in."""
    found: list[str] = await page.locator(selector).evaluate_all(
        """all => all
          .filter(each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
          .map(each => each.textContent)"""
    )
    return found


async def box(page: Page, test_id: str) -> dict[str, float]:
    """Where something is, with its right and bottom."""
    found = await page.get_by_test_id(test_id).bounding_box()
    assert found is not None
    x, y, width, height = found["x"], found["y"], found["width"], found["height"]
    return {"x": x, "y": y, "width": width, "height": height, "right": x + width, "bottom": y + height}


@pytest.mark.parametrize("size", [PHONE, NARROW], ids=["phone", "narrow"])
@pytest.mark.parametrize("locale", ["de", "nb", "en", "fa"])
async def test_the_longest_status_is_read_in_full_and_the_field_below_it_stays(
    browser: Chromium, whole: Whole, locale: str, size: tuple[int, int]
) -> None:
    async with table(browser, whole, size, locale, LONG, profile="club") as (page, _):
        before = await box(page, "typed-move")
        await play_by_mouse(page, "a", "white", "e2e4", drag=False)
        await expect(page.get_by_test_id("press-clock")).to_be_visible()
        assert await cut_off(page, ".status") == []
        assert (await box(page, "status"))["bottom"] <= before["y"]
        assert await box(page, "typed-move") == before
    async with table(browser, whole, size, locale) as (page, others):
        before = await box(page, "typed-move")
        await typed(page, "f3", 1)
        await others[0].move("e7e5")
        await expect(page.get_by_test_id("board-a")).to_have_attribute("data-ply", "2")
        await typed(page, "g4", 3)
        await others[0].move("d8h4")
        await expect(page.get_by_test_id("waiting-a-white")).to_be_visible()
        assert (await box(page, "status"))["bottom"] <= before["y"]
        assert await box(page, "typed-move") == before


@pytest.mark.parametrize("size", [(667, 375), (568, 320), (640, 400), (844, 390)], ids=str)
async def test_a_phone_on_its_side_shows_both_boards_with_names_and_hands_at_once(
    browser: Chromium, whole: Whole, size: tuple[int, int]
) -> None:
    async with table(browser, whole, size, "de") as (page, _):
        boards = [await box(page, f"board-{name}") for name in "ab"]
        assert boards[0]["right"] <= boards[1]["x"]
        assert boards[0]["width"] == boards[1]["width"] >= 168
        for place in ("a-white", "a-black", "b-white", "b-black"):
            strip = await box(page, f"player-{place}")
            assert (await box(page, f"hand-{place}"))["bottom"] <= size[1]
            assert (await box(page, f"clock-{place}"))["right"] <= strip["right"]
            name = await page.get_by_test_id(f"player-{place}").locator(".name").bounding_box()
            assert name is not None
            assert name["width"] > 30
        assert await page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("locale", ["de", "nb"])
async def test_on_the_narrowest_phone_no_button_sticks_out_of_its_card(
    browser: Chromium, whole: Whole, locale: str
) -> None:
    async with table(browser, whole, NARROW, locale, LONG, profile="club") as (page, others):
        await play_by_mouse(page, "a", "white", "e2e4", drag=False)
        await others[0].command("offer_draw")
        await expect(page.get_by_test_id("decline-draw")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") == NARROW[0]
        outside = await page.locator(".card").evaluate_all(
            """cards => cards.flatMap(card => [...card.querySelectorAll('button, input')]
              .filter(each => each.getBoundingClientRect().right > card.getBoundingClientRect().right)
              .map(each => each.dataset.testid))"""
        )
        assert outside == []


@pytest.mark.parametrize("size", [PHONE, NARROW], ids=["phone", "narrow"])
async def test_both_answers_to_an_offered_draw_are_whole_on_a_german_phone(
    browser: Chromium, whole: Whole, size: tuple[int, int]
) -> None:
    async with table(browser, whole, size, "de", LONG) as (page, others):
        for other in others[::2]:
            await other.command("offer_draw")
        await expect(page.get_by_test_id("draw-offer")).to_contain_text("Gast 100")
        place = await page.locator(".ending").bounding_box()
        assert place is not None
        for answer in ("accept-draw", "decline-draw"):
            button = await box(page, answer)
            assert button["height"] >= 34
            assert place["y"] <= button["y"] < button["bottom"] <= place["y"] + place["height"]
        if size == PHONE:
            assert (await box(page, "decline-draw"))["bottom"] <= size[1]


async def test_a_piece_in_hand_is_drawn_whole_in_its_place(browser: Chromium, whole: Whole) -> None:
    async with table(browser, whole, PHONE, "fa") as (page, _):
        drawn = await page.locator(".hand piece").evaluate_all(
            "pieces => pieces.map(piece => getComputedStyle(piece).backgroundSize)"
        )
        assert set(drawn) == {"contain"}


async def test_fingers_find_what_is_played_with_and_the_boards_stay_in_sight(
    browser: Chromium, whole: Whole
) -> None:
    async with table(browser, whole, PHONE) as (page, _):
        for letter in "qrbnp":
            slot = await box(page, f"hand-a-white-{letter}")
            assert min(slot["width"], slot["height"]) >= 40
        names = page.locator(".own .mine .name")
        assert await names.evaluate("name => name.scrollWidth <= name.clientWidth")
        for test_id in ("swap", "step-back", "step-on", "flip", "switch-sound", "say-sit", "say-need_queen"):
            place = await box(page, test_id)
            assert place["height"] >= 44, test_id
            assert place["width"] >= 40, test_id
        assert (await box(page, "hand-b-white"))["bottom"] <= PHONE[1]
        assert (await box(page, "hand-b-black"))["bottom"] <= PHONE[1]


@pytest.mark.parametrize("size", [(1024, 600), (1280, 600), (1280, 800)], ids=str)
async def test_beside_a_low_board_every_name_is_read_in_full(
    browser: Chromium, whole: Whole, size: tuple[int, int]
) -> None:
    async with table(browser, whole, size, "nb") as (page, _):
        assert await cut_off(page, ".strip .name") == []


@pytest.mark.parametrize("locale", ["en", "de", "nb", "fa"])
async def test_a_desk_says_in_full_who_the_partner_is(browser: Chromium, whole: Whole, locale: str) -> None:
    async with table(browser, whole, (1280, 800), locale) as (page, _):
        assert await cut_off(page, ".talk h2 span") == []
        assert await page.evaluate("document.documentElement.scrollHeight") <= 800


async def test_in_forced_colours_boards_keep_their_own_and_buttons_have_an_edge(
    browser: Chromium, whole: Whole
) -> None:
    async with table(browser, whole, PHONE, context={"forced_colors": "active"}) as (page, _):
        await typed(page, "e4", 1)

        async def style(selector: str, name: str) -> str:
            found: str = await page.locator(selector).first.evaluate(
                "(element, name) => getComputedStyle(element)[name]", name
            )
            return found

        assert "gradient" in await style("cg-board", "backgroundImage")
        assert "0.46" in await style("cg-board square.last-move", "backgroundColor")
        assert await style(".disc.white", "backgroundColor") != await style(".disc.black", "backgroundColor")
        for button in ("flip", "resign", "swap"):
            assert await style(f"[data-testid={button}]", "borderTopStyle") == "solid"
            assert await style(f"[data-testid={button}]", "borderTopWidth") == "1px"
        running = await style(".clock.running", "backgroundColor")
        assert running != await style(".clock:not(.running)", "backgroundColor")
        await page.evaluate("document.querySelector('cg-board square').classList.add('fog')")
        assert "gradient" in await style("cg-board square.fog", "backgroundImage")


async def test_on_a_phone_with_text_twice_as_large_nothing_lies_over_anything(
    browser: Chromium, whole: Whole
) -> None:
    async with table(browser, whole, PHONE) as (page, _):
        await page.add_style_tag(content="html { font-size: 200% !important }")
        await expect(page.get_by_test_id("board-b")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
        for place in ("a-white", "a-black", "b-white", "b-black"):
            strip, clock = await box(page, f"player-{place}"), await box(page, f"clock-{place}")
            name = await page.get_by_test_id(f"player-{place}").locator(".who").bounding_box()
            assert name is not None
            assert name["x"] + name["width"] <= clock["x"]
            assert strip["y"] <= clock["y"] < clock["bottom"] <= strip["bottom"]
            hand = await box(page, f"hand-{place}")
            assert hand["right"] <= clock["x"] or hand["y"] >= clock["bottom"]
