"""What HTTP answers: the page, cookies, headers, tables, finished matches."""

from __future__ import annotations

import asyncio
import gzip
import json
from http.cookies import SimpleCookie
from pathlib import Path

import aiohttp
import pytest
from structlog.testing import capture_logs
from yarl import URL

from tests.integration.gateway.conftest import Gateway, Little
from tests.kit.browser import Browser


@pytest.fixture
def page_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "assets" / "index-abc123.js").write_text("let x")
    (folder / "icon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("not for you")
    return folder


@pytest.mark.parametrize(
    "path", ["/", "/t/07abcdefghijklmnopqrstuvwx", "/t/07abcdefghijklmnopqrstuvwx/3", "/rules", "/rules/fog"]
)
async def test_the_page_is_the_same_everywhere_and_is_asked_for_again(
    little: Little, page_dir: Path, path: str
) -> None:
    gateway = await little.start(page_dir=page_dir)
    async with aiohttp.ClientSession() as session, session.get(gateway.url + path) as response:
        assert (response.status, response.content_type) == (200, "text/html")
        assert "<title>page</title>" in await response.text()
        assert response.headers["Cache-Control"] == "no-cache"
        again = {"If-None-Match": response.headers["ETag"]}
        async with session.get(gateway.url + path, headers=again) as second:
            assert second.status == 304


async def test_hashed_files_are_kept_for_ever_with_their_types(little: Little, page_dir: Path) -> None:
    gateway = await little.start(page_dir=page_dir)
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{gateway.url}/assets/index-abc123.js") as response:
            assert (response.status, response.content_type) == (200, "text/javascript")
            assert "immutable" in response.headers["Cache-Control"]
        async with session.get(f"{gateway.url}/icon.svg") as response:
            assert (response.content_type, response.headers["Cache-Control"]) == ("image/svg+xml", "no-cache")


async def test_a_large_file_is_packed_for_who_takes_that_and_is_the_same(
    little: Little, page_dir: Path
) -> None:
    text = "const board = 'rnbqkbnr';\n" * 500
    (page_dir / "assets" / "large-abc123.js").write_text(text)
    gateway = await little.start(page_dir=page_dir)
    url = f"{gateway.url}/assets/large-abc123.js"
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        for accepted, packed in (("gzip, br", True), ("*", True), ("identity", False), ("gzip;q=0", False)):
            async with session.get(url, headers={"Accept-Encoding": accepted}) as response:
                body = await response.read()
                assert (response.headers.get("Content-Encoding") == "gzip") == packed, accepted
                assert response.headers["Vary"] == "Accept-Encoding"
                assert (gzip.decompress(body) if packed else body).decode() == text
                assert len(body) == int(response.headers["Content-Length"])
                assert packed == (len(body) < 1_000)


@pytest.mark.parametrize(
    "path", ["/nothing.js", "/assets/../../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets"]
)
async def test_there_is_no_other_file(little: Little, page_dir: Path, path: str) -> None:
    gateway = await little.start(page_dir=page_dir)
    url = URL(gateway.url + path, encoded=True)
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        assert response.status == 404
        assert "not for you" not in await response.text()


@pytest.mark.parametrize("path", ["/nothing", "/t/", "/rules/chess", "/a/b/c"])
async def test_who_goes_to_no_page_in_a_browser_is_shown_the_page_as_not_found(
    little: Little, page_dir: Path, path: str
) -> None:
    gateway = await little.start(page_dir=page_dir)
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    async with aiohttp.ClientSession() as session:
        async with session.get(gateway.url + path, headers=browser) as response:
            assert (response.status, response.content_type) == (404, "text/html")
            assert "<title>page</title>" in await response.text()
            assert "ETag" not in response.headers
        async with session.get(gateway.url + path) as response:
            assert (response.status, response.content_type) == (404, "text/plain")
        for part in ("/assets/gone.js", "/api/nothing", "/ops/nothing"):
            async with session.get(gateway.url + part, headers=browser) as response:
                assert (response.status, response.content_type) == (404, "text/plain")


async def test_every_answer_carries_the_security_headers(gateway: Gateway) -> None:
    async with aiohttp.ClientSession() as session:
        for path in ("/", "/nothing", "/api/tables", "/api/tables/x", "/healthz"):
            async with session.get(gateway.url + path) as response:
                policy = response.headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy
                assert "frame-ancestors 'none'" in policy
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                assert response.headers["Referrer-Policy"] == "no-referrer"
                assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
                assert response.headers["X-Frame-Options"] == "DENY"
                assert response.headers["Server"] == "tandemfog"
                assert "Strict-Transport-Security" not in response.headers


async def test_a_page_that_is_not_built_says_so(gateway: Gateway) -> None:
    async with aiohttp.ClientSession() as session, session.get(gateway.url) as response:
        assert response.status == 503
        assert "The page is not built" in await response.text()


async def a_cookie(gateway: Gateway, **headers: str) -> SimpleCookie:
    async with aiohttp.ClientSession() as session, session.get(gateway.url, headers=headers) as response:
        return response.cookies


async def test_the_guests_cookie_is_signed_and_out_of_reach_of_scripts(gateway: Gateway) -> None:
    cookie = (await a_cookie(gateway))["tandemfog_guest"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["secure"]
    assert cookie.value.startswith("g1.")
    assert not await a_cookie(gateway, Cookie=f"tandemfog_guest={cookie.value}")
    forged = cookie.value[:-2] + "xx"
    assert (await a_cookie(gateway, Cookie=f"tandemfog_guest={forged}"))["tandemfog_guest"].value != forged


async def test_behind_tls_the_cookie_is_secure(little: Little) -> None:
    gateway = await little.start(behind_tls=True)
    assert (await a_cookie(gateway))["tandemfog_guest"]["secure"]
    async with aiohttp.ClientSession() as session, session.get(gateway.url) as response:
        assert response.headers["Strict-Transport-Security"] == "max-age=31536000"


async def test_tables_are_listed_and_shown(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari:
        table = (await kari.command("create_table", variant="fog", public=True))["table"]
        await kari.join(table)
        frame = dict(await kari.wait_for(lambda page: page.table))
        listed = (await kari.command("list_tables"))["tables"]
        assert json.loads((await kari.get("/api/tables"))[1]) == {"tables": listed}
        del frame["t"]
        assert json.loads((await kari.get(f"/api/tables/{table}"))[1]) == frame


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("/api/tables/nonsense", 404, "unknown_table"),
        ("/api/tables/07abcdefghijklmnopqrstuvwx", 404, "unknown_table"),
        ("/api/tables/nonsense/export", 404, "unknown_table"),
        ("/api/tables/nonsense/replay", 404, "unknown_table"),
    ],
)
async def test_errors_are_json_with_a_reason(gateway: Gateway, path: str, status: int, reason: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(gateway.url + path) as response:
        assert (response.status, response.content_type) == (status, "application/json")
        body = await response.json()
        assert body["reason"] == reason
        assert body["detail"]


@pytest.mark.scenario("F07")
@pytest.mark.parametrize("what", ["export", "replay"])
async def test_a_running_match_is_neither_exported_nor_replayed(
    gateway: Gateway, little: Little, what: str
) -> None:
    async with Browser(gateway.url) as kari:
        table = await little.started_table(kari)
        status, body = await kari.get(f"/api/tables/{table}/{what}")
        assert status == 409
        assert json.loads(body) == {"reason": "still_running", "detail": "The match is still running."}


async def test_the_gateway_is_well_when_a_browser_can_play(gateway: Gateway) -> None:
    async with Browser(gateway.url) as kari:
        async with asyncio.timeout(10):
            while await kari.get("/healthz") != (200, "ok\n"):
                await asyncio.sleep(0.02)  # it has just started: not all services have answered it yet


async def test_what_is_kept_how_long_is_told_as_the_operator_has_set_it(little: Little) -> None:
    gateway = await little.start()
    async with aiohttp.ClientSession() as session, session.get(f"{gateway.url}/api/privacy") as response:
        assert response.status == 200
        assert await response.json() == {
            "match_ms": 1_000,
            "archived": True,
            "archive_ms": None,
            "names_ms": 2_000,
            "talk_ms": 500,
            "reports_ms": 0,
        }


async def test_who_hangs_up_while_sending_is_no_failure_and_what_nobody_handles_has_a_name(
    gateway: Gateway,
) -> None:
    port = int(gateway.url.rpartition(":")[2])
    sending = b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n"
    with capture_logs() as lines:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sending + b"\r\nhalf")
        await asyncio.sleep(0.1)
        writer.transport.abort()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sending + b"Expect: nothing\r\n\r\n")
        answer = await reader.readuntil(b"\r\n\r\n")
        writer.close()
        await asyncio.sleep(0.1)
    assert answer.startswith(b"HTTP/1.1 417 ")
    assert b"\r\nx-request-id: " in answer.lower()
    assert [line for line in lines if line["event"] == "http_failed"] == []
