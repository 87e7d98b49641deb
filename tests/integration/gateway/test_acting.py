"""Commands travel to game together, and each comes to what a call of its own would have come to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc
import pytest

from gen.tandemfog.game.v1.game_pb2 import GESTURE_RESIGN, ActRequest, ActResponse
from libs.runtime.logs import bound
from libs.runtime.metrics import Metrics
from libs.runtime.peers import Peers
from libs.runtime.refusals import Refusal
from services.gateway import acting
from services.gateway.acting import GameStub
from services.gateway.backends import ask
from services.gateway.metrics import GatewayMetrics
from tests.integration.gateway.little import LittleGame, serving
from tests.integration.gateway.test_connection import until

KEY = "s07"


class EarlierGame(LittleGame):
    """Game of a version that knows no stream of commands."""

    async def ActTogether(self, _requests: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")
        yield


@dataclass
class Asker:
    """A gateway's way to game, and what it counts."""

    peers: Peers[GameStub]
    metrics: Metrics

    async def ask(self, request_id: str, **more: Any) -> ActResponse:
        request = ActRequest(request_id=request_id, token="seat", gesture=GESTURE_RESIGN)
        return await ask(self.peers, KEY, lambda stub: stub.act, request, **more)

    def counted(self, name: str) -> float:
        return self.metrics.registry.get_sample_value(f"tandemfog_gateway_{name}", {"peer": "game"}) or 0.0


@asynccontextmanager
async def asker_of(*ports: int) -> AsyncIterator[Asker]:
    metrics = Metrics("gateway")
    spec = ",".join(f"127.0.0.1:{port}" for port in ports)
    stub = partial(GameStub, metrics=GatewayMetrics(metrics))
    async with Peers(spec, stub, name="game") as peers:
        await until(lambda: len(peers.members()) == len(ports))
        yield Asker(peers, metrics)


@dataclass
class Pair:
    """Two replicas: the one that is preferred, and the other."""

    asker: Asker
    preferred: LittleGame
    other: LittleGame
    preferred_server: AsyncExitStack


@pytest.fixture
async def pair() -> AsyncIterator[Pair]:
    games = (LittleGame(), LittleGame())
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(AsyncExitStack()) for _ in games]
        ports = [
            await server.enter_async_context(serving(game))
            for server, game in zip(servers, games, strict=True)
        ]
        asker = await stack.enter_async_context(asker_of(*ports))
        first = ports.index(int(asker.peers.prefer(KEY).rpartition(":")[2]))
        yield Pair(asker, games[first], games[1 - first], servers[first])


async def test_commands_given_at_the_same_time_share_messages_and_so_do_their_answers() -> None:
    game = LittleGame()
    async with serving(game) as port, asker_of(port) as asker:
        await asyncio.gather(*(asker.ask(f"r{number}") for number in range(100)))
        assert sorted(act.request_id for act in game.acts) == sorted(f"r{number}" for number in range(100))
        assert len(game.bundles) < 20
        assert game.replies < 50


async def test_a_command_alone_is_a_message_alone_and_keeps_no_other_one_waiting() -> None:
    game = LittleGame()
    game.held.clear()
    game.never_held = {"second"}
    async with serving(game) as port, asker_of(port) as asker:
        first = asyncio.create_task(asker.ask("first"))
        await until(lambda: len(game.acts) == 1)
        assert (await asker.ask("second")).version == 7
        assert not first.done()
        game.held.set()
        assert (await first).version == 7
        assert [len(bundle.commands) for bundle in game.bundles] == [1, 1]


@pytest.mark.parametrize("reason", ["illegal_move", "over", "unknown_match", "bad_token", "busy"])
async def test_a_refusal_is_the_one_that_a_call_brings(reason: str) -> None:
    game = LittleGame()
    game.refusal = Refusal(reason, "In words of its own.")
    request = ActRequest(request_id="r", token="seat")
    async with serving(game) as port, asker_of(port) as asker:
        told = []
        for method in (lambda stub: stub.act, lambda stub: stub.Act):
            with pytest.raises(Refusal) as caught:
                await ask(asker.peers, KEY, method, request)
            told.append((caught.value.reason, caught.value.detail))
        assert told == [(reason, "In words of its own.")] * 2
        assert len(game.acts) == 2, "a refusal is an answer: nobody else is asked"


async def test_a_replica_that_drains_sends_the_command_to_another_one(pair: Pair) -> None:
    pair.preferred.refusal = Refusal("draining")
    assert (await pair.asker.ask("r")).version == 7
    assert [act.request_id for act in pair.preferred.acts + pair.other.acts] == ["r", "r"]


async def test_what_is_on_its_way_when_the_stream_breaks_is_asked_of_another_replica_under_the_same_id(
    pair: Pair,
) -> None:
    pair.preferred.held.clear()
    names = [f"r{number}" for number in range(5)]
    asked = [asyncio.create_task(pair.asker.ask(name)) for name in names]
    await until(lambda: len(pair.preferred.acts) == 5)
    await pair.preferred_server.aclose()
    assert [answer.version for answer in await asyncio.gather(*asked)] == [7] * 5
    assert sorted(act.request_id for act in pair.other.acts) == names
    assert pair.asker.counted("streams_lost_total") == 1


async def test_a_replica_that_does_not_answer_in_time_is_passed_by(pair: Pair) -> None:
    pair.preferred.held.clear()
    asked_at = time.monotonic()
    assert (await pair.asker.ask("r", timeout_s=0.4)).version == 7
    assert 0.4 <= time.monotonic() - asked_at < 2.0
    assert [act.request_id for act in pair.other.acts] == ["r"]
    # It has answered nobody since: its stream is given up, and with it what it has not read.
    await until(lambda: pair.asker.counted("streams_lost_total") == 1)


async def test_one_command_that_takes_too_long_costs_the_others_nothing(pair: Pair) -> None:
    pair.preferred.held.clear()
    pair.preferred.never_held = {"quick"}
    slow = asyncio.create_task(pair.asker.ask("slow", timeout_s=0.4))
    await until(lambda: len(pair.preferred.acts) == 1)
    await pair.asker.ask("quick")
    assert (await slow).version == 7
    assert [act.request_id for act in pair.other.acts] == ["slow"]
    assert pair.asker.counted("streams_lost_total") == 0


async def test_an_answer_counts_that_lies_unread_because_the_gateway_was_late_itself() -> None:
    game = LittleGame()
    game.held.clear()
    async with serving(game) as port, asker_of(port) as asker:
        asked = asyncio.create_task(asker.ask("r", timeout_s=0.3))
        await until(lambda: len(game.acts) == 1)
        game.held.set()
        time.sleep(0.8)  # noqa: ASYNC251 - nothing in this process gets to run
        assert (await asked).version == 7


async def test_more_commands_than_a_stream_may_carry_wait_for_their_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(acting, "IN_FLIGHT", 3)
    game = LittleGame()
    game.held.clear()
    async with serving(game) as port, asker_of(port) as asker:
        asked = [asyncio.create_task(asker.ask(f"r{number}")) for number in range(5)]
        await until(lambda: len(game.acts) == 3 and asker.counted("streams_full_total") == 2)
        assert not any(task.done() for task in asked)
        game.held.set()
        assert [answer.version for answer in await asyncio.gather(*asked)] == [7] * 5
        assert [act.request_id for act in game.acts] == [f"r{number}" for number in range(5)]


async def test_who_waits_for_a_turn_goes_elsewhere_when_the_stream_ends(
    monkeypatch: pytest.MonkeyPatch, pair: Pair
) -> None:
    monkeypatch.setattr(acting, "IN_FLIGHT", 1)
    pair.preferred.held.clear()
    asked = [asyncio.create_task(pair.asker.ask(f"r{number}")) for number in range(3)]
    await until(lambda: len(pair.preferred.acts) == 1)
    await pair.preferred_server.aclose()
    assert [answer.version for answer in await asyncio.gather(*asked)] == [7] * 3
    assert [act.request_id for act in pair.other.acts] == ["r0", "r1", "r2"]


async def test_who_gives_up_makes_room_and_is_not_sent_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acting, "IN_FLIGHT", 1)
    game = LittleGame()
    game.held.clear()
    async with serving(game) as port, asker_of(port) as asker:
        asked = asyncio.create_task(asker.ask("given up"))
        await until(lambda: len(game.acts) == 1)
        asked.cancel()
        await asyncio.wait((asked,))
        game.held.set()
        assert (await asker.ask("next")).version == 7


async def test_a_replica_of_a_version_without_the_stream_is_asked_by_calls() -> None:
    game = EarlierGame()
    async with serving(game) as port, asker_of(port) as asker:
        answers = await asyncio.gather(*(asker.ask(f"r{number}") for number in range(3)))
        answers.append(await asker.ask("later"))
        assert [answer.version for answer in answers] == [7] * 4
        assert len(game.acts) == 4


async def test_a_command_takes_its_name_in_the_log_and_its_time_along() -> None:
    game = LittleGame()
    async with serving(game) as port, asker_of(port) as asker:
        with bound(request_id="a1b2c3d4e5f6.r"):
            await asker.ask("r")
        await asker.ask("s", timeout_s=0.7)
    first, second = (bundle.commands[0] for bundle in game.bundles)
    assert (first.log_id, first.within_ms) == ("a1b2c3d4e5f6.r", 2_500)
    assert (second.log_id, second.within_ms) == ("", 700)
