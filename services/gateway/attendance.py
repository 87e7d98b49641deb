"""A stream from this gateway to every game replica, so that its end is known at once (T-outage)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import grpc

from gen.tandemfog.game.v1.game_pb2 import AttendRequest
from gen.tandemfog.game.v1.game_pb2_grpc import GameServiceStub
from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers

PAUSE_S = 0.1
log = get_logger()


class Attendance:
    """Keeps the streams; ``begun`` is called with each one: that replica has heard nothing of us yet."""

    def __init__(self, game: Peers[GameServiceStub], begun: Callable[[], None]) -> None:
        self._game = game
        self._begun = begun
        self._streams: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Runs until cancelled."""
        try:
            while True:
                for address in self._game.members():
                    if address not in self._streams or self._streams[address].done():
                        task = asyncio.create_task(self._attend(address), name=f"attendance {address}")
                        self._streams[address] = task
                await self._game.changed()
        finally:
            for task in list(self._streams.values()):
                task.cancel()

    async def _attend(self, address: str) -> None:
        """One stream, again when it breaks, until the replica is a member no more."""
        while address in self._game.members():
            try:
                async for _ in self._game.stub(address).Attend(AttendRequest()):
                    self._begun()
            except NoPeer:
                return
            except grpc.aio.AioRpcError as error:
                log.info("attendance_ended", address=address, code=error.code().name)
            await asyncio.sleep(PAUSE_S)
