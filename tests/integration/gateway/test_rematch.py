"""Rematches through the real services (B-rematch): everybody in, somebody gone, and expired guests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest

from tests.kit.backend import Backend, backend
from tests.kit.browser import Browser, Refused

pytestmark = pytest.mark.rule("B-rematch")


@pytest.fixture
async def house(valkey_url: str, tmp_path: Path) -> AsyncIterator[Backend]:
    async with backend(valkey_url, tmp_path, matchmaking={"rematch_ms": 1_500}) as running:
        yield running


async def finished(house: Backend, stack: AsyncExitStack, variant: str, people: int) -> list[Browser]:
    """The people of a match that one of them has resigned."""
    browsers = await house.match(stack, variant, people)
    await browsers[0].command("resign")
    for browser in browsers:
        await browser.wait_for(lambda page: page.match and page.match["result"])
    return browsers


async def next_table(browser: Browser) -> str:
    return str(
        await browser.wait_for(lambda page: (page.table and page.table["rematch"]["next_table"]) or None)
    )


async def test_everybody_in_and_everybody_sits_where_they_sat(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        browsers = await finished(house, stack, "tandem", 4)
        await asyncio.gather(*(browser.command("rematch", agree=True) for browser in browsers))
        for seat, browser in enumerate(browsers):
            table = await next_table(browser)
            assert (await browser.join(table))["seat"] == seat
        for browser in browsers:
            await browser.wait_for(
                lambda page: page.place and page.match and page.match["table"] == page.place[0]
            )
            assert browser.match is not None
            assert [seat["name"] for seat in browser.match["seats"]] == [f"Seat {n}" for n in range(4)]


async def test_seats_rotate_only_when_everybody_asks_for_it(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        browsers = await finished(house, stack, "tandem", 4)
        await asyncio.gather(*(browser.command("rematch", agree=True, rotate=True) for browser in browsers))
        for seat, browser in enumerate(browsers):
            assert (await browser.join(await next_table(browser)))["seat"] == (seat + 1) % 4


@pytest.mark.scenario("R03")
async def test_a_guest_whose_cookie_has_expired_keeps_the_seat_by_the_old_token(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        kari, ola = await finished(house, stack, "fog", 2)
        assert kari.place is not None
        table, _, token = kari.place
        # The session is over: the browser comes back as another guest, with what it has kept of its seat.
        kari.cookies = aiohttp.CookieJar(unsafe=True)
        await kari.connect()
        assert (await kari.join(table, token))["seat"] == 0
        await kari.command("rematch", agree=True)
        await ola.command("rematch", agree=True)
        following = await next_table(kari)
        # By the place it is at, and once more with the token after another expiry; fog swaps colours.
        assert (await kari.join(following))["seat"] == 1
        kari.cookies = aiohttp.CookieJar(unsafe=True)
        await kari.connect()
        assert (await kari.join(following, token))["seat"] == 1
        assert (await ola.join(following))["seat"] == 0
        # Nobody else is led to a seat by it: neither another old seat's token nor none.
        async with Browser(house.urls[1]) as stranger:
            assert "seat" not in await stranger.join(following)
        await kari.wait_for(lambda page: page.match and page.match["you"] == 1)


async def test_an_offer_ends_when_a_human_leaves_and_nobody_is_seated_by_it(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        kari, ola = await finished(house, stack, "fog", 2)
        await kari.command("rematch", agree=True)
        await ola.wait_for(lambda page: page.table and page.table["rematch"]["agreed"] == [0])
        await ola.command("leave")
        await kari.wait_for(lambda page: page.table and page.table["rematch"]["agreed"] == [])
        assert kari.table is not None
        assert kari.table["rematch"]["next_table"] == ""


async def test_an_offer_that_one_who_is_gone_cannot_answer_ends_after_its_time(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        kari, ola = await finished(house, stack, "fog", 2)
        await ola.disconnect()
        await kari.command("rematch", agree=True)
        await kari.wait_for(lambda page: page.table and page.table["rematch"]["expires_in_ms"] > 0)
        await kari.wait_for(lambda page: page.table and page.table["rematch"]["expires_in_ms"] == 0)
        assert kari.table is not None
        assert kari.table["rematch"]["agreed"] == []
        assert kari.table["rematch"]["next_table"] == ""


async def test_before_the_end_there_is_no_rematch_and_after_it_only_for_players(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        kari, _ = await house.match(stack, "fog", 2)
        with pytest.raises(Refused, match="no_rematch"):
            await kari.command("rematch", agree=True)
        assert kari.place is not None
        async with Browser(house.urls[0]) as stranger:
            await stranger.join(kari.place[0])
            with pytest.raises(Refused, match="not_your_seat"):
                await stranger.command("rematch", agree=True)


async def test_the_only_human_plays_on_with_the_same_bots(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        (kari,) = await finished(house, stack, "tandem", 1)
        await kari.command("rematch", agree=True)
        table = await next_table(kari)
        assert (await kari.join(table))["seat"] == 0
        await kari.wait_for(lambda page: page.match and page.match["table"] == table)
        assert kari.match is not None
        assert [seat["kind"] for seat in kari.match["seats"]] == ["human", "bot", "bot", "bot"]
