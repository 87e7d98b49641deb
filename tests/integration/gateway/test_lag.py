"""The delay of a line is what the gateway's own ping measures, whatever the browser says (T-lag)."""

from __future__ import annotations

import asyncio
import json

import aiohttp
import pytest

from tests.integration.gateway.conftest import Little

pytestmark = pytest.mark.alone

MOVE = {"t": "move", "board": "A", "ply": 0, "uci": "e2e4"}


@pytest.mark.rule("T-lag")
async def test_a_move_carries_the_delay_that_the_gateway_has_measured_and_no_other(little: Little) -> None:
    gateway = await little.start(ping_every_ms=50)
    jar = aiohttp.CookieJar(unsafe=True)
    async with (
        aiohttp.ClientSession(cookie_jar=jar) as session,
        session.ws_connect(f"{gateway.url}/ws", autoping=False) as websocket,
    ):

        async def until(t: str) -> None:
            while True:
                message = await websocket.receive(timeout=10)
                if message.type is aiohttp.WSMsgType.TEXT and json.loads(message.data)["t"] == t:
                    return

        async def pinged() -> bytes:
            while True:
                message = await websocket.receive(timeout=10)
                if message.type is aiohttp.WSMsgType.PING:
                    return bytes(message.data)

        async def moved() -> int:
            await websocket.send_json({**MOVE, "id": f"m{len(little.game.acts)}"})
            await until("ok")
            return int(little.game.acts[-1].measured_lag_ms)

        await websocket.send_json({"t": "play_now", "id": "p", "variant": "tandem"})
        await until("full")
        await websocket.pong(b"1000000")  # an answer to nothing
        assert await moved() == 0
        name = await pinged()
        await asyncio.sleep(0.12)  # the line's delay is the thing itself
        await websocket.pong(name)
        assert 120 <= await moved() < 1000
        await websocket.pong(name)  # said again, much later
        before = await moved()
        await asyncio.sleep(0.1)
        await websocket.pong(name)
        assert await moved() == before
