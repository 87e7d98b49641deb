"""Words between partners through the real services (RULES 1.3): who reads them, and who never does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from libs.runtime.refusals import call
from tests.kit.backend import Backend, backend
from tests.kit.browser import Browser, Refused

SECRET = "a-word-that-nobody-else-says"


@pytest.fixture
async def house(valkey_url: str, tmp_path: Path) -> AsyncIterator[Backend]:
    async with backend(valkey_url, tmp_path) as running:
        yield running


def lines(browser: Browser) -> list[tuple[int, int, str | None]]:
    """Number, seat and words of the lines as the page has them."""
    assert browser.match is not None
    return [(line["number"], line["seat"], line["text"] or line["quick"]) for line in browser.match["talk"]]


async def second_connection(stack: AsyncExitStack, house: Backend, of: Browser) -> Browser:
    """The same guest at the same table once more, over the other gateway."""
    url = next(url for url in house.urls if url != of.url)
    browser = await stack.enter_async_context(Browser(url, cookies=of.cookies))
    assert of.place is not None
    await browser.join(of.place[0], of.place[2])
    await browser.wait_for(lambda page: page.match)
    return browser


@pytest.mark.scenario("C01")
async def test_nobody_but_the_partner_ever_receives_anything_of_what_is_said(house: Backend) -> None:
    """All frames of all others are looked at: what was said, that it was said, and the counts around it."""
    async with AsyncExitStack() as stack:
        speaker, opponent, other, partner = await house.match(stack)
        assert speaker.place is not None
        table = speaker.place[0]
        watching = [await stack.enter_async_context(Browser(url)) for url in house.urls]
        for spectator in watching:
            await spectator.join(table)
            await spectator.wait_for(lambda page: page.match)
        again = await second_connection(stack, house, opponent)
        own_again = await second_connection(stack, house, partner)
        await opponent.wait_for(lambda page: any(frame["t"] == "moved" for frame in page.frames))
        strangers = [opponent, other, again, *watching]
        await speaker.move("e2e4")
        for browser in (speaker, partner, own_again, *strangers):
            await browser.wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] == 1)
        counts = [len(browser.frames) for browser in strangers]
        await speaker.command("say", text=SECRET)
        await speaker.command("say", quick="need_knight")
        await partner_says(own_again, SECRET)
        await speaker.command("mute", on=True)
        await speaker.command("report", number=3, words=SECRET)
        for browser in (speaker, partner, own_again):
            await browser.wait_for(lambda page: len(lines(page)) == 3)
        # A move that everybody sees comes after all that.
        await again.move("e7e5")
        for browser, count in zip(strangers, counts, strict=True):
            await browser.wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] == 2)
            new = [frame for frame in browser.frames[count:] if frame["t"] != "ok"]
            assert [frame["t"] for frame in new] == ["delta"]
            assert browser.gaps == 0
            assert not any(SECRET in text or "need_knight" in text for text in browser.texts)
            assert not any(frame["t"] == "talk" for frame in browser.frames)
            assert browser.match is not None
            assert browser.match["talk"] == []
        # Nor does who joins later, or over HTTP.
        for stranger in strangers[1:]:
            count = len(stranger.frames)
            assert stranger.place is not None
            await stranger.join(table, stranger.place[2])
            await stranger.wait_for(shows_a_full_view_after(count))
            assert not any(SECRET in text for text in stranger.texts)
            for path in (f"/api/tables/{table}", "/api/tables", f"/api/tables/{table}/export"):
                assert SECRET not in (await stranger.get(path))[1]


def shows_a_full_view_after(count: int) -> Callable[[Browser], bool]:
    return lambda page: any(frame["t"] == "full" for frame in page.frames[count:])


async def partner_says(browser: Browser, text: str) -> None:
    await browser.command("say", text=text)


@pytest.mark.scenario("C02")
async def test_the_teams_lines_are_kept_in_order_over_a_reconnect(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        kari, _, _, ola = await house.match(stack)
        for number in range(3):
            await kari.command("say", text=f"k{number}")
            await ola.command("say", text=f"o{number}")
        said = [(2 * n + 1, 0, f"k{n}") for n in range(3)] + [(2 * n + 2, 3, f"o{n}") for n in range(3)]
        for browser in (kari, ola):
            await browser.wait_for(lambda page: len(lines(page)) == 6)
            assert lines(browser) == sorted(said)
        assert kari.place is not None
        table, _, token = kari.place
        kari.match = None
        await kari.connect(house.urls[1])
        await ola.command("say", text="while you were away")
        await kari.join(table, token)
        await kari.wait_for(lambda page: page.match)
        assert lines(kari) == [*sorted(said), (7, 3, "while you were away")]


async def test_a_muted_partner_is_not_heard_then_or_later_and_learns_nothing(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        kari, _, _, ola = await house.match(stack)
        await ola.command("say", text="first")
        await kari.wait_for(lambda page: lines(page) == [(1, 3, "first")])
        count = len(ola.frames)
        await kari.command("mute", on=True)
        await ola.command("say", text=SECRET)
        await ola.wait_for(lambda page: len(lines(page)) == 2)
        # What the partner has got is what one gets who is heard: the answer and the own line.
        assert [frame["t"] for frame in ola.frames[count:] if frame["t"] != "talk"] == ["ok"]
        await kari.command("say", text="mine")
        await kari.wait_for(lambda page: lines(page) == [(1, 3, "first"), (3, 0, "mine")])
        await ola.wait_for(lambda page: len(lines(page)) == 3)
        again = await second_connection(stack, house, kari)
        # A later window of the same seat is told, and the partner's is not.
        assert ola.place is not None
        await ola.join(ola.place[0], ola.place[2])
        await ola.wait_for(lambda page: page.frames[-1]["t"] == "full")
        assert [(page.match or {})["muted"] for page in (again, ola)] == [True, False]
        await again.command("mute", on=False)
        await ola.command("say", text="back")
        await kari.wait_for(lambda page: lines(page)[-1] == (4, 3, "back"))
        assert kari.place is not None
        await kari.join(kari.place[0], kari.place[2])
        await kari.wait_for(lambda page: page.frames[-1]["t"] == "full")
        assert [number for number, _, _ in lines(kari)] == [1, 3, 4]
        assert kari.match is not None
        assert kari.match["muted"] is False
        assert not any(SECRET in text for text in kari.texts)
        assert kari.gaps == 0
        # Only a seat may mute, and fog has no partners.
        async with Browser(house.urls[0]) as stranger:
            await stranger.join(kari.place[0])
            with pytest.raises(Refused, match="not_your_seat"):
                await stranger.command("mute", on=True)
        fog = await house.match(stack, "fog", 2)
        with pytest.raises(Refused, match="no_partner"):
            await fog[0].command("mute", on=True)


async def test_a_line_of_the_partners_is_reported_once_and_kept_for_the_operator(house: Backend) -> None:
    async with AsyncExitStack() as stack:
        kari, opponent, _, ola = await house.match(stack)
        await kari.command("say", text="please trade")
        await ola.command("say", text=SECRET)
        await opponent.command("say", text="theirs")
        await kari.wait_for(lambda page: len(lines(page)) == 2)
        await kari.command("report", number=2, words="Not nice")
        for number, reason in ((2, "already_reported"), (1, "unknown_line"), (9, "unknown_line")):
            with pytest.raises(Refused, match=reason):
                await kari.command("report", number=number)
        with pytest.raises(Refused, match="text_too_long"):
            await kari.command("report", number=2, words="x" * 501)
        # A line that was never shown cannot be reported either: the answer would tell of it.
        await ola.command("mute", on=True)
        await kari.command("say", text="into the wind")
        with pytest.raises(Refused, match="unknown_line"):
            await ola.command("report", number=3)
        async with grpc.aio.insecure_channel(house.game) as channel:
            stub = game_pb2_grpc.OperatorServiceStub(channel)
            answer = await call(stub.ListReports, game_pb2.ListReportsRequest())
            (report,) = answer.reports
            assert (report.line.text, report.line.seat, report.line.number) == (SECRET, 3, 2)
            assert (report.name, report.reported_by, report.reporter_name) == ("Seat 3", 0, "Seat 0")
            assert (report.words, report.match_id) == ("Not nice", kari.place[0] if kari.place else "")
            assert report.reported_at_ms > 1_600_000_000_000


async def test_reports_are_bounded_in_number_and_time(valkey_url: str, tmp_path: Path) -> None:
    async with backend(valkey_url, tmp_path, game={"reports_kept": 2}) as house, AsyncExitStack() as stack:
        kari, _, _, ola = await house.match(stack)
        for number in range(1, 4):
            await ola.command("say", text=f"line {number}")
            await kari.command("report", number=number)
        async with grpc.aio.insecure_channel(house.game) as channel:
            stub = game_pb2_grpc.OperatorServiceStub(channel)
            answer = await call(stub.ListReports, game_pb2.ListReportsRequest())
            assert [report.line.text for report in answer.reports] == ["line 3", "line 2"]
            one = await call(stub.ListReports, game_pb2.ListReportsRequest(limit=1))
            assert [report.line.text for report in one.reports] == ["line 3"]


async def test_old_reports_are_gone(valkey_url: str, tmp_path: Path) -> None:
    settings = {"reports_keep_ms": 300}
    async with backend(valkey_url, tmp_path, game=settings) as house, AsyncExitStack() as stack:
        kari, _, _, ola = await house.match(stack)
        await ola.command("say", text="old")
        await kari.command("report", number=1)
        async with grpc.aio.insecure_channel(house.game) as channel:
            stub = game_pb2_grpc.OperatorServiceStub(channel)
            assert len((await call(stub.ListReports, game_pb2.ListReportsRequest())).reports) == 1
            while (await call(stub.ListReports, game_pb2.ListReportsRequest())).reports:
                await asyncio.sleep(0.02)


async def test_one_seat_may_only_say_so_much(house: Backend) -> None:
    """Calm, as at a club; the partner's own right to speak is not touched."""
    async with AsyncExitStack() as stack:
        kari, _, _, ola = await house.match(stack)
        for number in range(5):
            await kari.command("say", text=f"{number}")
        with pytest.raises(Refused, match="talk_too_fast"):
            await kari.command("say", quick="sit")
        await ola.command("say", quick="thanks")
