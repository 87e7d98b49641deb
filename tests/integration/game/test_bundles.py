"""Commands that come over a stream: each is what a call would be, and none is lost or made twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest

from gen.tandemfog.game.v1.game_pb2 import (
    GESTURE_RESIGN,
    ActRequest,
    ActResponse,
    ActTogetherRequest,
    Command,
    CommandAnswer,
    Move,
)
from libs.runtime.service import Running, running_service
from services.game import bundles
from services.game.app import build
from services.game.settings import GameSettings
from tests.integration.game.kit import (
    Arena,
    Caller,
    StoreClock,
    calling,
    game_service,
    game_settings,
    secret_file,
    start_match,
    until,
)
from tests.kit.service import ServiceProcess


@dataclass
class Sender:
    """A stream of commands as a gateway holds one; `answers` are those that have come, by number."""

    stream: Any
    answers: dict[int, CommandAnswer] = field(default_factory=dict)
    messages: int = 0
    ended: grpc.StatusCode | None = None
    _given: int = 0

    async def send(self, *acts: ActRequest, log_id: str = "", within_ms: int = 5_000) -> list[int]:
        """Sends them in one message; their numbers."""
        numbers = list(range(self._given + 1, self._given + 1 + len(acts)))
        self._given += len(acts)
        commands = [
            Command(number=number, act=act, log_id=log_id, within_ms=within_ms)
            for number, act in zip(numbers, acts, strict=True)
        ]
        await self.stream.write(ActTogetherRequest(commands=commands))
        return numbers

    async def read(self) -> None:
        try:
            while response := await self.stream.read():
                self.messages += 1
                self.answers |= {answer.number: answer for answer in response.answers}
        except grpc.aio.AioRpcError:
            pass
        self.ended = await self.stream.code()

    async def told(self, number: int) -> ActResponse | str:
        """The answer to a command: what it has done, or the reason why not."""

        async def there() -> bool:
            return number in self.answers

        await until(there)
        answer = self.answers[number]
        return answer.done if answer.HasField("done") else answer.refused.reason


@asynccontextmanager
async def sender_to(caller: Caller) -> AsyncIterator[Sender]:
    sender = Sender(caller.game.ActTogether())
    reading = asyncio.create_task(sender.read())
    try:
        yield sender
    finally:
        reading.cancel()
        sender.stream.cancel()


def move_of(arena: Arena, seat: int, ply: int, uci: str, request_id: str) -> ActRequest:
    move = Move(board=seat // 2, ply=ply, uci=uci)
    return ActRequest(request_id=request_id, token=arena.token(seat), move=move)


async def test_commands_of_one_message_are_carried_out_each_by_itself(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arenas = [await start_match(caller, tmp_path) for _ in range(10)]
    async with sender_to(caller) as sender:
        numbers = await sender.send(
            *(move_of(arena, seat, 0, "e2e4", f"m{seat}") for arena in arenas for seat in (0, 2))
        )
        for number in numbers:
            assert isinstance(await sender.told(number), ActResponse)
        assert sender.messages < len(numbers)
    for arena in arenas:
        assert [board.ply for board in (await arena.state()).boards] == [1, 1]


async def test_a_refusal_has_the_reason_and_the_words_of_a_call_and_stops_no_other_command(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    wrong = {
        "not_your_turn": move_of(arena, 1, 0, "e7e5", "a"),
        "illegal_move": move_of(arena, 0, 0, "e2e5", "b"),
        "bad_uci": move_of(arena, 0, 0, "castle", "c"),
        "bad_request_id": move_of(arena, 0, 0, "e2e4", "no good"),
        "bad_token": ActRequest(request_id="d", token="nobody's", gesture=GESTURE_RESIGN),
        "bad_request": ActRequest(request_id="e", token=arena.token(0)),
    }
    async with sender_to(caller) as sender:
        numbers = await sender.send(*wrong.values(), move_of(arena, 2, 0, "e2e4", "good"))
        assert [await sender.told(number) for number in numbers[:-1]] == list(wrong)
        assert isinstance(await sender.told(numbers[-1]), ActResponse)
        for number, act in zip(numbers, wrong.values(), strict=False):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await caller.game.Act(act)
            assert sender.answers[number].refused.detail == caught.value.details()


async def test_a_move_on_its_way_when_the_stream_breaks_is_made_once_when_asked_of_another_replica(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    arenas = [await start_match(caller, tmp_path) for _ in range(10)]
    acts = [move_of(arena, 0, 0, "e2e4", "same") for arena in arenas]
    async with game_service(game_settings(valkey_url, tmp_path)) as other:
        async with sender_to(caller) as sender:
            await sender.send(*acts)
            await asyncio.sleep(0.002)  # so that some have been made, some not
        async with sender_to(other) as again:
            for number in await again.send(*acts):
                answer = await again.told(number)
                assert isinstance(answer, ActResponse), answer
    for arena in arenas:
        assert (await arena.state()).boards[0].ply == 1


async def test_more_commands_than_a_stream_may_have_in_progress_are_refused_as_busy(
    caller: Caller, clock: StoreClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clock.now_us
    monkeypatch.setattr(bundles, "IN_PROGRESS", 2)
    arenas = [await start_match(caller, tmp_path) for _ in range(5)]
    async with sender_to(caller) as sender:
        numbers = await sender.send(*(move_of(arena, 0, 0, "e2e4", "m") for arena in arenas))
        told = [await sender.told(number) for number in numbers]
        assert told[2:] == ["busy"] * 3
        assert all(isinstance(each, ActResponse) for each in told[:2])
        (last,) = await sender.send(move_of(arenas[0], 0, 0, "e2e4", "m"))
        assert isinstance(await sender.told(last), ActResponse)


async def test_a_replica_that_drains_answers_what_it_has_begun_and_ends_the_stream(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    arenas = [await start_match(caller, tmp_path) for _ in range(40)]
    acts = [move_of(arena, 0, 0, "e2e4", "m") for arena in arenas]
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(AsyncExitStack())
        settings = game_settings(valkey_url, tmp_path, drain_grace_ms=5_000)
        running = await server.enter_async_context(running_service(settings, build))
        draining = await stack.enter_async_context(calling(running.address))
        sender = await stack.enter_async_context(sender_to(draining))
        (first,) = await sender.send(acts[0])
        await sender.told(first)
        numbers = await sender.send(*acts[1:])
        before = asyncio.get_running_loop().time()
        await server.aclose()
        assert asyncio.get_running_loop().time() - before < 4.0
        assert sender.ended is grpc.StatusCode.OK
        done = [number for number in numbers if number in sender.answers]
        assert all(sender.answers[number].HasField("done") for number in done)
    async with sender_to(caller) as again:
        for number in await again.send(*acts):
            assert isinstance(await again.told(number), ActResponse)
    for arena in arenas:
        assert (await arena.state()).boards[0].ply == 1


async def test_a_command_is_counted_as_a_call_is(clock: StoreClock, valkey_url: str, tmp_path: Path) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path)
    async with running_service(settings, build) as running, calling(running.address) as caller:
        arena = await start_match(caller, tmp_path)
        async with sender_to(caller) as sender:
            good, bad = await sender.send(
                move_of(arena, 0, 0, "e2e4", "a"), move_of(arena, 2, 0, "e2e5", "b")
            )
            await sender.told(good)
            await sender.told(bad)
        assert counted(running, "rpc_seconds_count", method="Act", code="OK") == 1
        assert counted(running, "rpc_seconds_count", method="Act", code="INVALID_ARGUMENT") == 1
        assert counted(running, "refusals_total", reason="illegal_move") == 1


async def test_moves_on_both_boards_that_come_together_are_decided_one_after_the_other_and_none_in_vain(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path)
    async with running_service(settings, build) as running, calling(running.address) as caller:
        arena = await start_match(caller, tmp_path)
        async with sender_to(caller) as sender:
            for ply, uci in enumerate(("g1f3", "g8f6", "f3g1", "f6g8")):
                acts = [move_of(arena, 2 * board + ply % 2, ply, uci, f"{board}-{ply}") for board in (0, 1)]
                for number in await sender.send(*acts):
                    assert isinstance(await sender.told(number), ActResponse)
        assert counted(running, "conflicts_total") == 0
        assert counted(running, "commits_total", what="moved") == 8


async def test_a_command_that_fails_is_answered_and_counted_and_the_next_one_is_carried_out(
    clock: StoreClock, valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    async with running_service(settings, build) as running, calling(running.address) as caller:
        arena = await start_match(caller, tmp_path)
        async with sender_to(caller) as sender:
            with monkeypatch.context() as patched:
                patched.setattr("services.game.acting.command_of", fails)
                (bad,) = await sender.send(move_of(arena, 0, 0, "e2e4", "a"))
                assert await sender.told(bad) == ""
            (good,) = await sender.send(move_of(arena, 0, 0, "e2e4", "a"))
            assert isinstance(await sender.told(good), ActResponse)
        assert counted(running, "rpc_seconds_count", method="Act", code="INTERNAL") == 1


async def test_a_command_that_nobody_waits_for_any_more_ends(
    clock: StoreClock, valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clock.now_us
    settings = game_settings(valkey_url, tmp_path)

    async def takes_for_ever(*_: object) -> ActResponse:
        await asyncio.Event().wait()
        return ActResponse()

    monkeypatch.setattr("services.game.acting.Acting.act", takes_for_ever)
    async with (
        running_service(settings, build) as running,
        calling(running.address) as caller,
        sender_to(caller) as sender,
    ):
        await sender.send(ActRequest(request_id="a"), within_ms=50)

        async def ended() -> bool:
            return counted(running, "rpc_seconds_count", method="Act", code="CANCELLED") == 1

        await until(ended)
        assert sender.answers == {}


async def test_the_log_of_game_names_a_command_as_its_gateway_does_and_never_a_token(
    clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    told = {
        "TANDEMFOG_STORE_URL": valkey_url,
        "TANDEMFOG_TOKEN_SECRET_FILE": str(secret_file(tmp_path)),
        "TANDEMFOG_LOG_LEVEL": "debug",
    }
    async with ServiceProcess("game", told) as process, calling(process.address) as caller:
        arena = await start_match(caller, tmp_path)
        act = move_of(arena, 0, 0, "e2e4", "m1")
        async with sender_to(caller) as sender:
            (number,) = await sender.send(act, log_id="a1b2c3d4e5f6.m1")
            assert isinstance(await sender.told(number), ActResponse)

        async def logged() -> bool:
            return any(
                (line.get("event"), line.get("method"), line.get("request_id"))
                == ("call", "Act", "a1b2c3d4e5f6.m1")
                for line in process.lines
            )

        await until(logged)
        assert act.token not in process.log()


def counted(running: Running[GameSettings], name: str, **labels: str) -> float:
    """A sample's value; 0.0 before the first."""
    registry = running._context.metrics.registry
    return registry.get_sample_value(f"tandemfog_game_{name}", labels) or 0.0
