"""Random and spoiled frames: each is answered exactly once, nothing breaks, and no match changes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from services.gateway import connection, frames
from tests.abuse.mutations import frame
from tests.integration.gateway.club import Club
from tests.kit.browser import Browser

BATCH = 50
SEED = 20
# Honest commands do what they say, as anybody's: of these only some may come out of the dice.
HARMLESS = (frames.Move, frames.Ping, frames.ListTables, frames.SetBot, frames.Rematch)


def does_nothing(message: str | bytes) -> bool:
    """Whether the message, taken at its word, would change nothing for a player who is not to move."""
    try:
        command = frames.read_command(message.encode() if isinstance(message, str) else message)
    except frames.BadFrame:
        return True
    except UnicodeEncodeError:
        return False
    return isinstance(message, bytes) or isinstance(command, HARMLESS)


def failures(club: Club) -> dict[str, float]:
    """What broke inside: commands that failed, connections that broke, calls that raised."""
    found: dict[str, float] = {}
    for number, gateway in enumerate(club.gateways):
        for metric in gateway.running._context.metrics.registry.collect():
            for sample in metric.samples:
                bad = sample.labels.get("outcome") in ("failed", "unavailable")
                bad = (
                    bad or sample.labels.get("reason") == "failed" or sample.labels.get("code") == "INTERNAL"
                )
                if bad and sample.value:
                    found[f"gateway {number} {sample.name} {sample.labels}"] = sample.value
    return found


async def shower(browser: Browser, dice: Random, number: int) -> Counter[str]:
    """Sends so many odd frames and sees each answered; how often by which reason ("ok" for none)."""
    sent, reasons = 0, Counter[str]()
    while sent < number:
        batch = [message for message in (frame(dice) for _ in range(BATCH)) if does_nothing(message)]
        before = answers(browser)
        for message in batch:
            await browser.send(message)
        await answered(browser, before + len(batch))
        assert answers(browser) == before + len(batch)
        sent += len(batch)
        reasons.update(str(frame.get("reason", frame["t"])) for frame in browser.frames)
        browser.frames.clear()
        browser.texts.clear()
    return reasons


async def answered(browser: Browser, due: int) -> None:
    await browser.wait_for(lambda page: answers(page) >= due, timeout_s=60)


def answers(browser: Browser) -> int:
    return sum(frame["t"] in ("ok", "error") for frame in browser.frames)


@pytest.mark.timeout(1200)
async def test_no_frame_whatever_breaks_anything_or_changes_a_match(
    club: Club, fuzz_frames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BAD_FRAMES", 10**9)
    monkeypatch.setattr(connection, "MESSAGES_BURST", 10**9)
    broken: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: broken.append(context))
    table, seats = await club.seated("tandem", 4)
    stranger, spectator = await club.browser(0), await club.browser(1)
    await spectator.join(table)
    await spectator.wait_for(lambda page: page.match)
    before = [dict(browser.match or {}) for browser in (seats[0], spectator)]
    # Nobody to move sends anything honest: Black on both boards, a spectator and a stranger.
    odd = (seats[1], seats[3], spectator, stranger)
    counts = await asyncio.gather(
        *(shower(browser, Random(SEED + number), fuzz_frames // 4) for number, browser in enumerate(odd))
    )
    reasons = sum(counts, Counter())
    print(f"{reasons.total()} frames answered: {dict(reasons.most_common())}")  # noqa: T201
    assert set(reasons) >= {
        "bad_frame",
        "unknown_frame",
        "bad_request_id",
        "bad_request",
        "ok",
        "not_your_turn",
    }
    assert not broken
    assert failures(club) == {}
    assert (seats[0].match, spectator.match) == tuple(before)
    assert (await seats[0].move("e2e4"))["version"] == before[0]["version"] + 1


async def test_a_shower_within_the_limits_ends_the_connection_and_only_that(club: Club) -> None:
    calm, dice = await club.browser(), Random(SEED)
    for _ in range(20):
        async with Browser(club.gateways[0].url) as browser:
            with suppress(ConnectionError):
                for _ in range(100):
                    await browser.send(frame(dice))
            assert await browser.wait_closed() in (4400, 4429, 1009)
        await calm.command("ping")
    assert failures(club) == {}


@pytest.mark.parametrize("seed", range(4))
async def test_no_http_request_whatever_gets_a_5xx(club: Club, seed: int) -> None:
    dice, parts = Random(seed), urlsplit(club.gateways[0].url)
    methods = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "X", "\x00")
    paths = ("/", "/ws", "/t/x", "/t/x/y", "/api/tables", "/api/tables/x", "/api/tables/x/replay", "/healthz")
    for _ in range(60):
        path = dice.choice(paths) + dice.choice(("", "/", "?a=%ff", "%00", "/../..", "#x", "é", "a" * 9000))
        headers = dice.choice(
            (
                "Host: x\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\n",
                "Sec-WebSocket-Version: 1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
                "Cookie: tandemfog_guest=g1.AAAA.x; tandemfog_guest=\xff\r\n",
                "Origin: http://[\r\n",
                "Content-Length: 5\r\n\r\nhello",
                "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                "X-Forwarded-For: " + ", ".join(["1.1.1.1"] * 200) + "\r\n",
                f"{chr(dice.randrange(1, 255))}: y\r\n",
            )
        )
        text = f"{dice.choice(methods)} {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(text.encode("latin-1", "replace"))
        writer.write_eof()
        with suppress(ConnectionError):
            answer = await asyncio.wait_for(reader.read(), 10)
            if answer:
                assert int(answer.split()[1]) < 500, (text, answer[:300])
        writer.close()
    async with Browser(club.gateways[0].url) as browser:
        assert json.loads((await browser.get("/api/tables"))[1])["tables"] == []
