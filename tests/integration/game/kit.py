"""A game service inside the test, its callers, and a clock that the test turns."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import redis

from gen.tandemfog.feed.v1 import feed_pb2, feed_pb2_grpc
from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from gen.tandemfog.types.v1 import types_pb2
from libs.identity.ids import new_table_id
from libs.identity.tokens import SeatToken, mint_seat_token
from libs.runtime.refusals import Refusal, call
from libs.runtime.secrets import derived_key
from libs.runtime.service import running_service
from services.game.app import build
from services.game.keys import shard_keys
from services.game.settings import CONSENT, GameSettings

SECRET = b"0123456789abcdef0123456789abcdef"
MINUTE_US = 60_000_000
START_US = 1_700_000_000_000_000
HUMAN = types_pb2.SEAT_KIND_HUMAN
BOT = types_pb2.SEAT_KIND_BOT
FOLLOWING_REQUESTS = itertools.count(1)
FOLLOWING_TABLES = itertools.count(1)


def secret_file(folder: Path) -> Path:
    """A file with the secret that the service and the test share."""
    path = folder / "token-secret"
    if not path.exists():
        path.write_bytes(SECRET)
        path.chmod(0o600)
    return path


def game_settings(url: str, folder: Path, **changes: Any) -> GameSettings:
    """Settings of a service whose time is the test's; beats are rare unless asked for."""
    values: dict[str, Any] = {
        "store_url": url,
        "token_secret_file": secret_file(folder),
        "test_clock": True,
        "test_clock_consent": CONSENT,
        "beat_ms": 10**10,  # beats stand on a grid of the machine's own time: none comes by chance
        "outage_after_ms": 2_500,
        "start_grace_ms": 24 * 3_600_000,
        "drain_grace_ms": 1000,
        **changes,
    }
    return GameSettings(**values)


class StoreClock:
    """The store's time as the test wants it, for one shard."""

    def __init__(self, url: str, shard: int = 7) -> None:
        self._client = redis.Redis.from_url(url)
        self._key = shard_keys(shard).time
        self.now_us = self._last_us = START_US
        self.advance(0)

    def advance(self, microseconds: int) -> None:
        """Time passes, and the service takes moves all the while."""
        self.now_us += microseconds
        pipeline = self._client.pipeline()
        pipeline.set(f"{self._key}:now", self.now_us)
        self._last_us = max(self._last_us, self.now_us)
        pipeline.hset(self._key, mapping={"beat": str(self.now_us), "last": str(self._last_us)})
        pipeline.execute()

    def pass_silently(self, microseconds: int) -> None:
        """Time passes without a beat."""
        self.now_us += microseconds
        self._client.set(f"{self._key}:now", self.now_us)

    def rename_store(self) -> None:
        """As if the store had been started anew, or a replica had taken over."""
        self._client.hset(self._key, "origin", "0" * 40)

    def beat_us(self) -> int:
        """The instant of the last beat."""
        return int(str(self._client.hget(self._key, "beat").decode()))  # type: ignore[union-attr]

    def close(self) -> None:
        self._client.close()


def seat(kind: types_pb2.SeatKind.ValueType, name: str) -> types_pb2.Seat:
    """A seat as matchmaking hands it over."""
    return types_pb2.Seat(kind=kind, name=name, level=3 if kind == BOT else 0, online=True)


@dataclass
class Caller:
    """Somebody who calls a game service."""

    channel: grpc.aio.Channel
    game: game_pb2_grpc.GameServiceStub = field(init=False)
    feed: feed_pb2_grpc.FeedServiceStub = field(init=False)

    def __post_init__(self) -> None:
        self.game = game_pb2_grpc.GameServiceStub(self.channel)
        self.feed = feed_pb2_grpc.FeedServiceStub(self.channel)


@dataclass
class Arena:
    """A match that runs in some service."""

    caller: Caller
    match_id: str
    key: bytes

    def token(self, seat_number: int, lease: int = 0) -> str:
        return mint_seat_token(
            self.key, SeatToken(self.match_id, seat_number, lease, 2_000_000_000, is_bot=lease > 0)
        )

    async def act(
        self,
        seat_number: int,
        *,
        request_id: str = "",
        lease: int = 0,
        caller: Caller | None = None,
        **action: Any,
    ) -> game_pb2.ActResponse:
        """One command, with what else is given of the request; raises Refusal."""
        request = game_pb2.ActRequest(
            request_id=request_id or f"r{next(FOLLOWING_REQUESTS)}",
            token=self.token(seat_number, lease),
            **action,
        )
        return await call((caller or self.caller).game.Act, request)

    async def move(self, seat_number: int, ply: int, uci: str, **more: Any) -> int:
        """A move on the seat's board; the version after it."""
        move = game_pb2.Move(board=seat_number // 2, ply=ply, uci=uci)
        return int((await self.act(seat_number, move=move, **more)).version)

    async def lift(self, seat_number: int, ply: int, **more: Any) -> int:
        """The seat lifts the curtain; the version after it."""
        return int((await self.act(seat_number, lift=game_pb2.Lift(ply=ply), **more)).version)

    async def gesture(self, seat_number: int, name: str, **more: Any) -> int:
        """A gesture by its short name, e.g. "resign"."""
        gesture = game_pb2.Gesture.Value(f"GESTURE_{name.upper()}")
        return int((await self.act(seat_number, gesture=gesture, **more)).version)

    async def play(self, line: str, **more: Any) -> None:
        """Moves written like "A:e2e4 A:e7e5 B:d2d4", by whoever is to move there."""
        state = await self.state()
        plies = {index: board.ply for index, board in enumerate(state.boards)}
        for word in line.split():
            name, _, uci = word.partition(":")
            board = "AB".index(name)
            await self.move(2 * board + plies[board] % 2, plies[board], uci, **more)
            plies[board] += 1

    async def whole(self) -> feed_pb2.GetMatchResponse:
        """All of the match, as visibility gets it."""
        return await call(self.caller.feed.GetMatch, feed_pb2.GetMatchRequest(match_id=self.match_id))

    async def state(self) -> feed_pb2.RawState:
        return (await self.whole()).state

    async def remaining(self) -> list[int]:
        """What each seat has left now, in microseconds."""
        return [clock.remaining_us for clock in (await self.state()).clocks]

    async def outcome(self) -> tuple[int, str] | None:
        """(winner, reason), or None while it runs."""
        state = await self.state()
        return (state.outcome.winner, state.outcome.reason) if state.HasField("outcome") else None

    async def refusal(self, seat_number: int, **action: Any) -> str:
        """The reason for which a command is refused."""
        try:
            await self.act(seat_number, **action)
        except Refusal as refusal:
            return refusal.reason
        return "accepted"

    async def move_refusal(self, seat_number: int, ply: int, uci: str, **more: Any) -> str:
        """The reason for which a move is refused."""
        move = game_pb2.Move(board=more.pop("board", seat_number // 2), ply=ply, uci=uci)
        return await self.refusal(seat_number, move=move, **more)


async def start_match(
    caller: Caller,
    folder: Path,
    *,
    variant: types_pb2.Variant.ValueType = types_pb2.VARIANT_TANDEM,
    initial_ms: int | None = 180_000,
    increment_ms: int = 0,
    seats: Sequence[types_pb2.Seat] | None = None,
    shard: int = 7,
    curtain: bool = False,
) -> Arena:
    """A match of people that has just started."""
    if seats is None:
        count = 4 if variant == types_pb2.VARIANT_TANDEM else 2
        seats = [seat(HUMAN, f"Player {number}") for number in range(count)]
    match_id = new_table_id(shard, next(FOLLOWING_TABLES).to_bytes(15, "big"))
    request = game_pb2.CreateMatchRequest(match_id=match_id, variant=variant, seats=seats, curtain=curtain)
    if initial_ms is not None:
        request.time.CopyFrom(types_pb2.TimeControl(initial_ms=initial_ms, increment_ms=increment_ms))
    await call(caller.game.CreateMatch, request)
    return Arena(caller, match_id, derived_key(secret_file(folder), "seat-token"))


@asynccontextmanager
async def calling(address: str) -> AsyncIterator[Caller]:
    """Somebody connected to the service at an address."""
    async with grpc.aio.insecure_channel(address) as channel:
        yield Caller(channel)


@asynccontextmanager
async def game_service(settings: GameSettings) -> AsyncIterator[Caller]:
    """A game service inside this process, and somebody who calls it."""
    async with running_service(settings, build) as service, calling(service.address) as caller:
        yield caller


async def attest_when_asked(caller: Caller, stream: Any) -> None:
    """What a gateway does that takes moves: says so whenever game asks over its stream."""
    while await stream.read():
        await call(caller.game.Attest, game_pb2.AttestRequest())


@asynccontextmanager
async def gateway(caller: Caller) -> AsyncIterator[None]:
    """A gateway that takes moves, and says so five times a second and when asked."""
    stream = caller.game.Attend(game_pb2.AttendRequest(attests=True))

    async def attest() -> None:
        while True:
            await call(caller.game.Attest, game_pb2.AttestRequest())
            await asyncio.sleep(0.2)

    tasks = [asyncio.create_task(attest_when_asked(caller, stream)), asyncio.create_task(attest())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        stream.cancel()


async def until(condition: Callable[[], Awaitable[bool]], within_s: float = 10.0) -> None:
    """Wait for a condition that other processes bring about."""
    async with asyncio.timeout(within_s):
        while not await condition():
            await asyncio.sleep(0.01)
