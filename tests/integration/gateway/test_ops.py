"""The operator's page: nothing without a token, and each act seen by those whom it concerns and on record."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from tests.kit.backend import Backend, backend
from tests.kit.browser import Browser
from tests.kit.hang import hung
from tests.kit.valkey import running_valkey

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN, OTHER = "k" * 40, "s" * 40
BEARER = {"Authorization": f"Bearer {TOKEN}"}
ADDRESS = {"X-Forwarded-For": "203.0.113.7"}
PAGES = ("/ops", "/ops/reports")
ACTS = ("announce", "withdraw", "close", "block", "unblock")


def tokens(folder: Path) -> Path:
    path = folder / "operators"
    path.write_text(f"# who has which\nkari {TOKEN}\nola {OTHER}\n")
    path.chmod(0o600)
    return path


@dataclass
class Desk:
    """An operator's browser at one gateway, and the services."""

    services: Backend
    session: aiohttp.ClientSession
    url: str

    async def get(self, path: str, **options: object) -> tuple[int, str]:
        async with self.session.get(self.url + path, **options) as answer:  # type: ignore[arg-type]
            return answer.status, await answer.text()

    async def post(self, path: str, *, follow: bool = True, **options: object) -> tuple[int, str]:
        async with self.session.post(self.url + path, allow_redirects=follow, **options) as answer:  # type: ignore[arg-type]
            return answer.status, await answer.text()

    async def sign_in(self) -> str:
        """Signs in by the form; the key that the page's forms carry."""
        status, text = await self.post("/ops/sign-in", data={"token": TOKEN})
        assert status == 200
        found = re.search(r'name="form" value="(\w+)"', text)
        assert found
        return found[1]

    async def acts(self) -> str:
        """The list of what operators have done."""
        return (await self.get("/ops", headers=BEARER))[1].partition("What operators have done")[2]

    async def until_shown(self, words: str) -> str:
        async with asyncio.timeout(10):
            while words not in (text := (await self.get("/ops", headers=BEARER))[1]):
                await asyncio.sleep(0.1)
        return text


@asynccontextmanager
async def desk_of(services: Backend, gateway: int = 0) -> AsyncIterator[Desk]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield Desk(services, session, services.urls[gateway])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def services(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Backend]:
    """One start for all tests of this file."""
    folder = tmp_path_factory.mktemp("ops")
    settings = {"ops_token_file": tokens(folder), "trusted_proxies": "127.0.0.1"}
    with running_valkey(folder / "store") as store:
        async with backend(store.url, folder, gateway=settings) as services:
            yield services


@pytest_asyncio.fixture(loop_scope="module")
async def desk(services: Backend) -> AsyncIterator[Desk]:
    async with desk_of(services) as desk:
        yield desk


async def test_without_the_setting_there_is_no_such_page(valkey_url: str, tmp_path: Path) -> None:
    async with backend(valkey_url, tmp_path) as services, desk_of(services) as desk:
        nothing = await desk.get("/no/such/page", headers=BEARER)
        for path in PAGES:
            assert await desk.get(path, headers=BEARER) == nothing
        for act in ("sign-in", *ACTS):
            status, _ = await desk.post(f"/ops/{act}", data={"token": TOKEN}, headers=BEARER)
            assert status in (404, 405)


async def test_without_the_token_nothing_is_told_and_nothing_done(desk: Desk) -> None:
    before = await desk.acts()
    status, asked = await desk.get("/ops")
    assert status == 401
    said = re.sub(r"<style>.*</style>|<[^>]*>", " ", asked, flags=re.DOTALL)
    assert said.split() == ["Operator", "Operator", "Token", "Sign", "in"]
    for path in PAGES:
        assert await desk.get(path) == (401, asked)
        assert await desk.get(path, cookies={"tandemfog_operator": "kari.9999999999.00"}) == (401, asked)
    for act in ACTS:
        assert await desk.post(f"/ops/{act}", data={"in_minutes": "5", "form": "x"}) == (401, asked)
    assert await desk.acts() == before


OTHERS = {"X-Forwarded-For": "203.0.113.99"}


async def test_a_wrong_token_may_be_tried_five_times_and_then_not_even_the_right_one(desk: Desk) -> None:
    with capture_logs() as lines:
        for number in range(5):
            wrong = {"token": "x" * 40 + str(number)}
            status, text = await desk.post("/ops/sign-in", data=wrong, headers=OTHERS)
            assert status == 403
            assert "not valid" in text
    told = [line for line in lines if line["event"] == "operator_token_wrong"]
    assert [line["address"] for line in told] == ["203.0.113.99"] * 5
    assert "xxxxx" not in str(lines)
    for _ in range(2):
        status, text = await desk.post("/ops/sign-in", data={"token": TOKEN}, headers=OTHERS)
        assert status == 429
        assert (await desk.get("/ops", headers={**BEARER, **OTHERS}))[0] == 429
    assert (await desk.get("/ops", headers=BEARER))[0] == 200  # from elsewhere


@pytest.mark.parametrize("number", range(6))
async def test_bytes_that_are_no_text_are_a_wrong_token_like_any_other(desk: Desk, number: int) -> None:
    """Nothing fails of them, and none is tried more often than another."""
    form, coded = b"application/x-www-form-urlencoded", b"application/x-www-form-urlencoded; charset="
    body, head = (
        (b"", b"Authorization: Bearer \xff\xfe\r\n"),
        (b"", "Authorization: bearer \u00f8\r\n".encode()),
        (b"token=\xff", b"Content-Type: " + form + b"\r\n"),
        (b"token=\\ud800", b"Content-Type: " + coded + b"unicode_escape\r\n"),
        (b"token=x", b"Content-Type: " + coded + b"nonsense\r\n"),
        (b"token=x", b"Content-Type: multipart/form-data\r\n"),
    )[number]
    line = b"POST /ops/sign-in HTTP/1.1\r\n" if body else b"GET /ops HTTP/1.1\r\n"
    head += f"X-Forwarded-For: 203.0.113.{110 + number}\r\nContent-Length: {len(body)}\r\n".encode()
    with capture_logs() as lines:
        answers = [await raw_answer(desk.url, line + head, body) for _ in range(6)]
    assert [answer.split()[1] for answer in answers] == [b"403"] * 5 + [b"429"]
    assert [line["event"] for line in lines if line["log_level"] in ("warning", "error")] == [
        "operator_token_wrong"
    ] * 5


async def test_a_cookie_whose_bytes_are_no_text_is_no_cookie_of_ours(desk: Desk) -> None:
    for cookie in (b"kari.9999999999.\xff", b"\xff.9999999999.00", "kari.9999999999.\u00f8".encode()):
        head = b"GET /ops HTTP/1.1\r\nCookie: tandemfog_operator=" + cookie + b"\r\n"
        assert (await raw_answer(desk.url, head)).split()[1] == b"401"


async def raw_answer(url: str, head: bytes, body: bytes = b"") -> bytes:
    """The first line of the answer to a request that no client would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    try:
        writer.write(head + b"Host: x\r\nConnection: close\r\n\r\n" + body)
        return await reader.readline()
    finally:
        writer.close()


async def test_the_word_before_a_programs_token_may_be_written_in_any_letters(desk: Desk) -> None:
    for word in ("Bearer", "bearer", "BEARER"):
        assert (await desk.get("/ops", headers={"Authorization": f"{word} {TOKEN}"}))[0] == 200
    assert (await desk.get("/ops", headers={"Authorization": f"Basic {TOKEN}"}))[0] == 401


async def test_the_page_has_the_headers_of_all_pages_and_a_cookie_no_other_site_can_use(desk: Desk) -> None:
    async with desk.session.post(
        f"{desk.url}/ops/sign-in", data={"token": TOKEN}, allow_redirects=False
    ) as answer:
        cookie = answer.headers["Set-Cookie"]
    assert TOKEN not in cookie
    for part in ("HttpOnly", "SameSite=Strict", "Path=/ops"):
        assert part in cookie
    async with desk.session.get(f"{desk.url}/ops") as answer:
        assert answer.status == 200
        assert answer.headers["Cache-Control"] == "no-store"
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


async def test_a_form_of_another_page_does_nothing_and_signing_out_ends_it(desk: Desk) -> None:
    key = await desk.sign_in()
    for form in ({}, {"form": "0" * 64}, {"form": ""}):
        assert (await desk.post("/ops/announce", data={"in_minutes": "5", **form}))[0] == 403
    assert "announced for" not in (await desk.get("/ops"))[1]
    status, text = await desk.post("/ops/announce", data={"in_minutes": "5", "form": key})
    assert status == 200
    assert "The restart is announced." in text
    assert (await desk.post("/ops/withdraw", data={"form": key}))[0] == 200
    await desk.post("/ops/sign-out")
    assert (await desk.get("/ops"))[0] == 401


async def test_a_restart_is_announced_to_all_pages_at_all_gateways_and_taken_back(desk: Desk) -> None:
    async with Browser(desk.services.urls[0]) as here, Browser(desk.services.urls[1]) as there:
        assert await desk.post("/ops/announce", data={"in_minutes": "10"}, headers=BEARER) == (200, "done\n")
        for browser in (here, there):
            frame = await browser.wait_for(announced)
            assert frame["what"] == "restart"
            assert 590_000 < frame["in_ms"] <= 600_000
        async with Browser(desk.services.urls[1]) as late:
            assert (await late.wait_for(announced))["what"] == "restart"
        await desk.post("/ops/withdraw", headers=BEARER)
        for browser in (here, there):
            await browser.wait_for(lambda page: announced(page)["what"] == "")
    text = (await desk.get("/ops", headers=BEARER))[1]
    assert "<td>kari</td><td>withdraw</td>" in text
    assert "<td>kari</td><td>announce</td><td></td><td>in 600 s</td>" in text


def announced(page: Browser) -> dict[str, Any]:
    return next((frame for frame in reversed(page.frames) if frame["t"] == "announcement"), {})


async def test_a_running_match_is_closed_without_a_result_and_its_players_are_told(desk: Desk) -> None:
    async with AsyncExitStack() as stack:
        players = await desk.services.match(stack)
        await players[0].move("e2e4")
        table = players[0].place[0] if players[0].place else ""
        words = "they <b>shout</b>"
        form = {"table": f"https://play.example/t/{table}", "words": words}
        assert (await desk.post("/ops/close", data=form, headers=BEARER))[0] == 200
        for player in players:
            await player.wait_for(
                lambda page: page.match and page.match["result"] == {"winner": None, "reason": "closed"}
            )
        status, answer = await desk.post("/ops/close", data=form, headers=BEARER)
        assert status == 409
        assert "over" in answer
    text = (await desk.get("/ops", headers=BEARER))[1]
    assert f"<td>kari</td><td>close</td><td>{table}</td><td>they &lt;b&gt;shout&lt;/b&gt;</td>" in text
    assert "not done: over" in text


async def test_a_table_before_its_start_is_closed_and_says_why(desk: Desk) -> None:
    async with Browser(desk.url) as browser:
        table = (await browser.command("create_table", variant="fog"))["table"]
        await browser.command("take_seat", table=table, seat=0, name="Kari")
        seats_link = f"https://play.example/t/{table}/1?from=a#b"
        await desk.post("/ops/close", data={"table": seats_link}, headers=BEARER)
        frame = await browser.wait_for(
            lambda page: page.table and page.table["state"] == "closed" and page.table
        )
        assert frame["closed_reason"] == "closed_by_operator"
        assert (await desk.post("/ops/close", data={"table": "nonsense"}, headers=BEARER))[0] == 404


async def test_a_blocked_address_is_cut_off_everywhere_and_free_again_when_it_is_over(desk: Desk) -> None:
    there = desk.services.urls[1]
    async with aiohttp.ClientSession() as visitor:
        async with visitor.ws_connect(f"{there}/ws", headers=ADDRESS) as websocket:
            form = {"address": "203.0.113.7", "hours": "2", "words": "floods"}
            assert (await desk.post("/ops/block", data=form, headers=BEARER))[0] == 200
            async with asyncio.timeout(10):
                message = await websocket.receive_json()
                assert message == {"t": "bye", "reason": "blocked"}
                await websocket.receive()
                assert websocket.close_code == 4403
        for path in ("/", "/api/tables"):
            async with visitor.get(there + path, headers=ADDRESS) as answer:
                assert answer.status == 403
                assert (await answer.json())["reason"] == "blocked"
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await visitor.ws_connect(f"{there}/ws", headers=ADDRESS)
        async with visitor.get(f"{there}/api/tables", headers={"X-Forwarded-For": "203.0.113.8"}) as answer:
            assert answer.status == 200
        # Whoever has blocked their own address can undo it.
        own = {**BEARER, **ADDRESS}
        async with visitor.get(f"{there}/ops", headers=own) as answer:
            assert "203.0.113.7 is blocked until" in await answer.text()
        async with visitor.post(
            f"{there}/ops/unblock", data={"address": "203.0.113.7"}, headers=own
        ) as answer:
            assert answer.status == 200
        async with asyncio.timeout(10):
            while True:
                async with visitor.get(f"{there}/api/tables", headers=ADDRESS) as answer:
                    if answer.status == 200:
                        break
                await asyncio.sleep(0.1)
    text = (await desk.get("/ops", headers=BEARER))[1]
    assert "<td>block</td><td>203.0.113.7</td><td>for 120 minutes: floods</td>" in text
    assert "<td>unblock</td><td>203.0.113.7</td>" in text


async def test_whose_seat_is_blocked_is_cut_off_by_their_address_and_nobody_else_at_the_table(
    desk: Desk,
) -> None:
    """An operator has a link and no address, and needs to know none."""
    address, there = "203.0.113.44", desk.services.urls[1]
    async with aiohttp.ClientSession() as visitor, Browser(there) as other:
        table = (await other.command("create_table", variant="fog"))["table"]
        await other.command("take_seat", table=table, seat=1, name="Ola")
        async with visitor.ws_connect(f"{there}/ws", headers={"X-Forwarded-For": address}) as websocket:
            await websocket.send_json(
                {"t": "take_seat", "id": "s", "table": table, "seat": 0, "name": "Kari"}
            )
            words = "rude " * 28
            form = {"address": f"{there}/t/{table}/0", "hours": "2", "words": words}
            assert (await desk.post("/ops/block", data=form, headers=BEARER))[0] == 200
            async with asyncio.timeout(10):
                while await websocket.receive_json() != {"t": "bye", "reason": "blocked"}:
                    pass
        text = await desk.until_shown(f"<td>unblock</td><td>t/{table}/0</td>")
        assert (
            f"<td>kari</td><td>block</td><td>{address}</td>"
            f"<td>for 120 minutes: {words[:100]} (t/{table}/0)</td>" in text
        )
        assert f"{address} is blocked until" in text
        assert f"t/{table}/0 is blocked until" not in text
        await other.command("ping")
    assert (await desk.post("/ops/unblock", data={"address": address}, headers=BEARER))[0] == 200


SEAT = f"t/07{'a' * 24}/1"


@pytest.mark.parametrize(
    ("blocked", "listed", "unblocked"),
    [
        ("203.0.113.21", "203.0.113.21", " 203.0.113.21:443 "),
        ("::ffff:203.0.113.22", "203.0.113.22", "::ffff:203.0.113.22"),
        ("2001:DB8:0:1::5", "2001:db8:0:1::/64", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::/64", "2001:db8:0:2::/64", "2001:db8:0:2::77"),
        (f"https://play.example/{SEAT}?from=a", SEAT, f"https://play.example/{SEAT}#b"),
        (f"/{SEAT}", SEAT, SEAT),
    ],
)
async def test_a_block_is_ended_by_whatever_would_make_it_and_by_the_name_in_the_list(
    desk: Desk, blocked: str, listed: str, unblocked: str
) -> None:
    form = {"address": blocked, "hours": "2", "words": ""}
    for ending in (unblocked, listed):
        assert (await desk.post("/ops/block", data=form, headers=BEARER))[0] == 200
        assert f"{listed} is blocked until" in (await desk.get("/ops", headers=BEARER))[1]
        answer = await desk.post("/ops/unblock", data={"address": ending}, headers=BEARER)
        assert answer == (200, "done\n")
        assert f"{listed} is blocked until" not in (await desk.get("/ops", headers=BEARER))[1]
    assert f"<td>kari</td><td>unblock</td><td>{listed}</td>" in await desk.acts()


async def test_what_is_not_blocked_is_not_called_done_and_a_browser_is_told_why(desk: Desk) -> None:
    for address in ("203.0.113.31", "2001:db8:0:9::/64", SEAT, "nonsense", ""):
        status, text = await desk.post("/ops/unblock", data={"address": address}, headers=BEARER)
        assert status == 400
        assert "bad_request" in text
        assert "not blocked" in text
    key = await desk.sign_in()
    form = {"address": "203.0.113.31", "form": key}
    status, text = await desk.post("/ops/unblock", data=form)
    assert status == 200
    assert "Not done: That is not blocked, or not any more." in text
    assert "no longer blocked" not in text
    acts = await desk.acts()
    assert "203.0.113.31" not in acts
    assert "nonsense" not in acts


@pytest.mark.parametrize(
    ("act", "form"),
    [
        ("block", {"address": "nobody", "hours": "2"}),
        ("block", {"address": "/t/nothing/1", "hours": "2"}),
        ("block", {"address": f"/t/07{'a' * 24}/4", "hours": "2"}),
        ("block", {"address": "203.0.113.7", "hours": "0"}),
        ("block", {"address": "203.0.113.7", "hours": "99999"}),
        ("announce", {"in_minutes": "soon"}),
        ("announce", {"in_minutes": "1441"}),
        ("announce", {"in_minutes": "0"}),
        ("announce", {}),
    ],
)
async def test_what_makes_no_sense_is_refused_by_name_and_changes_nothing(
    desk: Desk, act: str, form: dict[str, str]
) -> None:
    before = await desk.acts()
    status, text = await desk.post(f"/ops/{act}", data=form, headers=BEARER)
    assert status == 400
    assert "bad_request" in text
    assert await desk.acts() == before


async def test_reports_of_talk_are_read_there_and_that_is_on_record(desk: Desk) -> None:
    async with AsyncExitStack() as stack:
        players = await desk.services.match(stack)
        said = await players[3].command("say", text="<i>rude</i>")
        assert said
        await players[0].wait_for(lambda page: page.match and page.match["talk"])
        await players[0].command("report", number=1, words="Not nice")
    status, text = await desk.get("/ops/reports", headers=BEARER)
    assert status == 200
    assert "&lt;i&gt;rude&lt;/i&gt;" in text
    assert "Not nice" in text
    assert "<td>kari</td><td>read_reports</td>" in (await desk.get("/ops", headers=BEARER))[1]


async def test_the_numbers_of_all_processes_are_added_up(desk: Desk) -> None:
    async with AsyncExitStack() as stack:
        players = await desk.services.match(stack)
        await players[0].move("e2e4")
        await desk.until_shown("tandem human: ")  # matches of other tests count for a while, too
        text = await desk.until_shown("Connections</th><td>4</td>")
        for words in (
            "tandem started: ",
            "Bot workers",
            "<h2>The store</h2>",
            "gateway-",
            "nobody could move",
        ):
            assert words in text
        assert text.count("<td>gateway</td>") == 2
        for service in ("game", "matchmaking", "visibility"):
            assert text.count(f"<td>{service}</td>") == 1


async def test_when_game_does_not_answer_the_page_says_so(tmp_path: Path) -> None:
    from libs.runtime.service import running_service
    from services.gateway.app import build
    from services.gateway.settings import GatewaySettings

    secret = tmp_path / "secret"
    secret.write_bytes(b"0123456789abcdef0123456789abcdef")
    secret.chmod(0o600)
    settings = GatewaySettings(
        http_port=0,
        session_secret_file=secret,
        page_dir=tmp_path,
        peers_game="127.0.0.1:1",
        peers_matchmaking="127.0.0.1:1",
        peers_visibility="127.0.0.1:1",
        ops_token_file=tokens(tmp_path),
    )
    async with running_service(settings, build) as gateway, aiohttp.ClientSession() as session:
        url = f"http://127.0.0.1:{gateway._context.announcement['http_port']}/ops"
        async with session.get(url, headers=BEARER) as answer:
            assert answer.status == 200
            text = await answer.text()
            assert "Game does not answer" in text
            assert "The store" not in text
            assert "<td>game</td><td>0</td>" in text
        signing_in = session.post(f"{url}/sign-in", data={"token": TOKEN}, allow_redirects=False)
        async with signing_in as answer:
            assert answer.status == 303
            assert answer.cookies


async def test_when_the_store_does_not_answer_the_page_says_that_it_is_the_store(tmp_path: Path) -> None:
    settings = {"ops_token_file": tokens(tmp_path)}
    with running_valkey(tmp_path / "store") as store:
        async with backend(store.url, tmp_path, gateway=settings) as services, desk_of(services) as desk:
            assert "Numbers of the last minute" in (await desk.get("/ops", headers=BEARER))[1]
            with hung(store.pid):
                hanging = await desk.get("/ops", headers=BEARER)
            await desk.until_shown("Numbers of the last minute")
            store.stop()
            for status, text in (hanging, await desk.get("/ops", headers=BEARER)):
                assert status == 200
                assert "The store does not answer game" in text
                assert "Game does not answer" not in text
                assert "<td>game</td><td>1</td>" in text
            store.start()
            await desk.until_shown("Numbers of the last minute")
