"""Quick play, parties and the live list as browsers meet them, over two gateways with real matchmaking."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from libs.runtime.service import running_service
from services.matchmaking.app import build as build_matchmaking
from services.matchmaking.settings import MatchmakingSettings
from tests.integration.gateway.conftest import Gateway, Secrets, gateway_of
from tests.integration.gateway.little import LittleGame, LittleView, serving
from tests.kit.browser import Browser, Frame, Refused

pytestmark = pytest.mark.alone  # who is there is a matter of reports in time


@dataclass
class Quick:
    """Two gateways before real matchmaking, and the game behind it; `first` holds the first gateway."""

    gateways: list[Gateway]
    game: LittleGame
    first: AsyncExitStack

    async def guests(self, stack: AsyncExitStack, count: int) -> list[Browser]:
        """So many people, one gateway after the other."""
        urls = [self.gateways[number % 2].url for number in range(count)]
        return [await stack.enter_async_context(Browser(url)) for url in urls]


@pytest.fixture
async def quick(
    valkey_url: str, secret_files: Secrets, request: pytest.FixtureRequest
) -> AsyncIterator[Quick]:
    """Its times are short; parametrize it indirectly for others."""
    times = {"countdown_ms": 100, "bots_after_ms": 300, "queue_rest_ms": 200, "queue_present_ms": 30_000}
    game, view = LittleGame(), LittleView()
    async with AsyncExitStack() as stack:
        game_address = f"127.0.0.1:{await stack.enter_async_context(serving(game))}"
        view_address = f"127.0.0.1:{await stack.enter_async_context(serving(view))}"
        settings = MatchmakingSettings(
            store_url=valkey_url,
            token_secret_file=secret_files.token,
            peers_game=game_address,
            sweep_ms=20,
            drain_grace_ms=500,
            **{**times, **getattr(request, "param", {})},
        )
        matchmaking = await stack.enter_async_context(running_service(settings, build_matchmaking))
        peers = {
            "peers_matchmaking": matchmaking.address,
            "peers_game": game_address,
            "peers_visibility": view_address,
        }
        first = await stack.enter_async_context(AsyncExitStack())
        gateways = [
            await holder.enter_async_context(gateway_of(secret_files, **peers)) for holder in (first, stack)
        ]
        yield Quick(gateways, game, first)


def times(**settings: int) -> pytest.MarkDecorator:
    """The fixture with these times of matchmaking."""
    return pytest.mark.parametrize("quick", [settings], indirect=True)


def seated(browser: Browser) -> bool:
    return any(frame["t"] == "seated" for frame in browser.frames)


def reasons(browser: Browser) -> list[str]:
    return [frame["reason"] for frame in browser.frames if frame["t"] == "queue" and frame["reason"]]


async def test_four_strangers_over_two_gateways_are_seated_and_the_match_starts(
    quick: Quick,
) -> None:
    async with AsyncExitStack() as stack:
        people = await quick.guests(stack, 4)
        for number, person in enumerate(people):
            await person.command("quick_play", variant="tandem", name=f"Name {number}")
        for person in people:
            await person.wait_for(lambda page: page.match)
            ok_at = next(n for n, frame in enumerate(person.frames) if frame["t"] == "ok")
            assert person.frames[ok_at + 1]["t"] == "queue"
        assert len({person.place[0] for person in people if person.place}) == 1
        assert {person.place[1] for person in people if person.place} == {0, 1, 2, 3}
        names = [seat["name"] for seat in people[0].table["seats"]] if people[0].table else []
        assert sorted(names) == [f"Name {number}" for number in range(4)]


def complete_party(browser: Browser) -> Frame | None:
    return browser.queue if browser.queue and len(browser.queue["members"]) == 2 else None


async def test_partners_by_a_link_and_bots_when_nobody_comes(quick: Quick) -> None:
    async with AsyncExitStack() as stack:
        kari, ola = await quick.guests(stack, 2)
        party = (await kari.command("create_party", name="Kari"))["party"]
        assert (await kari.get(f"/p/{party}"))[0] in (200, 503)  # 503: there is no built page here
        await ola.command("join_party", party=party, name="Ola")
        frame = await kari.wait_for(complete_party)
        assert (frame["state"], frame["party"]) == ("party", party)
        assert [member["name"] for member in frame["members"]] == ["Kari", "Ola"]
        await ola.command("quick_play", variant="tandem", party=party)
        with pytest.raises(Refused, match="bots_not_offered"):
            await ola.command("quick_play_bots")
        await kari.wait_for(lambda page: page.queue and page.queue["bots_offered"])
        await kari.command("quick_play_bots")
        for person in (kari, ola):
            await person.wait_for(seated)
        assert kari.place is not None
        assert ola.place is not None
        assert {kari.place[1], ola.place[1]} in ({0, 3}, {1, 2})
        for person in (kari, ola):
            await person.wait_for(lambda page: page.match)


@times(queue_absent_ms=4_000)
async def test_who_comes_back_within_the_grace_keeps_the_place_and_who_does_not_loses_it(
    quick: Quick,
) -> None:
    async with AsyncExitStack() as stack:
        kari, other = await quick.guests(stack, 2)
        await kari.command("quick_play", variant="fog")
        await kari.connect(quick.gateways[1].url)  # a reload, and another gateway
        await other.command("quick_play", variant="tandem")
        await kari.command("quick_play", variant="fog")
        assert kari.queue is not None
        assert kari.queue["waiting"] == 1
        await kari.disconnect()
        # Passed over at once: the next who wants fog waits alone, and the place is given up after a while.
        late = (await quick.guests(stack, 1))[0]
        await late.command("quick_play", variant="fog")
        await late.wait_for(lambda page: page.queue and page.queue["waiting"] == 1)
        assert not seated(late)


async def test_leaving_the_queue_ends_it(quick: Quick) -> None:
    async with Browser(quick.gateways[0].url) as kari:
        with pytest.raises(Refused, match="not_waiting"):
            await kari.command("leave_queue")
        await kari.command("quick_play", variant="tandem")
        await kari.command("leave_queue")
        await kari.wait_for(lambda page: page.queue and page.queue["state"] == "over")
        # Another wish takes the stead of the former one.
        await kari.command("quick_play", variant="tandem")
        await kari.command("quick_play", variant="fog")
        async with Browser(quick.gateways[0].url) as ola:
            await ola.command("quick_play", variant="tandem")
            await ola.wait_for(lambda page: page.queue and page.queue["waiting"] == 1)


async def test_who_sits_down_elsewhere_waits_no_more(quick: Quick) -> None:
    async with Browser(quick.gateways[0].url) as kari, Browser(quick.gateways[1].url) as ola:
        await kari.command("quick_play", variant="fog")
        await kari.command("play_now", variant="fog")
        await ola.command("quick_play", variant="fog")
        await ola.wait_for(lambda page: page.queue and page.queue["waiting"] == 1)
        await ola.wait_for(lambda page: page.queue and page.queue["bots_offered"])
        assert not seated(ola)


async def test_who_sits_down_in_another_tab_is_told_in_the_first_and_waits_no_more(quick: Quick) -> None:
    async with AsyncExitStack() as stack:
        first, ola = await quick.guests(stack, 2)
        await first.command("quick_play", variant="fog")
        second = await stack.enter_async_context(Browser(quick.gateways[1].url, first.cookies))
        await second.command("play_now", variant="fog")
        told = await first.wait_for(lambda page: page.queue and page.queue["state"] == "over" and page.queue)
        assert told["reason"] == "seated_elsewhere"
        await ola.command("quick_play", variant="fog")
        await ola.wait_for(lambda page: page.queue and page.queue["bots_offered"])
        assert not seated(ola)
        assert not seated(first)


async def test_who_sits_down_in_the_tab_that_waits_is_told_that_it_has_left(quick: Quick) -> None:
    async with Browser(quick.gateways[0].url) as kari:
        await kari.command("quick_play", variant="fog")
        made = await kari.command("create_table", variant="fog")
        with pytest.raises(Refused, match="unknown_seat"):
            await kari.command("take_seat", table=made["table"], seat=5)
        await kari.wait_for(lambda page: page.queue and page.queue["bots_offered"])
        await kari.command("take_seat", table=made["table"], seat=0)
        await kari.wait_for(lambda page: page.queue and page.queue["state"] == "over")
        assert reasons(kari) == ["left"]
        with pytest.raises(Refused, match="not_waiting"):
            await kari.command("leave_queue")


@pytest.mark.scenario("R09")
async def test_a_start_that_fails_puts_people_back_with_one_frame_each(
    quick: Quick,
) -> None:
    quick.game.refuses_starts = 1
    async with AsyncExitStack() as stack:
        people = await quick.guests(stack, 2)
        for person in people:
            await person.command("quick_play", variant="fog")
        told = []
        for person in people:
            await person.wait_for(lambda page: page.match, timeout_s=30)
            told.append(reasons(person))
        # Of queue frames that wait to be sent only the latest goes out: a slow reader may be seated first.
        assert all(each in ([], ["start_failed"]) for each in told)
        assert ["start_failed"] in told


@times(countdown_ms=60_000)
async def test_whoever_leaves_the_countdown_sends_the_other_back(quick: Quick) -> None:
    async with AsyncExitStack() as stack:
        kari, ola = await quick.guests(stack, 2)
        for person in (kari, ola):
            await person.command("quick_play", variant="fog")
        for person in (kari, ola):
            await person.wait_for(seated)
        await kari.command("leave")
        await ola.wait_for(lambda page: page.queue and page.queue["reason"] == "player_left")
        assert ola.queue is not None
        assert ola.queue["state"] == "waiting"
        await kari.wait_for(lambda page: page.queue and page.queue["state"] == "over")


@pytest.mark.scenario("C04")
async def test_the_list_is_live_with_all_names_and_a_running_section(quick: Quick) -> None:
    async with Browser(quick.gateways[0].url) as watcher, Browser(quick.gateways[1].url) as kari:
        await watcher.command("watch_list", on=True)

        def listed(page: Browser) -> list[dict[str, object]]:
            lists = [frame["tables"] for frame in page.frames if frame["t"] == "list"]
            return lists[-1] if lists else []

        await watcher.wait_for(lambda page: any(frame["t"] == "list" for frame in page.frames))
        table = (await kari.command("create_table", variant="tandem", public=True))["table"]
        await kari.command("take_seat", table=table, seat=0, name="Kari")
        await watcher.wait_for(lambda page: any(entry["table"] == table for entry in listed(page)))
        for seat in (1, 2, 3):
            await kari.command("set_bot", seat=seat, level=1)
        entry = await watcher.wait_for(
            lambda page: next((entry for entry in listed(page) if entry["state"] == "started"), None)
        )
        assert [seat["name"] for seat in entry["seats"]] == ["Kari", "Bot 1", "Bot 2", "Bot 3"]  # type: ignore[attr-defined]
        await watcher.command("watch_list", on=False)


@pytest.mark.rule("B-link")
@times(absent_ms=8_000, unfilled_ms=9_000)
async def test_an_unfilled_table_frees_seats_without_connection_closes_and_says_why(
    quick: Quick,
) -> None:
    async with Browser(quick.gateways[0].url) as kari, Browser(quick.gateways[1].url) as ola:
        table = (await kari.command("create_table", variant="tandem"))["table"]
        await kari.command("take_seat", table=table, seat=0, name="Kari")
        await ola.command("take_seat", table=table, seat=1, name="Ola")
        await ola.disconnect()
        await kari.wait_for(lambda page: page.table and page.table["seats"][1]["kind"] == "free")
        assert kari.table is not None
        assert kari.table["seats"][0]["kind"] == "human"
        await kari.wait_for(lambda page: page.table and page.table["state"] == "closed")
        # The link says why, also to who opens it later.
        async with Browser(quick.gateways[1].url) as late:
            await late.join(table)
            shown = await late.wait_for(lambda page: page.table)
            assert (shown["state"], shown["closed_reason"]) == ("closed", "not_filled")
            with pytest.raises(Refused, match="table_closed"):
                await late.command("take_seat", table=table, seat=2)


@times(queue_absent_ms=60_000)
async def test_a_gateway_that_drains_loses_nobodys_place(quick: Quick) -> None:
    async with Browser(quick.gateways[0].url) as kari:
        await kari.command("quick_play", variant="fog")
        await quick.first.aclose()
        await kari.wait_closed()
        await kari.connect(quick.gateways[1].url)
        await kari.command("quick_play", variant="fog")
        assert kari.queue is not None
        assert kari.queue["waited_ms"] > 0
        async with Browser(quick.gateways[1].url) as ola:
            await ola.command("quick_play", variant="fog")
            await asyncio.gather(ola.wait_for(seated), kari.wait_for(seated))
