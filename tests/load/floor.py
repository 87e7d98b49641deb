"""The floor: what one move cannot do without, by the same libraries on the same machine, and nothing else.

One unary gRPC echo, one commit script, five websocket sends; processor time of both ends of the first two,
and of the sender alone of the last, since a browser is nobody's cost. `python -m tests.load.floor STORE_URL`.
"""

from __future__ import annotations

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

ECHOES, SCRIPTS, SENDS = 1_500, 1_500, 7_500
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


async def echo_s() -> float:
    """Seconds of processor time for a unary call, both ends."""
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
        for _ in range(ECHOES):
            await stub.Check(health_pb2.HealthCheckRequest())
        spent = time.process_time() - began
    await server.stop(None)
    return spent / ECHOES


async def script_s(url: str) -> float:
    """Seconds of processor time for a commit script: the store's and the client's."""
    async with redis.asyncio.from_url(url, socket_timeout=None) as store:
        client: Any = store
        digest = await client.script_load(SCRIPT)
        keys = [f"{{floor}}:{name}" for name in "abcd"]
        body = b"s" * 600

        async def cpu() -> float:
            info = await client.info("cpu")
            return float(info["used_cpu_sys"]) + float(info["used_cpu_user"])

        before, began = await cpu(), time.process_time()
        for number in range(SCRIPTS):
            await client.evalsha(digest, len(keys), *keys, number, body)
        spent = time.process_time() - began + await cpu() - before
        await client.delete(*keys)
    return spent / SCRIPTS


async def send_s() -> float:
    """Seconds of processor time for one websocket send; the reader is a process of its own."""
    spent = asyncio.get_running_loop().create_future()

    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        began = time.process_time()
        for _ in range(SENDS // 5):
            for _ in range(5):
                await socket.send_frame(FRAME, aiohttp.WSMsgType.TEXT)
            await asyncio.sleep(0)
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
        return float(await spent) / SENDS
    finally:
        await reader.wait()
        await runner.cleanup()


async def read(url: str) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        async for _ in socket:
            pass


async def floor(url: str) -> dict[str, float]:
    """Microseconds of processor time of each part, and of a move's worth of them."""
    echo, script, send = await echo_s() * 1e6, await script_s(url) * 1e6, await send_s() * 1e6
    return {
        "echo_us": round(echo, 1),
        "script_us": round(script, 1),
        "send_us": round(send, 1),
        "move_us": round(echo + script + 5 * send, 1),
    }


if __name__ == "__main__":
    if sys.argv[1] == "--read":
        asyncio.run(read(sys.argv[2]))
    else:
        sys.stdout.write(json.dumps(asyncio.run(floor(sys.argv[1]))) + "\n")
