"""One seat on two devices, at two gateways: who holds it, what the other one is told and may do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.gateway.club import Club
from tests.kit.browser import Browser, Refused

HELD_COMMANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("move", {"board": "A", "ply": 0, "uci": "e2e4"}),
    ("resign", {}),
    ("offer_draw", {}),
    ("abort", {}),
    ("say", {"quick": "sit"}),
    ("leave", {}),
)


async def told_to_move(browser: Browser) -> None:
    await browser.wait_for(lambda page: any(frame["t"] == "moved" for frame in page.frames))


@pytest.mark.scenario("R08")
async def test_a_second_device_takes_the_seat_and_the_first_stays_a_reader(club: Club) -> None:
    table, seats = await club.seated("tandem", 4)
    first, other = seats[0], seats[1]
    second = await club.browser(1)
    assert first.place is not None
    assert (await second.join(table, first.place[2]))["seat"] == 0
    full = await second.wait_for(lambda page: page.match)
    assert (full["you"], full["version"]) == (0, first.match["version"] if first.match else None)
    await told_to_move(first)

    for command, fields in HELD_COMMANDS:
        with pytest.raises(Refused) as caught:
            await first.command(command, **fields)
        assert caught.value.reason == "moved", command
    await second.move("e2e4")
    await first.wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] == 1)
    assert first.match is not None
    assert first.match["you"] == 0
    assert not any(frame["t"] == "moved" for browser in seats[1:] for frame in browser.frames)
    assert other.match is not None
    assert other.match["seats"][0]["online"]


@pytest.mark.scenario("R08")
async def test_the_first_device_takes_the_seat_back_by_joining_again(club: Club) -> None:
    table, (white, _black) = await club.seated("fog", 2)
    assert white.place is not None
    second = await club.browser(1)
    await second.join(table, white.place[2])
    await told_to_move(white)
    await white.join(table, white.place[2], version=1, epoch=0)  # what it missed, and no more
    with pytest.raises(Refused) as caught:
        await white.move("e2e4")
    assert caught.value.reason == "moved"

    await white.join(table, white.place[2])
    await told_to_move(second)
    await white.move("e2e4")
    with pytest.raises(Refused) as refused:
        await second.command("resign")
    assert refused.value.reason == "moved"


@pytest.mark.scenario("R08")
async def test_a_seat_stays_present_while_any_device_of_it_is_connected(club: Club) -> None:
    table, (white, black) = await club.seated("fog", 2)
    assert white.place is not None
    second = await club.browser(1)
    await second.join(table, white.place[2])
    await told_to_move(white)
    await second.disconnect()
    await white.join(table)
    version = (await white.move("e2e4"))["version"]
    await black.wait_for(lambda page: page.match and page.match["version"] == version)
    assert black.match is not None
    assert black.match["seats"][0]["online"]


@pytest.mark.scenario("R08")
async def test_a_reader_who_comes_back_over_a_new_connection_takes_nothing_from_who_holds_the_seat(
    club: Club,
) -> None:
    table, (white, _black) = await club.seated("fog", 2)
    assert white.place is not None
    token = white.place[2]
    second = await club.browser(1)
    await second.join(table, token)
    await told_to_move(white)
    await white.connect()  # the network was away for a moment
    assert (await white.join(table, token, version=1, epoch=0, reader=True))["seat"] == 0
    await white.wait_for(lambda page: page.frames[-1]["t"] == "full")
    with pytest.raises(Refused) as caught:
        await white.move("e2e4")
    assert caught.value.reason == "moved"
    await second.move("e2e4")
    assert not any(frame["t"] == "moved" for frame in second.frames)
    await white.join(table, token)
    await told_to_move(second)
    await white.wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] == 1)
