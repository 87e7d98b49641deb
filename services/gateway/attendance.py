"""A stream from this gateway to every game replica, so that its end is known at once, and beside it the word
that this gateway takes moves, so that its silence is, too (T-outage).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import grpc

from gen.tandemfog.game.v1.game_pb2 import AttendRequest, AttestRequest
from libs.runtime.logs import get_logger
from libs.runtime.peers import NoPeer, Peers
from services.gateway.acting import GameStub

PAUSE_S = 0.1
ATTEST_EVERY_S = 0.2
ATTEST_WITHIN_S = 2.0
log = get_logger()


class Attendance:
    """Keeps the streams; ``begun`` is called with each one: that replica has heard nothing of us yet."""

    def __init__(self, game: Peers[GameStub], begun: Callable[[], None]) -> None:
        self._game = game
        self._begun = begun
        self._streams: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Runs until cancelled."""
        try:
            while True:
                for address in self._game.members():
                    if address not in self._streams or self._streams[address].done():
                        task = asyncio.create_task(self._keep(address), name=f"attendance {address}")
                        self._streams[address] = task
                await self._game.changed()
        finally:
            for task in list(self._streams.values()):
                task.cancel()

    async def _keep(self, address: str) -> None:
        """One stream, again when it breaks, until the replica is a member no more."""
        while address in self._game.members():
            try:
                await self._attend(self._game.stub(address))
            except NoPeer:
                return
            except grpc.aio.AioRpcError as error:
                log.info("attendance_ended", address=address, code=error.code().name)
            await asyncio.sleep(PAUSE_S)

    async def _attend(self, game: GameStub) -> None:
        """A stream from its beginning to its end. Raises AioRpcError when it breaks."""
        stream = game.Attend(AttendRequest(attests=True))
        asked = asyncio.Event()
        attesting: asyncio.Task[None] | None = None
        try:
            async for _ in stream:
                asked.set()
                if attesting is None:
                    self._begun()
                    attesting = asyncio.create_task(self._attest(game, asked))
        finally:
            stream.cancel()
            if attesting is not None:
                attesting.cancel()

    @staticmethod
    async def _attest(game: GameStub, asked: asyncio.Event) -> None:
        """Every so often and when asked, until cancelled; one that is late or refused is none."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(ATTEST_EVERY_S):
                    await asked.wait()
            asked.clear()
            with suppress(grpc.aio.AioRpcError):
                await game.Attest(AttestRequest(), timeout=ATTEST_WITHIN_S)
