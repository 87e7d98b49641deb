"""Services that come and go: streams are taken up again, presence goes to who owns the seats."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from services.gateway import presence
from tests.integration.gateway.conftest import Gateway, Little
from tests.integration.gateway.little import LittleView, serving
from tests.integration.gateway.test_connection import until
from tests.kit.browser import Browser, Refused


@pytest.mark.scenario("R07")
async def test_viewers_are_shown_a_full_view_again_when_visibility_comes_back(
    gateway: Gateway, little: Little
) -> None:
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        await little.view_server.aclose()
        little.view.version = 9
        async with serving(little.view, little.view_port):
            await kari.wait_for(lambda page: page.match and page.match["version"] == 9)
            little.view.change()
            await kari.wait_for(lambda page: page.match and page.match["version"] == 10)
        assert kari.gaps == 0
        assert gateway.metric("streams_lost_total", peer="visibility") >= 1


async def test_viewers_move_to_another_replica_when_theirs_is_gone(little: Little) -> None:
    other = LittleView()
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(serving(other))
        gateway = await little.start(peers_visibility=f"127.0.0.1:{little.view_port},127.0.0.1:{port}")
        browsers = [await stack.enter_async_context(Browser(gateway.url)) for _ in range(6)]
        for browser in browsers:
            await little.started_table(browser)
        other.version = 40
        await little.view_server.aclose()
        await until(lambda: len({join.match_id for _, join in other.joins}) == 6)
        other.change()
        for browser in browsers:
            await browser.wait_for(lambda page: page.match and page.match["version"] == 41)


async def test_a_command_waits_for_a_game_service_that_is_being_started_anew(little: Little) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(AsyncExitStack())
        port = await server.enter_async_context(serving(little.game))
        gateway = await little.start(peers_game=f"127.0.0.1:{port}")
        kari = await stack.enter_async_context(Browser(gateway.url))
        await little.started_table(kari)
        await server.aclose()
        move = asyncio.create_task(kari.move("e2e4"))
        await asyncio.sleep(0.3)
        assert not move.done()
        await stack.enter_async_context(serving(little.game, port))
        assert (await move)["version"] == 7


async def test_without_any_game_service_commands_are_unavailable_and_may_be_sent_again(
    little: Little,
) -> None:
    gateway = await little.start(peers_game="127.0.0.1:1")
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        with pytest.raises(Refused) as caught:
            await kari.move("e2e4")
        assert caught.value.reason == "unavailable"
        await kari.command("ping")
        status, body = await kari.get("/healthz")
        assert (status, body) == (503, "no game\n")


async def test_presence_is_reported_to_game_at_once_and_counts_connections(
    gateway: Gateway, little: Little
) -> None:
    async with Browser(gateway.url) as kari:
        table = await little.started_table(kari)
        await until(lambda: little.game.connections(table, 0) == 1)
        async with Browser(gateway.url, kari.cookies) as second:
            await second.join(table)
            await until(lambda: little.game.connections(table, 0) == 2)
        await until(lambda: little.game.connections(table, 0) == 1)
    await until(lambda: little.game.connections(table, 0) == 0)


async def test_a_spectator_is_nobodys_presence(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari, Browser(gateway.url) as stranger:
        table = await little.started_table(kari)
        await stranger.join(table)
        await until(lambda: little.game.connections(table, 0) == 1)
        seats = {(seat.seat, seat.connections) for report in little.game.reports for seat in report.seats}
        assert seats == {(0, 1)}


async def test_the_beat_goes_on_without_any_seat(little: Little, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "COMPLETE_EVERY_S", 0.2)
    await little.start()
    await until(lambda: sum(report.complete for report in little.game.reports) >= 3)
    assert all(not report.seats for report in little.game.reports)
    assert len({report.gateway_id for report in little.game.reports}) == 1


async def test_a_seat_is_matchmakings_before_the_start_and_games_after(
    gateway: Gateway, little: Little
) -> None:
    async with Browser(gateway.url) as kari:
        table = (await kari.command("create_table", variant="fog"))["table"]
        await kari.command("take_seat", table=table, seat=0)
        await kari.wait_for(lambda page: page.table and page.table["seats"][0]["online"])
        assert little.game.connections(table, 0) is None
        await kari.command("set_bot", seat=1, level=1)
        await until(lambda: little.game.connections(table, 0) == 1)
