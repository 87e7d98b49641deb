"""How a player takes game's answers. As game refuses no legal move, hands that do so stand in for it."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, cast

import pytest

from gen.tandemfog.game.v1 import game_pb2
from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.view.v1 import view_pb2
from libs.runtime.metrics import Metrics
from services.bots.hands import DONE
from services.bots.metrics import BotsMetrics
from services.bots.player import TRIES, Player
from services.bots.pool import SearchPool
from services.bots.thinker import Thinker
from services.bots.watching import Watcher

START = "?" * 32 + "........" + "........" + "PPPPPPPP" + "RNBQKBNR"


class Hands:
    """Answers every move with the next of ``answers``, the last one for good."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.moves: list[tuple[str, int, str]] = []
        self.gestures: list[game_pb2.Gesture.ValueType] = []
        self.said: list[types_pb2.QuickMessage.ValueType] = []
        self.news = asyncio.Condition()

    async def move(self, request_id: str, _board: int, ply: int, uci: str) -> str:
        async with self.news:
            self.moves.append((request_id, ply, uci))
            self.news.notify_all()
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    async def gesture(self, _request_id: str, gesture: game_pb2.Gesture.ValueType) -> str:
        self.gestures.append(gesture)
        return DONE

    async def say(self, _request_id: str, quick: types_pb2.QuickMessage.ValueType) -> str:
        self.said.append(quick)
        return DONE

    async def until(self, count: int) -> None:
        async with asyncio.timeout(5), self.news:
            await self.news.wait_for(lambda: len(self.moves) >= count)


class Watching:
    """Counts how often a view was asked for."""

    def __init__(self) -> None:
        self.asked = 0
        self.left = False

    def watch(self, _watcher: Watcher) -> None:
        self.asked += 1

    def leave(self, _watcher: Watcher) -> None:
        self.left = True


def view(version: int, ply: int, full: bool = False, outcome: str = "") -> view_pb2.Frame:
    """White's view of a fog game at its start, at this ply."""
    seen = view_pb2.View(match_id="m", version=version, full=full)
    if full:
        seen.setup.variant = types_pb2.VARIANT_FOG
    seen.boards.append(view_pb2.BoardView(pieces=START, ply=ply, white_to_move=ply % 2 == 0))
    seen.legal.ply = ply
    if ply % 2 == 0:
        for file in "abcdefgh":
            seen.legal.origins.append(view_pb2.Origin(**{"from": f"{file}2"}, to=[f"{file}3", f"{file}4"]))
    if outcome:
        seen.outcome.reason = outcome
    return view_pb2.Frame(viewers=[1], view=seen)


class Game:
    """A player at work with these hands."""

    def __init__(self, *answers: str) -> None:
        self.hands, self.watching = Hands(*answers), Watching()
        hands, watching = cast(Any, self.hands), cast(Any, self.watching)
        metrics = BotsMetrics(Metrics("bots"))
        thinker = Thinker(SearchPool(0, metrics), metrics)
        self.player = Player(1, "m", 0, 7, "token", 3, hands, watching, thinker, metrics, 0.0, Random(1))
        self.task = asyncio.create_task(self.player.run())

    async def settle(self) -> None:
        """Let everything happen that happens without time passing."""
        for _ in range(50):
            await asyncio.sleep(0)

    async def end(self) -> None:
        self.player.frame(view(99, 1, full=True, outcome="closed"))
        async with asyncio.timeout(5):
            await self.task


@pytest.mark.scenario("W05")
@pytest.mark.scenario("T13")
async def test_refused_moves_are_tried_anew_twice_and_then_no_more() -> None:
    game = Game("illegal_move")
    game.player.frame(view(1, 0, full=True))
    await game.hands.until(TRIES)
    await game.settle()
    assert len(game.hands.moves) == TRIES
    assert len({uci for _, _, uci in game.hands.moves}) == TRIES
    assert len({request_id for request_id, _, _ in game.hands.moves}) == TRIES
    # In the next position it begins anew.
    game.player.frame(view(2, 2))
    await game.hands.until(2 * TRIES)
    await game.settle()
    assert len(game.hands.moves) == 2 * TRIES
    await game.end()


async def test_an_unanswered_move_is_sent_again_under_its_id() -> None:
    game = Game("unavailable", "busy", DONE)
    game.player.frame(view(1, 0, full=True))
    await game.hands.until(3)
    await game.settle()
    assert len(set(game.hands.moves)) == 1
    await game.end()


@pytest.mark.rule("B-stale")
async def test_a_stale_move_asks_for_a_full_view_and_is_not_repeated() -> None:
    game = Game("stale", DONE)
    game.player.frame(view(1, 0, full=True))
    await game.hands.until(1)
    await game.settle()
    assert game.watching.asked == 2
    assert len(game.hands.moves) == 1
    game.player.frame(view(5, 4, full=True))
    await game.hands.until(2)
    assert game.hands.moves[1][1] == 4
    await game.end()


async def test_a_gap_asks_for_a_full_view() -> None:
    game = Game(DONE)
    game.player.frame(view(1, 1, full=True))
    game.player.frame(view(3, 3))
    await game.settle()
    assert game.watching.asked == 2
    await game.end()


@pytest.mark.parametrize("reason", ["stale_lease", "not_your_seat"])
async def test_a_seat_that_another_worker_holds_is_given_up(reason: str) -> None:
    game = Game(reason)
    game.player.frame(view(1, 0, full=True))
    async with asyncio.timeout(5):
        await game.task
    assert game.player.lost
    assert game.watching.left


async def test_the_end_of_the_match_ends_the_play() -> None:
    game = Game(DONE)
    game.player.frame(view(1, 1, full=True))
    await game.settle()
    await game.end()
    assert not game.player.lost
    assert game.watching.left


async def test_what_was_said_before_it_came_is_not_answered_and_later_words_are() -> None:
    game = Game(DONE)
    first = view(1, 1, full=True)
    first.view.talk.add(number=1, seat=3, quick=types_pb2.QUICK_MESSAGE_NEED_PAWN)
    game.player.frame(first)
    await game.settle()
    assert game.hands.said == []
    later = types_pb2.TalkLine(number=2, seat=3, quick=types_pb2.QUICK_MESSAGE_NEED_QUEEN)
    game.player.frame(view_pb2.Frame(viewers=[1], talk=later))
    await game.settle()
    assert game.hands.said == [types_pb2.QUICK_MESSAGE_NO]
    await game.end()


@pytest.mark.rule("F-draw")
async def test_a_draw_offer_is_answered_once() -> None:
    game = Game(DONE)
    game.player.frame(view(1, 1, full=True))
    offered = view_pb2.View(version=2, standing=view_pb2.Standing(draw_agreed=[1]))
    game.player.frame(view_pb2.Frame(viewers=[1], view=offered))
    await game.settle()
    game.player.frame(view_pb2.Frame(viewers=[1], view=view_pb2.View(version=3)))
    await game.settle()
    assert game.hands.gestures == [game_pb2.GESTURE_DECLINE_DRAW]
    await game.end()
