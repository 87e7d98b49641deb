"""Tables and seats over the websocket: who one is, where one sits, what one is shown."""

from __future__ import annotations

import pytest

from tests.integration.gateway.conftest import Gateway, Little
from tests.kit.browser import Browser, Refused


async def test_a_table_is_made_taken_filled_and_started(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari, Browser(gateway.url) as ola:
        table = (await kari.command("create_table", variant="tandem", public=True))["table"]
        ok = await kari.command("take_seat", table=table, seat=2, name="Kari")
        assert (ok["table"], ok["seat"]) == (table, 2)
        await ola.join(table)
        seen = await ola.wait_for(lambda page: page.table)
        assert [seat["kind"] for seat in seen["seats"]] == ["free", "free", "human", "free"]
        assert seen["seats"][2]["name"] == "Kari"
        assert (await ola.command("take_seat", table=table, name="Ola"))["seat"] == 0
        for seat in (1, 3):
            await kari.command("set_bot", seat=seat, level=2)
        await ola.wait_for(lambda page: page.table and page.table["state"] == "started")
        for browser, seat in ((kari, 2), (ola, 0)):
            match = await browser.wait_for(lambda page: page.match)
            assert match["you"] == seat
            await browser.wait_for(lambda page: page.table and page.table["state"] == "started")


async def test_answers_come_before_the_frames_that_they_announce(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        kinds = [frame["t"] for frame in kari.frames]
        assert kinds[:2] == ["ok", "table"]
        assert kinds[-1] == "full"


async def test_a_token_proves_a_seat_at_any_gateway_without_a_cookie(little: Little) -> None:
    one, two = await little.start(), await little.start()
    async with Browser(one.url) as kari, Browser(two.url) as phone:
        table = await little.started_table(kari)
        assert kari.place is not None
        ok = await phone.join(table, kari.place[2])
        assert ok["seat"] == 0
        former, again = str(kari.place[2]).split("."), str(ok["token"]).split(".")
        assert again[:4] == former[:4]  # the same seat and lease, whatever its last second is
        assert (await phone.wait_for(lambda page: page.match))["you"] == 0


async def test_a_cookie_proves_a_seat_without_a_token(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari:
        table = await little.started_table(kari)
        async with Browser(gateway.url, kari.cookies) as again:
            ok = await again.join(table)
            assert ok["seat"] == 0
            assert (await again.wait_for(lambda page: page.match))["you"] == 0


async def test_whoever_proves_no_seat_is_a_spectator(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari, Browser(gateway.url) as stranger:
        table = await little.started_table(kari)
        assert kari.place is not None
        forged = str(kari.place[2])[:-2] + "xx"
        for token in (None, forged, "nonsense", "é"):
            ok = await stranger.join(table, token)
            assert set(ok) == {"t", "id", "table"}
        match = await stranger.wait_for(lambda page: page.match)
        assert (match["you"], match["legal"]) == (None, None)
        with pytest.raises(Refused) as caught:
            await stranger.command("resign")
        assert caught.value.reason == "not_your_seat"
        assert not little.game.acts


async def test_a_token_of_another_table_proves_nothing_here(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari, Browser(gateway.url) as ola:
        await little.started_table(kari)
        other = await little.started_table(ola)
        assert kari.place is not None
        assert "seat" not in await kari.join(other, kari.place[2])


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ({"t": "create_table", "variant": "chess"}, "bad_variant"),
        ({"t": "create_table", "variant": "fog", "profile": "club"}, "fog_not_combinable"),
        (
            {"t": "create_table", "variant": "tandem", "time": {"initial_ms": 10**12, "increment_ms": 0}},
            "bad_time",
        ),
        (
            {"t": "create_table", "variant": "tandem", "time": {"initial_ms": 1, "increment_ms": 0}},
            "bad_time",
        ),
        ({"t": "create_table", "variant": "fog", "setup": "8/8"}, "bad_request"),
        ({"t": "play_now", "variant": "tandem", "seat": -1}, "unknown_seat"),
        ({"t": "play_now", "variant": "tandem", "seat": 4}, "unknown_seat"),
        ({"t": "play_now", "variant": "tandem", "level": 6}, "bad_level"),
        ({"t": "play_now", "variant": "tandem", "level": 0}, "bad_level"),
        ({"t": "create_table", "variant": "tandem", "time": None}, "clock_required"),
        ({"t": "play_now", "variant": "tandem", "name": "x" * 99}, "bad_name"),
        ({"t": "join", "table": "nonsense"}, "unknown_table"),
        ({"t": "join", "table": "07abcdefghijklmnopqrstuvwx"}, "unknown_table"),
        ({"t": "take_seat", "table": "../../etc"}, "unknown_table"),
        ({"t": "set_bot", "seat": 1, "level": 2}, "not_joined"),
        ({"t": "move", "board": "A", "ply": 0, "uci": "e2e4"}, "not_joined"),
        ({"t": "leave"}, "not_joined"),
        ({"t": "rematch", "agree": True}, "not_joined"),
        ({"t": "say", "quick": "sit"}, "not_joined"),
    ],
)
async def test_a_bad_request_is_refused_by_name(
    gateway: Gateway, command: dict[str, object], reason: str
) -> None:
    async with Browser(gateway.url) as kari:
        with pytest.raises(Refused) as caught:
            await kari.command(**command)  # type: ignore[arg-type]
        assert caught.value.reason == reason


async def test_a_taken_seat_is_refused(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari, Browser(gateway.url) as ola:
        table = (await kari.command("create_table", variant="fog"))["table"]
        await kari.command("take_seat", table=table, seat=1)
        with pytest.raises(Refused) as caught:
            await ola.command("take_seat", table=table, seat=1)
        assert caught.value.reason == "seat_taken"


async def test_leaving_before_the_start_frees_the_seat_and_goes_on_watching(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari:
        table = (await kari.command("create_table", variant="fog"))["table"]
        await kari.command("take_seat", table=table, seat=1)
        await kari.command("leave")
        await kari.wait_for(lambda page: page.table and page.table["seats"][1]["kind"] == "free")
        await kari.command("leave")
        with pytest.raises(Refused) as caught:
            await kari.command("leave")
        assert caught.value.reason == "not_joined"


async def test_the_same_request_id_gets_the_same_answer_and_does_nothing_twice(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari:
        first = await kari.command("create_table", request_id="once", variant="fog", public=True)
        assert await kari.command("create_table", request_id="once", variant="fog", public=True) == first
        await kari.command("take_seat", table=first["table"], seat=0)
        assert len((await kari.command("list_tables"))["tables"]) == 1
        with pytest.raises(Refused) as refused:
            await kari.command("take_seat", request_id="again", table=first["table"], seat=7)
        with pytest.raises(Refused) as repeated:
            await kari.command("take_seat", request_id="again", table=first["table"], seat=1)
        assert str(repeated.value) == str(refused.value)


async def test_private_tables_are_not_listed(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari:
        shown = (await kari.command("create_table", variant="fog", public=True))["table"]
        await kari.command("create_table", variant="fog")
        assert not (await kari.command("list_tables"))["tables"], "nobody sits there yet"
        await kari.command("take_seat", table=shown, seat=0, name="Kari")
        tables = (await kari.command("list_tables"))["tables"]
        assert [table["table"] for table in tables] == [shown]
        assert tables[0]["state"] == "open"


async def test_joining_another_table_leaves_the_first(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari:
        first = await little.started_table(kari)
        second = (await kari.command("create_table", variant="fog"))["table"]
        await kari.join(second)
        seen = len(kari.frames)
        little.view.change()
        await kari.command("ping")
        assert {frame["table"] for frame in kari.frames[seen:] if "table" in frame} <= {second}
        await kari.join(first)
        assert (await kari.wait_for(lambda page: page.match))["version"] == little.view.version
