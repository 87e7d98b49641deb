"""Limits of the gateway over real sockets: each has a name and a metric, and hits nobody else."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import tracemalloc
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from urllib.parse import urlsplit

import aiohttp
import pytest

from tests.integration.gateway.conftest import Gateway, Little
from tests.integration.gateway.test_connection import a_browser_that_never_reads, errors, until
from tests.kit.browser import Browser, Refused

HALF_OPEN = 1000
FRAMES, FRAME_BYTES = 1000, 20_000
MOST_KEPT_BYTES = 3_000_000


async def refused_websocket(gateway: Gateway, **headers: str) -> tuple[int, str]:
    """Status and reason with which a websocket is refused."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(
            f"{gateway.url}/ws",
            headers={
                "Upgrade": "websocket",
                "Connection": "Upgrade",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
                "Sec-WebSocket-Version": "13",
                **headers,
            },
        ) as response,
    ):
        return response.status, (await response.json())["reason"]


async def test_an_address_opens_so_many_websockets_and_no_more(little: Little) -> None:
    gateway = await little.start(connections_per_address=3)
    async with AsyncExitStack() as stack:
        browsers = [await stack.enter_async_context(Browser(gateway.url)) for _ in range(3)]
        assert await refused_websocket(gateway) == (429, "too_many_connections")
        assert gateway.metric("limited_total", limit="address_connections") == 1
        for browser in browsers:
            await browser.command("ping")
        await browsers[0].disconnect()
        await until(lambda: gateway.metric("connections") == 2)
        async with Browser(gateway.url) as another:
            await another.command("ping")


async def test_behind_a_proxy_the_address_in_its_header_counts(little: Little) -> None:
    gateway = await little.start(connections_per_address=1, trusted_proxies="127.0.0.0/8")
    async with aiohttp.ClientSession() as session:
        url = f"{gateway.url}/ws"
        async with session.ws_connect(url, headers={"X-Forwarded-For": "203.0.113.7"}):
            for chain in ("203.0.113.7", "192.0.2.1, 203.0.113.7"):
                assert await refused_websocket(gateway, **{"X-Forwarded-For": chain}) == (
                    429,
                    "too_many_connections",
                )
            async with session.ws_connect(url, headers={"X-Forwarded-For": "203.0.113.8"}) as other:
                await other.send_str('{"t": "ping", "id": "p"}')
                assert json.loads((await other.receive()).data) == {"t": "ok", "id": "p"}


async def test_an_address_that_talks_too_fast_is_refused_whatever_its_number_of_connections(
    little: Little,
) -> None:
    gateway = await little.start(messages_per_address_s=10)
    async with AsyncExitStack() as stack:
        browsers = [await stack.enter_async_context(Browser(gateway.url)) for _ in range(3)]
        for number in range(20):
            for browser in browsers:
                await browser.send(json.dumps({"t": "ping", "id": f"p{number}"}))
        for browser in browsers:
            await browser.wait_for(lambda page: len(page.frames) == 20)
            assert browser.close_code is None  # it may be a neighbour's fault
        refused = [error for browser in browsers for error in errors(browser)]
        assert 20 <= len(refused) < 60
        assert {reason for _, reason in refused} == {"too_fast"}
        status, body = await browsers[0].get("/api/tables")
        assert (status, json.loads(body)["reason"]) == (429, "too_fast")
        assert gateway.metric("limited_total", limit="address_rate") >= 21


async def test_a_guest_makes_so_many_tables_and_then_waits(little: Little) -> None:
    gateway = await little.start(tables_per_guest=3, table_every_ms=500)
    async with Browser(gateway.url) as kari, Browser(gateway.url) as ola:
        for _ in range(2):
            await kari.command("create_table", variant="tandem")
        await kari.command("play_now", variant="fog")
        for command in ("create_table", "play_now"):
            with pytest.raises(Refused) as caught:
                await kari.command(command, variant="tandem", request_id=f"more-{command}")
            assert caught.value.reason == "too_many_tables"
        assert gateway.metric("limited_total", limit="guest_tables") == 2
        await ola.command("create_table", variant="tandem")
        async with asyncio.timeout(5):
            while True:  # the same request is no answer to keep: it is tried anew
                with suppress(Refused):
                    await kari.command("create_table", variant="tandem", request_id="more-create_table")
                    break
                await asyncio.sleep(0.05)


async def test_who_comes_as_ever_new_guests_makes_only_so_many_tables_of_an_address(little: Little) -> None:
    gateway = await little.start(tables_per_address=3, address_table_every_ms=600_000)

    async def make(number: int) -> str:
        async with Browser(gateway.url) as guest:
            try:
                await guest.command("play_now" if number % 2 else "create_table", variant="fog")
            except Refused as refused:
                return refused.reason
        return "made"

    assert [await make(number) for number in range(5)] == ["made"] * 3 + ["too_many_tables"] * 2
    assert gateway.metric("limited_total", limit="address_tables") == 2


@pytest.mark.parametrize(
    ("first", "flood", "metric", "labels"),
    [
        (b"", b"\x8a\x80mask", "closed_total", {"reason": "too_fast"}),
        (b"\x01\x80mask", b"\x00\x80mask", "limited_total", {"limit": "connection_bytes"}),
    ],
    ids=["pongs", "pieces"],
)
async def test_a_flood_of_pongs_or_of_pieces_without_end_is_cut_off(
    little: Little, first: bytes, flood: bytes, metric: str, labels: dict[str, str]
) -> None:
    """aiohttp tells of no empty piece of a message, and a pong is no message: who is short of time floods."""
    gateway = await little.start()
    address = urlsplit(gateway.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.write(first)
    sent = 0
    with suppress(ConnectionError):
        async with asyncio.timeout(20):
            while not reader.at_eof():
                writer.write(flood * 500)
                sent += len(flood) * 500
                await writer.drain()
                await asyncio.sleep(0)
    writer.close()
    assert sent < 1_500_000
    assert gateway.metric(metric, **labels) == 1
    async with Browser(gateway.url) as other:
        await other.command("ping")


async def test_a_message_nested_without_end_is_a_bad_frame(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari:
        for deep in ("[" * 4000, '{"t":' * 800, '{"t": "ping", "id": "p", "x": ' + "[" * 3900):
            await kari.send(deep)
        await kari.wait_for(lambda page: len(page.frames) == 3)
        assert {reason for _, reason in errors(kari)} == {"bad_frame"}
        await kari.command("ping")


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """Room for both ends of a thousand sockets in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 3 * HALF_OPEN if hard == resource.RLIM_INFINITY else min(3 * HALF_OPEN, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_descriptors")
async def test_a_thousand_half_open_sockets_cost_nobody_anything_and_are_closed(little: Little) -> None:
    gateway = await little.start(first_request_ms=3_000)
    parts, loop = urlsplit(gateway.url), asyncio.get_running_loop()
    peers: list[socket.socket] = []
    async with Browser(gateway.url) as kari:
        try:
            for number in range(HALF_OPEN):
                peer = socket.socket()
                peer.setblocking(False)
                peers.append(peer)
                await loop.sock_connect(peer, (parts.hostname, parts.port))
                if number % 2:  # a header that never ends
                    await loop.sock_sendall(peer, b"GET /ws HTTP/1.1\r\nHost: x\r\nX-Slow: ")
            began_s = loop.time()
            await kari.command("ping")
            async with Browser(gateway.url) as ola:
                await ola.command("list_tables")
            assert loop.time() - began_s < 2.0
            await until(
                lambda: gateway.metric("limited_total", limit="first_request") == HALF_OPEN, timeout_s=20
            )
            for peer in peers:
                with suppress(ConnectionResetError):
                    assert await asyncio.wait_for(loop.sock_recv(peer, 1), 5) == b""
            await kari.command("ping")
        finally:
            for peer in peers:
                peer.close()


async def test_a_browser_that_never_reads_costs_bounded_memory(little: Little) -> None:
    """Twenty megabytes pass by it; what is kept of them is its 32 frames and the kernel's buffers."""
    gateway = await little.start(stuck_ms=60_000)
    async with Browser(gateway.url) as kari:
        table = await little.started_table(kari)
        joins = len(little.view.joins)
        peer = await a_browser_that_never_reads(gateway, json.dumps({"t": "join", "id": "j", "table": table}))
        await until(lambda: len(little.view.joins) > joins)
        little.view.padding = "x" * FRAME_BYTES
        with peer:
            tracemalloc.start()
            try:
                before = tracemalloc.get_traced_memory()[0]
                for _ in range(FRAMES):
                    little.view.change()
                    await kari.wait_for(
                        lambda page: page.match and page.match["version"] == little.view.version
                    )
                    # What kari keeps of it is the test's own.
                    kari.texts.clear()
                    kari.frames.clear()
                    assert kari.match is not None
                    kari.match["moves"].clear()
                kept = tracemalloc.get_traced_memory()[0] - before
            finally:
                tracemalloc.stop()
        assert kept < MOST_KEPT_BYTES, f"{kept} bytes"
        assert kari.gaps == 0
