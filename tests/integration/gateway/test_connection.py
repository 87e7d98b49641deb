"""One websocket's bounds: bad frames, floods, silence, slowness, goodbyes. Others never feel any of it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

from libs.runtime.refusals import Refusal
from services.gateway import answers, views
from services.gateway.outbox import MATCH_FRAMES
from tests.integration.gateway.conftest import Gateway, Little
from tests.kit.browser import Browser, Refused

PING = '{"t": "ping", "id": "p%d"}'


def errors(browser: Browser) -> list[tuple[str | None, str]]:
    return [(frame["id"], frame["reason"]) for frame in browser.frames if frame["t"] == "error"]


async def test_bad_frames_are_answered_by_name_and_then_closed(gateway: Gateway) -> None:
    async with Browser(gateway.url) as bad, Browser(gateway.url) as good:
        for message in (
            "nonsense",
            "[]",
            '{"t": "flag", "id": "c1"}',
            b"\x00",
            '{"t": "ping", "id": "p", "x": 1}',
        ):
            assert bad.close_code is None
            await bad.send(message)
        assert await bad.wait_closed() == 4400
        assert errors(bad) == [
            (None, "bad_frame"),
            (None, "bad_frame"),
            ("c1", "unknown_frame"),
            (None, "bad_frame"),
            ("p", "bad_request"),
        ]
        assert bad.frames[-1] == {"t": "bye", "reason": "bad_frames"}
        await good.command("ping")
        assert gateway.metric("bad_frames_total", reason="unknown_frame") == 1


async def test_a_large_message_is_refused_and_a_huge_one_ends_the_connection(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari:
        await kari.send("x" * 5000)
        await kari.wait_for(lambda page: page.frames)
        assert errors(kari) == [(None, "frame_too_large")]
        await kari.command("ping")
        await kari.send("x" * 100_000)
        assert await kari.wait_closed() == 1009


async def test_too_many_messages_are_refused_and_going_on_closes(gateway: Gateway) -> None:
    async with Browser(gateway.url) as fast, Browser(gateway.url) as calm:
        for number in range(70):
            await fast.send(PING % number)
        await fast.wait_for(lambda page: len(page.frames) == 70)
        assert 1 <= len(errors(fast)) <= 10
        assert {reason for _, reason in errors(fast)} == {"too_fast"}
        with suppress(ConnectionError, aiohttp.ClientError):
            for number in range(70, 2000):
                await fast.send(PING % number)
        assert await fast.wait_closed() == 4429
        assert fast.frames[-1] == {"t": "bye", "reason": "too_fast"}
        await calm.command("ping")


async def test_pings_of_the_websocket_itself_are_no_way_round_the_limit(gateway: Gateway) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{gateway.url}/ws") as websocket:
        with suppress(ConnectionError, aiohttp.ClientError):
            for _ in range(1000):
                await websocket.ping()
        bye = await websocket.receive()
        assert json.loads(bye.data) == {"t": "bye", "reason": "too_fast"}
        await websocket.receive()
        assert websocket.close_code == 4429


async def test_every_command_is_answered_exactly_once_and_in_order(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        seen = len(kari.frames)
        little.game.held.clear()
        move = {"t": "move", "id": "m", "board": "A", "ply": 0, "uci": "e2e4"}
        for message in (move, {"t": "ping", "id": "p"}, {"t": "resign", "id": "r"}):
            await kari.send(json.dumps(message))
        little.game.held.set()
        await kari.wait_for(lambda page: len(page.frames) == seen + 3)
        assert [frame["id"] for frame in kari.frames[seen:]] == ["m", "p", "r"]


async def test_commands_that_do_not_fit_into_the_line_are_busy_and_the_reader_goes_on(
    gateway: Gateway, little: Little, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "WAITING", 32)
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        seen = len(kari.frames)
        little.game.held.clear()
        await kari.send('{"t": "resign", "id": "r"}')
        for number in range(50):
            await kari.send(PING % number)
        await kari.wait_for(lambda page: len(errors(page)) >= 17)
        little.game.held.set()
        await kari.wait_for(lambda page: len(page.frames) == seen + 51)
        assert {reason for _, reason in errors(kari)} == {"busy"}


async def test_a_refusal_of_game_reaches_the_sender_untouched(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        for refusal in (
            Refusal("illegal_move"),
            Refusal("not_your_turn"),
            Refusal("busy"),
            Refusal("unconfirmed"),
        ):
            little.game.refusal = refusal
            with pytest.raises(Refused) as caught:
                await kari.move("e2e4")
            assert (caught.value.reason, caught.value.detail) == (refusal.reason, refusal.detail)


@pytest.mark.scenario("T14")
async def test_a_repeated_move_carries_its_id_to_game_which_knows_it(
    gateway: Gateway, little: Little
) -> None:
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        move: dict[str, Any] = {"board": "A", "ply": 0, "uci": "e2e4"}
        first = await kari.command("move", request_id="m1", **move)
        again = await kari.command("move", request_id="m1", **move)
        assert first == {"t": "ok", "id": "m1", "version": 7}
        assert again == {**first, "duplicate": True}
        assert [(act.request_id, act.move.uci) for act in little.game.acts] == [("m1", "e2e4")] * 2


async def test_words_for_the_partner_are_checked_and_passed_on(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        await kari.command("say", quick="need_knight")
        await kari.command("say", text="å" * 200)
        wrong: tuple[tuple[dict[str, Any], str], ...] = (
            ({"text": "x" * 201}, "text_too_long"),
            ({"quick": "hello"}, "bad_request"),
            ({"quick": "sit", "text": "x"}, "bad_request"),
            ({}, "bad_request"),
        )
        for fields, reason in wrong:
            with pytest.raises(Refused) as caught:
                await kari.command("say", **fields)
            assert caught.value.reason == reason
        assert [(talk.quick, talk.text) for talk in little.game.talks] == [(2, ""), (0, "å" * 200)]


@pytest.mark.scenario("R01")
async def test_a_version_gap_makes_the_browser_join_again_and_take_a_full_view(
    gateway: Gateway, little: Little
) -> None:
    async with Browser(gateway.url) as kari:
        await little.started_table(kari)
        little.view.version += 1
        little.view.change()
        await kari.wait_for(lambda page: page.gaps and page.match and page.match["version"] == 3)
        little.view.change()
        await kari.wait_for(lambda page: page.match and page.match["version"] == 4)
        assert kari.gaps == 1


async def test_a_browser_that_falls_behind_gets_one_full_view_and_no_gap(
    gateway: Gateway, little: Little
) -> None:
    async with Browser(gateway.url) as kari, Browser(gateway.url) as ola:
        await ola.join(await little.started_table(kari))
        await ola.wait_for(lambda page: page.match)
        joins = len(little.view.joins)
        for _ in range(3 * MATCH_FRAMES):
            little.view.change()
        last = little.view.version
        for browser in (kari, ola):
            await browser.wait_for(lambda page: page.match and page.match["version"] == last)
            assert browser.gaps == 0
        assert len(little.view.joins) == joins + 2
        assert gateway.metric("outbox_overflows_total") == 2


async def a_browser_that_never_reads(gateway: Gateway, message: str) -> socket.socket:
    """A connection that has sent one message and whose answers nobody takes."""
    parts = urlsplit(gateway.url)
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(peer, (parts.hostname, parts.port))
    await loop.sock_sendall(
        peer,
        f"GET /ws HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode(),
    )
    assert b"101" in await loop.sock_recv(peer, 1024)
    body = message.encode()
    assert len(body) < 126
    await loop.sock_sendall(peer, bytes([0x81, 0x80 | len(body), 0, 0, 0, 0]) + body)
    return peer


async def until(condition: Callable[[], object], timeout_s: float = 10.0) -> None:
    """Waits for a condition that no frame announces."""
    async with asyncio.timeout(timeout_s):
        while not condition():
            await asyncio.sleep(0.01)


async def test_a_browser_that_never_reads_is_cut_off_and_nobody_else_misses_a_frame(little: Little) -> None:
    gateway = await little.start(stuck_ms=500)
    async with Browser(gateway.url) as kari:
        table = await little.started_table(kari)
        joins = len(little.view.joins)
        peer = await a_browser_that_never_reads(gateway, json.dumps({"t": "join", "id": "j", "table": table}))
        await until(lambda: len(little.view.joins) > joins)
        little.view.padding = "x" * 20_000
        with peer:
            for _ in range(200):
                little.view.change()
                await kari.wait_for(lambda page: page.match and page.match["version"] == little.view.version)
            await until(lambda: gateway.metric("closed_total", reason="too_slow") == 1)
        assert kari.gaps == 0
        assert gateway.metric("outbox_overflows_total") >= 1
        await until(lambda: gateway.metric("connections") == 1)


@pytest.mark.scenario("R06")
async def test_a_silent_browser_is_noticed_and_its_seat_reported(little: Little) -> None:
    gateway = await little.start(ping_every_ms=200, silence_ms=700)
    async with Browser(gateway.url) as kari, Browser(gateway.url) as ola:
        table = await little.started_table(kari)
        await until(lambda: little.game.connections(table, 0) == 1)
        kari.drop()
        await until(lambda: little.game.connections(table, 0) == 0)
        assert gateway.metric("closed_total", reason="silent") == 1
        await ola.command("ping")  # whoever answers pings is not silent


async def test_draining_says_goodbye_and_takes_no_more(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari:
        table = await little.started_table(kari)
        await until(lambda: little.game.connections(table, 0) == 1)
        began = asyncio.get_running_loop().time()
        draining = asyncio.create_task(little.gateways.aclose())
        assert await kari.wait_closed() == 1001
        assert kari.frames[-1] == {"t": "bye", "reason": "draining"}
        await draining
        assert asyncio.get_running_loop().time() - began < 3
        # Who changes gateways is not offline.
        assert little.game.connections(table, 0) == 1
        with pytest.raises(aiohttp.ClientError):
            await kari.connect()


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://{host}", True),
        ("https://{host}", True),
        ("https://play.example", True),
        ("https://evil.example", False),
        ("http://{host}.evil.example", False),
        ("null", False),
        ("http://[", False),
        ("http://a]b", False),
    ],
)
async def test_only_our_own_pages_may_open_a_websocket(
    little: Little, origin: str | None, allowed: bool
) -> None:
    gateway = await little.start(extra_origins="https://play.example, https://other.example")
    headers = {} if origin is None else {"Origin": origin.format(host=urlsplit(gateway.url).netloc)}
    async with aiohttp.ClientSession() as session:
        if allowed:
            async with session.ws_connect(f"{gateway.url}/ws", headers=headers) as websocket:
                assert not websocket.closed
        else:
            with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
                await session.ws_connect(f"{gateway.url}/ws", headers=headers)
            assert caught.value.status == 403


async def test_nothing_is_compressed(gateway: Gateway) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{gateway.url}/ws", compress=15) as websocket,
    ):
        assert not websocket.compress


async def test_a_match_that_stays_unknown_is_said_so(
    gateway: Gateway, little: Little, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "UNKNOWN_RETRIES", 3)
    little.view.refuses = "unknown_match"
    async with Browser(gateway.url) as kari:
        await kari.command("play_now", variant="tandem")
        await kari.wait_for(errors)
        assert errors(kari) == [(None, "unknown_match")]
        assert len(little.view.joins) == 4


async def test_a_match_that_is_not_known_yet_is_asked_for_again(gateway: Gateway, little: Little) -> None:
    little.view.refuses = "unknown_match"
    async with Browser(gateway.url) as kari:
        await kari.command("play_now", variant="tandem")
        await until(lambda: len(little.view.joins) >= 2)
        little.view.refuses = ""
        await kari.wait_for(lambda page: page.match)
        assert errors(kari) == []


async def test_talk_is_passed_on_to_whom_visibility_names(gateway: Gateway, little: Little) -> None:
    async with Browser(gateway.url) as kari, Browser(gateway.url) as stranger:
        table = await little.started_table(kari)
        await stranger.join(table)
        await stranger.wait_for(lambda page: page.match)
        little.view.say(1, "hello")
        little.view.change()
        await kari.wait_for(lambda page: page.match and page.match["talk"])
        await stranger.wait_for(lambda page: page.match and page.match["version"] == 2)
        assert not any("hello" in text for text in stranger.texts)
