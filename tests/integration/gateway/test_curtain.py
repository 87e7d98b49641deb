"""Two people on one device over one websocket, through the real services (F-curtain)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.integration.gateway.club import Club
from tests.kit.browser import Browser, Frame, Refused

pytestmark = pytest.mark.rule("F-curtain")
MINUTE = {"initial_ms": 60_000, "increment_ms": 0}


MOVES = ("e2e4", "d7d5", "e4d5", "d8d5")


async def one_device(device: Browser, **settings: Any) -> Frame:
    """A table with the device's two seats, joined, its match begun; the answer to its making."""
    settings = {"variant": "fog", "curtain": True, "names": ["Kari", "Ola"], **settings}
    made = await device.command("create_table", **settings)
    await device.join(made["table"])
    await device.wait_for(lambda page: page.match)
    return made


def full_since(count: int, seat: int | None) -> Callable[[Browser], bool]:
    """Whether a full view of that seat has come after so many frames."""
    return lambda page: any(frame["t"] == "full" and frame["you"] == seat for frame in page.frames[count:])


def fallen_since(count: int) -> Callable[[Browser], bool]:
    """Whether the curtain was said to be down after so many frames."""
    return lambda page: any(
        frame["t"] == "error" and frame["id"] is None and frame["reason"] == "curtain_down"
        for frame in page.frames[count:]
    )


async def lift(device: Browser, seat: int, ply: int, **fields: Any) -> Frame:
    """The curtain lifted, and the seat's view there."""
    count = len(device.frames)
    answer = await device.command("lift", seat=seat, ply=ply, **fields)
    await device.wait_for(full_since(count, seat))
    return answer


async def test_sides_see_by_turns_and_nothing_of_one_is_sent_while_the_other_looks(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device:
        made = await one_device(device)
        assert [held["seat"] for held in made["seats"]] == [0, 1]
        assert device.table is not None
        assert device.table["curtain"]
        for ply, uci in enumerate(MOVES):
            seat, count = ply % 2, len(device.frames)
            await device.join(made["table"])
            await device.wait_for(full_since(count, None))
            behind = "".join(device.texts[count:])
            assert "?" * 64 in behind
            assert not any(move in behind for move in MOVES)
            count = len(device.frames)
            await lift(device, seat, ply)
            await device.move(uci)
            await device.wait_for(fallen_since(count))
            assert [f["t"] for f in device.frames[count:] if "boards" in f] == ["full", "delta"]
            shown = "".join(device.texts[count:])
            assert f'"uci":"{uci}"' in shown
            assert not any(move in shown for number, move in enumerate(MOVES) if number % 2 != seat)


def told(texts: list[str], made: Frame) -> list[str]:
    """What was said of the match, without the names and times that differ from match to match.

    Whether a spectator is still told of the lift before coming to the seat is a matter of microseconds.
    """
    whole = "\n".join(
        text for text in texts if '"t":"full"' in text or '"boards"' in text or '"error"' in text
    )
    for held in made["seats"]:
        whole = whole.replace(held["token"], "TOKEN")
    whole = whole.replace(made["table"], "TABLE")
    whole = re.sub(r'"id":"[^"]*"', '"id":"ID"', whole)
    whole = re.sub(r',"outages":\[[^]]*\]', "", whole)
    whole = re.sub(r't1\.TABLE[^"]*', "TOKEN", whole)
    return re.sub(r'"(at_ms|age_ms)":\d+', r'"\1":0', whole).split("\n")


@pytest.mark.rule("F-secret")
async def test_games_that_look_the_same_to_black_say_the_same_from_the_fall_of_the_curtain_on(
    club: Club,
) -> None:
    """White's moves differ where Black sees nothing; all that comes after each is the same to the byte."""
    said: list[list[str]] = []
    for whites in (("b1a3", "a1b1"), ("h2h4", "h1h3")):
        async with Browser(club.gateways[0].url) as device:
            made = await one_device(device)
            heard: list[str] = []
            for number, (white, black) in enumerate(zip(whites, ("g8h6", "h6g8"), strict=True)):
                await lift(device, 0, 2 * number)
                count = len(device.frames)
                await device.move(white)
                await device.wait_for(fallen_since(count))
                count = len(device.frames)
                await device.join(made["table"])
                await device.wait_for(full_since(count, None))
                await lift(device, 1, 2 * number + 1)
                fell = len(device.frames)
                await device.move(black)
                await device.wait_for(fallen_since(fell))
                heard += told(device.texts[count:], made)
                count = len(device.frames)
                await device.join(made["table"])
                await device.wait_for(full_since(count, None))
                heard += told(device.texts[count:], made)
            said.append(heard)
    assert said[0] == said[1]
    assert any('"uci":"g8h6"' in text for text in said[0])


async def test_no_clock_runs_behind_the_curtain(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device:
        await one_device(device, time=MINUTE)
        assert device.match is not None
        assert device.match["clocks"]["running"] == [False, False]
        await lift(device, 0, 0)
        assert device.match["clocks"]["running"] == [True, False]
        start = len(device.frames)
        await device.move("e2e4")
        await device.wait_for(fallen_since(start))
        assert device.match["clocks"]["running"] == [False, False]


async def test_who_joins_as_a_side_behind_the_curtain_is_refused_by_name(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device:
        made = await one_device(device)
        for lifted, seats in ((False, (0, 1)), (True, (1,))):
            for seat in seats:
                start = len(device.frames)
                assert (await device.join(made["table"], seat=seat))["seat"] == seat
                await device.wait_for(fallen_since(start))
                assert not any(f["t"] == "full" for f in device.frames[start:])
                with pytest.raises(Refused) as refused:
                    await device.command("resign")
                assert refused.value.reason == ("not_your_turn" if seat else "curtain_down")
            if not lifted:
                await lift(device, 0, 0)


async def test_a_page_loaded_anew_lifts_again_by_the_cookie_or_by_the_seats_token(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device:
        made = await one_device(device)
        await lift(device, 0, 0)
        assert device.match is not None
        version = device.match["version"]
        for cookies, token in ((device.cookies, {}), (None, {"token": made["seats"][0]["token"]})):
            async with Browser(club.gateways[1].url, cookies) as again:
                answer = await again.join(made["table"])
                assert len(answer.get("seats", ())) == (2 if cookies else 0)
                shown = await again.wait_for(lambda page: page.match)
                assert (shown["you"], shown["boards"]["A"]["ply"]) == (None, 0)
                await lift(again, 0, 0, **token)
                assert again.match is not None
                assert (again.match["version"], again.match["you"]) == (version, 0)


async def test_a_lift_is_for_the_side_to_move_at_this_very_move(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device, Browser(club.gateways[0].url) as stranger:
        made = await one_device(device)
        for seat, ply, reason in (
            (1, 0, "not_your_turn"),
            (0, 1, "stale"),
            (0, -1, "stale"),
            (5, 0, "not_your_seat"),
        ):
            with pytest.raises(Refused) as refused:
                await device.command("lift", seat=seat, ply=ply)
            assert refused.value.reason == reason
        await stranger.join(made["table"])
        with pytest.raises(Refused) as refused:
            await stranger.command("lift", seat=0, ply=0)
        assert refused.value.reason == "not_your_seat"
        fog = (await stranger.command("play_now", variant="fog"))["table"]
        await stranger.wait_for(lambda page: page.match and page.match["table"] == fog)
        with pytest.raises(Refused) as refused:
            await stranger.command("lift", seat=0, ply=0)
        assert refused.value.reason == "no_curtain"


async def test_after_the_end_both_seats_see_all_and_one_word_makes_the_rematch(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device:
        made = await one_device(device)
        await lift(device, 0, 0)
        await device.command("resign")
        await device.wait_for(lambda page: page.match and page.match["result"])
        for seat in (1, 0):
            start = len(device.frames)
            await device.join(made["table"], seat=seat)
            await device.wait_for(full_since(start, seat))
            assert device.match is not None
            assert "?" not in device.match["boards"]["A"]["pieces"]
        await device.command("rematch", agree=True)
        following = await device.wait_for(lambda page: page.table and page.table["rematch"]["next_table"])
        answer = await device.join(following)
        assert [held["seat"] for held in answer["seats"]] == [0, 1]
        await device.wait_for(lambda page: page.match and page.match["table"] == following)
        assert device.table is not None
        assert [seat["name"] for seat in device.table["seats"]] == ["Ola", "Kari"]
        await lift(device, 0, 0)


REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"variant": "tandem", "curtain": True}, "curtain_not_combinable"),
    ({"variant": "tandem", "profile": "club", "curtain": True}, "curtain_not_combinable"),
    ({"variant": "fog", "profile": "online", "curtain": True}, "fog_not_combinable"),
    ({"variant": "fog", "public": True, "curtain": True}, "curtain_not_combinable"),
    ({"variant": "fog", "curtain": True, "names": ["Kari"]}, "bad_request"),
    ({"variant": "fog", "curtain": True, "names": ["Kari", "x" * 30]}, "bad_name"),
    ({"variant": "fog", "names": ["Kari", "Ola"]}, "bad_request"),
)


async def test_what_cannot_have_a_curtain_is_refused(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device:
        for settings, reason in REFUSED:
            with pytest.raises(Refused) as refused:
                await device.command("create_table", **settings)
            assert refused.value.reason == reason


async def test_a_seat_or_none_may_be_named_at_any_table(club: Club) -> None:
    async with Browser(club.gateways[0].url) as device:
        table = (await device.command("play_now", variant="fog"))["table"]
        await device.wait_for(lambda page: page.match)
        assert "seat" not in await device.join(table, seat=None)
        assert (await device.join(table, seat=0))["seat"] == 0
        with pytest.raises(Refused) as refused:
            await device.join(table, seat=1)
        assert refused.value.reason == "not_your_seat"
