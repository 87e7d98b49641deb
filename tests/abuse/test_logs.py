"""A whole run, with debug logs, through everything that knows a secret: no log has any of them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from tests.abuse.odd_http import answers_to_odd
from tests.kit.browser import Browser, Refused
from tests.kit.whole import Whole

ENVIRONMENT = {"TANDEMFOG_LOG_LEVEL": "debug", "TANDEMFOG_BOTS_PACE": "0"}
SHORTEST = 8
"""Shorter pieces of a token (a seat's number, say) are in every log, and no secret."""


async def run(whole: Whole) -> set[str]:
    """Lets people and bots play, lose connections, be refused and be cut off; what must stay secret of it."""
    secrets = set()
    async with Browser(whole.url) as kari, Browser(whole.url) as ola:
        made = await kari.command("create_table", variant="fog")
        for seat, browser in enumerate((kari, ola)):
            await browser.command("take_seat", table=made["table"], seat=seat, name=f"Player {seat}")
        for browser in (kari, ola):
            await browser.wait_for(lambda page: page.match)
        await kari.move("e2e4")
        assert kari.place is not None
        token = str(kari.place[2])
        for wrong in (token[:-1] + "x", token.replace(".0.", ".1.", 1), "t1.nonsense"):
            await ola.command("join", table=made["table"], token=wrong)
        with suppress(Refused):
            await ola.command("move", board="A", ply=0, uci="e7e5 " + token)
        for message in ("nonsense " + token, f'{{"t": "join", "id": "j", "token": ["{token}"]}}', b"\x00"):
            await ola.send(message)
        await kari.disconnect()
        await kari.connect()
        await kari.join(made["table"], token)
        await kari.command("resign")
        async with Browser(whole.url) as solo:
            await solo.command("play_now", variant="tandem", seat=0)
            await solo.wait_for(lambda page: page.match and len(page.match["moves"]) >= 4, 30)
            assert solo.place is not None
            secrets.add(str(solo.place[2]))
        cookies = {cookie.value for browser in (kari, ola) for cookie in browser.cookies}
        secrets |= {token, *cookies}
        async with aiohttp.ClientSession() as session:  # a forged cookie, and a secret in an address
            cookie = f"tandemfog_guest={next(iter(cookies))}x"
            await session.get(f"{whole.url}?token={token}", headers={"Cookie": cookie})
            await session.get(f"{whole.url}api/tables/{token}")
        for secret in (token, next(iter(cookies))):  # and what is hardly HTTP
            answers = await answers_to_odd(whole.url, secret)
            assert sum(answer is not None and answer.status == 400 for answer in answers.values()) > 20
    for service in ("game", "visibility"):  # what a crash and those who see it have to say
        whole.kill(service)
    async with Browser(whole.url) as guest:
        async with asyncio.timeout(60):
            while True:
                with suppress(Refused):
                    await guest.command("play_now", variant="fog", level=1)
                    break
        await guest.wait_for(lambda page: page.match, 30)
    for name in ("secret", "session-secret"):
        secrets.add((whole.var / name).read_text().strip())
    password = urlsplit(whole.processes["store"]["url"]).password
    assert password
    return secrets | {password}


@pytest.mark.timeout(240)
async def test_no_log_of_a_whole_run_has_a_token_a_cookie_or_a_secret(tmp_path: Path) -> None:
    async with Whole(tmp_path, ENVIRONMENT) as whole:
        secrets = await run(whole)
    # A signature alone would do for a thief, so the pieces count, too; a table's id is in logs by design.
    signatures = {text.rpartition(".")[2] for text in secrets if "." in text}
    assert len(secrets) >= 6
    assert all(len(signature) >= SHORTEST for signature in signatures)
    logs = sorted((tmp_path / "log").iterdir())
    assert {log.stem for log in logs} >= {"game", "gateway", "matchmaking", "visibility", "bots", "launcher"}
    for log in logs:
        text = log.read_text(errors="replace")
        assert text or log.stem == "store"
        for secret in secrets | signatures:
            assert secret not in text, f"{log.name} has a secret"
