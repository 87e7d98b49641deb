"""The floor: what one move cannot do without, by the same libraries on the same machine, and nothing else.

One unary gRPC echo, one commit script, five websocket sends; processor time of both ends of the first two,
and of the sender alone of the last, since a browser is nobody's cost. `python -m tests.load.floor STORE_URL`.
With `--pause-ms 28` one comes so long after the other, as at one busy table: what the same steps cost when
each has to wake its process first. What the pauses themselves cost is taken off.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from typing import Any

import aiohttp
import grpc
import redis.asyncio
from aiohttp import web
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer

MOVES = 1_500
PAUSED = 300
"""So many moves when there are pauses between them."""
FRAME = b"x" * 900  # about what a delta of a tandem move takes
SCRIPT = """
local held = redis.call('HGETALL', KEYS[1])
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'a', time[1], 'b', time[2], 'c', ARGV[1], 'd', ARGV[1])
redis.call('SET', KEYS[2], ARGV[2])
redis.call('RPUSH', KEYS[3], ARGV[2])
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 10000, '*', 'e', ARGV[2], 's', ARGV[2])
return {'done', time[1]}
"""


async def pauses_s(count: int, pause_s: float) -> float:
    """Seconds of processor time for a pause."""
    began = time.process_time()
    for _ in range(count):
        await asyncio.sleep(pause_s)
    return (time.process_time() - began) / count


async def echo_s(count: int, pause_s: float) -> float:
    """Seconds of processor time for a unary call, both ends, and a pause."""
    server = grpc.aio.server()
    servicer: Any = HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        for _ in range(100):
            await stub.Check(health_pb2.HealthCheckRequest())
        began = time.process_time()
        for _ in range(count):
            await stub.Check(health_pb2.HealthCheckRequest())
            if pause_s:
                await asyncio.sleep(pause_s)
        spent = time.process_time() - began
    await server.stop(None)
    return spent / count


async def script_s(url: str, count: int, pause_s: float) -> float:
    """Seconds of processor time for a commit script, the store's and the client's, and a pause."""
    async with redis.asyncio.from_url(url, socket_timeout=None) as store:
        client: Any = store
        digest = await client.script_load(SCRIPT)
        keys = [f"{{floor}}:{name}" for name in "abcd"]
        body = b"s" * 600

        async def cpu() -> float:
            info = await client.info("cpu")
            return float(info["used_cpu_sys"]) + float(info["used_cpu_user"])

        before, began = await cpu(), time.process_time()
        for number in range(count):
            await client.evalsha(digest, len(keys), *keys, number, body)
            if pause_s:
                await asyncio.sleep(pause_s)
        spent = time.process_time() - began + await cpu() - before
        await client.delete(*keys)
    return spent / count


async def sends_s(count: int, pause_s: float) -> float:
    """Seconds of processor time for five websocket sends and a pause; the reader is a process of its own."""
    spent = asyncio.get_running_loop().create_future()

    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        began = time.process_time()
        for _ in range(count):
            for _ in range(5):
                await socket.send_frame(FRAME, aiohttp.WSMsgType.TEXT)
            await asyncio.sleep(pause_s)
        spent.set_result(time.process_time() - began)
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_get("/", serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    reader = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.load.floor", "--read", f"http://127.0.0.1:{runner.addresses[0][1]}/")
    )
    try:
        return float(await spent) / count
    finally:
        await reader.wait()
        await runner.cleanup()


async def read(url: str) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        async for _ in socket:
            pass


async def floor(url: str, pause_s: float = 0.0) -> dict[str, float]:
    """Microseconds of processor time of each part, and of a move's worth of them."""
    count = PAUSED if pause_s else MOVES
    pause = await pauses_s(count, pause_s) if pause_s else 0.0
    parts = (await echo_s(count, pause_s), await script_s(url, count, pause_s), await sends_s(count, pause_s))
    echo, script, sends = ((part - pause) * 1e6 for part in parts)
    return {
        "echo_us": round(echo, 1),
        "script_us": round(script, 1),
        "send_us": round(sends / 5, 1),
        "move_us": round(echo + script + sends, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.load.floor", description=__doc__)
    parser.add_argument("url", help="of a store; with --read of a websocket that is read to its end")
    parser.add_argument("--pause-ms", type=float, default=0.0)
    parser.add_argument("--read", action="store_true")
    told = parser.parse_args()
    if told.read:
        asyncio.run(read(told.url))
    else:
        sys.stdout.write(json.dumps(asyncio.run(floor(told.url, told.pause_ms / 1000))) + "\n")
