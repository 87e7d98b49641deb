"""Games in browsers' own texts over HTTP: real ones shown to their end, anything else answered by name."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from services.gateway.games import BURST, MOST_BYTES
from services.visibility import reading
from tests.integration.gateway.club import club_of
from tests.integration.gateway.conftest import Gateway, Little, Secrets

GAMES = Path(__file__).parents[2] / "data" / "bpgn"
INDEX: list[dict[str, Any]] = json.loads((GAMES / "index.json").read_text())
Answer = tuple[int, dict[str, Any]]


async def sent(gateway: Gateway, body: Any) -> Answer:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{gateway.url}/api/games", data=body) as response,
    ):
        assert response.content_type == "application/json"
        return response.status, await response.json()


@pytest.fixture
async def gateway(valkey_url: str, secret_files: Secrets) -> AsyncIterator[Gateway]:
    """A gateway before the real services, with a limit that no test comes near."""
    async with club_of(
        valkey_url, secret_files, gateway_settings={"games_per_address_minute": 60_000}
    ) as club:
        yield club.gateways[0]


@pytest.mark.scenario("U05")
async def test_every_real_game_is_answered_as_a_replay_and_no_bytes_break_it(gateway: Gateway) -> None:
    for entry in INDEX:
        status, game = await sent(gateway, (GAMES / entry["file"]).read_bytes())
        assert status == 200, entry["file"]
        assert len(game["moves"]) == entry["moves_replayed"] == len(game["full"]) - 1
        last = game["full"][-1]
        assert [last["A"]["fen"], last["B"]["fen"]] == [entry["final_a"], entry["final_b"]]
        assert all(move["san"] and move["uci"] for move in game["moves"])
        assert game["names"] == ["WhiteA", "BlackA", "WhiteB", "BlackB"]
        assert game["time"]["initial_ms"] >= 120_000
        if entry["file"] == "game_10.bpgn":
            assert [(problem["where"], problem["stops"]) for problem in game["problems"]] == [
                ("19A P@e7+", True)
            ]

    dice = Random(1)
    for size in (0, 1, 100, MOST_BYTES):
        status, answer = await sent(gateway, dice.randbytes(size))
        assert (status, answer["reason"]) == (400, "unreadable_game")
        assert answer["problem"]["reason"] == "bad_pgn"
        assert answer["detail"]
        assert answer["problem"]["detail"]

    for odd in (b'[WhiteA "x"]\n\n1A. e4{2147483.648}', b'[Variant "Fog of War"]\n1. e4 {[%clk 9999:00:00]}'):
        status, answer = await sent(gateway, odd)
        assert (status, answer["moves"][0]["uci"]) == (200, "e2e4"), odd
    async with aiohttp.ClientSession() as session:
        packed = {"Content-Encoding": "gzip"}
        async with session.post(f"{gateway.url}/api/games", data=b"\x1f\x8b no", headers=packed) as response:
            assert response.status == 400

    status, answer = await sent(gateway, b'[Variant "Fog of War"]\n1. e4 e5 2. Qh5 Nc6 3. Qxf7 d6 4. Qxe8')
    assert (status, answer["result"]) == (200, {"winner": 1, "reason": "king_captured"})
    assert "?" in answer["white"][-2]["A"]["pieces"]


async def test_a_text_that_is_too_long_is_refused_before_it_is_read(little: Little) -> None:
    gateway = await little.start()

    async def parts(count: int) -> AsyncIterator[bytes]:
        for _ in range(count):
            yield b"x" * 65_536

    begun_s = time.monotonic()
    assert MOST_BYTES == reading.MOST_BYTES
    for body in (b"x" * (MOST_BYTES + 1), parts(5)):
        status, answer = await sent(gateway, body)
        assert (status, answer["reason"]) == (413, "text_too_large")
    assert time.monotonic() - begun_s < 5


async def test_an_address_has_so_many_games_read_and_no_more(little: Little) -> None:
    gateway = await little.start(games_per_address_minute=1, trusted_proxies="127.0.0.0/8")

    async def reason(address: str) -> str:
        async with (
            aiohttp.ClientSession(headers={"X-Forwarded-For": address}) as session,
            session.post(f"{gateway.url}/api/games", data=b"x" * (MOST_BYTES + 1)) as response,
        ):
            return str((await response.json())["reason"])

    assert [await reason("203.0.113.7") for _ in range(BURST + 1)] == ["text_too_large"] * BURST + [
        "too_fast"
    ]
    assert await reason("203.0.113.8") == "text_too_large"
    assert gateway.metric("limited_total", limit="address_games") == 1
