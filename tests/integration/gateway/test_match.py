"""Whole matches through the real services: what each browser is shown, and what it is not."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import pytest

from tests.integration.gateway.club import Club, all_at
from tests.kit.browser import Browser, Refused


@pytest.mark.rule("T-capture")
async def test_a_tandem_match_is_played_talked_and_resigned(club: Club) -> None:
    table, seats = await club.seated("tandem", 4)
    guest = await club.browser()
    await guest.join(table)
    await guest.wait_for(lambda page: page.match)
    version = 1
    for seat, uci in ((0, "e2e4"), (1, "d7d5"), (2, "d2d4"), (0, "e4d5")):
        version = (await seats[seat].move(uci))["version"]
        await all_at([*seats, guest], version)
    for browser in (*seats, guest):
        assert browser.match is not None
        assert browser.match["boards"]["B"]["hands"] == ["", "p"]
        assert browser.match["boards"]["A"]["fen"] == guest.match["boards"]["A"]["fen"]  # type: ignore[index]
        assert [move["uci"] for move in browser.match["moves"]] == ["e2e4", "d7d5", "d2d4", "e4d5"]
    with pytest.raises(Refused) as caught:
        await seats[0].move("a2a3")
    assert caught.value.reason == "not_your_turn"
    with pytest.raises(Refused) as stale:
        await seats[1].move("a7a6", ply=0)
    assert stale.value.reason == "stale"

    await seats[3].command("say", quick="need_queen")
    await seats[0].wait_for(lambda page: page.match and page.match["talk"])
    assert (await seats[0].get(f"/api/tables/{table}/export"))[0] == 409
    version = (await seats[1].command("resign"))["version"]
    await all_at([*seats, guest], version)
    for browser in (*seats, guest):
        assert browser.match is not None
        assert browser.match["result"] == {"winner": 1, "reason": "resignation"}
        assert browser.gaps == 0
    for other in (seats[1], seats[2], guest):
        assert not any("need_queen" in text for text in other.texts)
    status, text = await guest.get(f"/api/tables/{table}/export")
    assert (status, "1A. e4" in text) == (200, True)
    status, text = await guest.get(f"/api/tables/{table}/replay")
    assert (status, len(json.loads(text)["full"])) == (200, 5)


@pytest.mark.scenario("C02")
async def test_a_lost_browser_takes_its_seat_again_at_the_other_gateway(club: Club) -> None:
    table, seats = await club.seated("tandem", 4)
    await seats[3].command("say", text="come back")
    await seats[2].move("e2e4")
    await seats[0].disconnect()
    await seats[1].wait_for(lambda page: page.match and not page.match["seats"][0]["online"])
    await seats[0].connect(club.gateways[1].url)
    assert (await seats[0].join(table))["seat"] == 0
    await seats[1].wait_for(lambda page: page.match and page.match["seats"][0]["online"])
    await seats[0].wait_for(lambda page: page.match and page.match["talk"])
    await seats[0].move("e2e4")
    await all_at(seats, 3)


@pytest.mark.scenario("F06")
async def test_a_fog_game_is_hidden_until_it_is_over(club: Club) -> None:
    table, (white, black) = await club.seated("fog", 2)
    guest = await club.browser()
    second = await club.browser()
    await guest.join(table)
    await second.connect(club.gateways[0].url)
    await second.join(table)
    await guest.wait_for(lambda page: page.match)
    for browser, uci in ((white, "e2e4"), (black, "d7d5"), (white, "e4d5"), (black, "d8d5")):
        version = (await browser.move(uci))["version"]
        await all_at([white, black], version)
    assert white.match is not None
    assert black.match is not None
    assert [move["uci"] for move in white.match["moves"]] == ["e2e4", None, "e4d5", None]
    assert [move["mark"] for move in white.match["moves"]] == [None, None, None, "d5"]
    assert "q" not in white.match["boards"]["A"]["pieces"]
    await guest.wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] == 4)
    for text in guest.texts:
        frame = json.loads(text)
        if frame["t"] in ("full", "delta"):
            assert frame.get("moves", []) == []
            for board in frame.get("boards", {}).values():
                assert board["pieces"] == "?" * 64
    refusals = set()
    for uci in ("d8d5", "a1a5", "e1e8", "nonsense"):
        with pytest.raises(Refused) as caught:
            await white.move(uci)
        refusals.add(str(caught.value))
    assert len(refusals) == 1
    for what in ("export", "replay"):
        assert (await guest.get(f"/api/tables/{table}/{what}"))[0] == 409
    await black.command("resign")
    for browser in (white, black, guest):
        match = await browser.wait_for(
            lambda page: page.match if page.match and page.match["result"] else None
        )
        assert [move["uci"] for move in match["moves"]] == ["e2e4", "d7d5", "e4d5", "d8d5"]
    replay = json.loads((await guest.get(f"/api/tables/{table}/replay"))[1])
    assert [len(replay[side]) for side in ("full", "white", "black")] == [5, 5, 5]


async def agreed(browser: Browser) -> None:
    """Agrees to a rematch as soon as matchmaking has heard of the end, too."""
    async with asyncio.timeout(5):
        while True:
            with suppress(Refused):
                await browser.command("rematch", agree=True)
                return
            await asyncio.sleep(0.05)


@pytest.mark.rule("B-rematch")
async def test_a_rematch_brings_everybody_to_the_next_table_in_their_seats(club: Club) -> None:
    table, (white, black) = await club.seated("fog", 2)
    await white.move("e2e4")
    await white.command("resign")
    await black.wait_for(lambda page: page.match and page.match["result"])
    for browser in (white, black):
        await agreed(browser)
    for browser, seat in ((white, 1), (black, 0)):
        shown = await browser.wait_for(lambda page: page.table and page.table["rematch"]["next_table"])
        assert shown != table
        assert (await browser.join(str(shown)))["seat"] == seat
    for browser, seat in ((white, 1), (black, 0)):
        assert (await browser.wait_for(lambda page: page.match))["you"] == seat


@pytest.mark.rule("T-leave")
async def test_leaving_a_running_match_loses_it_and_shows_the_end(club: Club) -> None:
    _, seats = await club.seated("tandem", 4)
    for seat, uci in ((0, "e2e4"), (1, "e7e5"), (0, "d2d4"), (1, "d7d5")):
        await all_at(seats, (await seats[seat].move(uci))["version"])
    await seats[2].command("leave")
    for browser in seats:
        await browser.wait_for(lambda page: page.match and page.match["result"])
        assert browser.match is not None
        assert browser.match["result"] == {"winner": 1, "reason": "leaving"}
