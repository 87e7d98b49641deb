"""What was asked is found by one name in the logs of every service that had to do with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.kit.browser import Browser, Refused
from tests.kit.whole import Whole

Line = dict[str, Any]


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Whole]:
    async with Whole(tmp_path, {"TANDEMFOG_LOG_LEVEL": "debug"}) as whole:
        yield whole


async def line_of(whole: Whole, service: str, ending: str, event: str) -> Line:
    """The one line of that event that a service logs, perhaps only now, of the request whose name ends so."""
    async with asyncio.timeout(10):
        while True:
            found = [line for line in lines(whole, service, ending) if line["event"] == event]
            if found:
                assert len(found) == 1
                return found[0]
            await asyncio.sleep(0.02)


def lines(whole: Whole, service: str, ending: str) -> list[Line]:
    """What a service has logged of the request whose name ends so."""
    logged = (whole.var / "log" / f"{service}.log").read_text().splitlines()
    found = [json.loads(line) for line in logged if line.startswith("{")]
    return [line for line in found if str(line.get("request_id", "")).endswith(ending)]


async def started(browser: Browser) -> str:
    """A fog match with the browser on the first seat, and a bot."""
    made = await browser.command("play_now", variant="fog", seat=0)
    await browser.wait_for(lambda page: page.match)
    return str(made["table"])


async def test_a_command_is_found_in_every_service_with_its_match_and_why_it_was_refused(
    whole: Whole,
) -> None:
    async with Browser(whole.url) as kari:
        table_id = await started(kari)
        with suppress(Refused):
            await kari.move("e2e5", request_id="wrong")
        await kari.move("e2e4", request_id="right")
        assert kari.place is not None
        await kari.join(table_id, str(kari.place[2]), request_id="again")
        joined = await line_of(whole, "visibility", ".again", "join")
    refused = await line_of(whole, "game", ".wrong", "call")
    assert (refused["match_id"], refused["reason"]) == (table_id, "illegal_move")
    done = await line_of(whole, "game", ".right", "call")
    assert (done["match_id"], done["code"], "reason" in done) == (table_id, "OK", False)
    assert (joined["match_id"], joined["seated"]) == (table_id, True)
    names = {
        line["request_id"] for service in ("gateway", "game") for line in lines(whole, service, ".right")
    }
    assert len(names) == 1


async def test_what_a_browser_asks_by_http_has_a_name_that_its_answer_tells(whole: Whole) -> None:
    async with Browser(whole.url) as kari, aiohttp.ClientSession() as session:
        table_id = await started(kari)
        async with session.get(f"{whole.url}api/tables/{table_id}/replay") as answer:
            name = answer.headers["X-Request-Id"]
            assert answer.status == 409
        async with session.get(whole.url, headers={"X-Request-Id": "mine"}) as answer:
            assert answer.headers["X-Request-Id"] not in ("mine", name)
            assert len(name) == len(answer.headers["X-Request-Id"]) == 12
    asked = await line_of(whole, "gateway", name, "http")
    assert (asked["route"], asked["status"]) == ("/api/tables/{table}/replay", 409)
    answered = await line_of(whole, "visibility", name, "call")
    assert (answered["method"], answered["reason"]) == ("ReplayMatch", "still_running")
