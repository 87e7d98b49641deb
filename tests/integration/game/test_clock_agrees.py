"""One random sequence drives libs/rules/clock.py and the store's commit step; every number is compared."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from gen.tandemfog.feed.v1.feed_pb2 import RawEvent
from libs.identity.ids import new_table_id
from libs.rules.clock import Clock, DeadlineKind, LagTracker, earliest
from libs.rules.fog import FogGame
from libs.rules.tandem import TandemMatch
from libs.runtime.metrics import Metrics
from services.game.decide import Decision
from services.game.keys import match_keys
from services.game.match import Player, start_match
from services.game.metrics import GameMetrics
from services.game.stamps import Stamp, read_stamp
from services.game.store import Request, Store, open_store
from tests.integration.game.kit import START_US, StoreClock, game_settings

PLAYERS = tuple(Player(True, f"P{seat}", 0, True) for seat in range(4))


def compare(clock: Clock, stamp: Stamp, at_us: int) -> None:
    assert stamp.at_us == at_us
    assert stamp.remaining_us == clock.read(at_us)
    assert stamp.running == {seat for seat in clock.running if seat is not None}


async def scheduled(store: Store, match_id: str) -> float | None:
    return await store.client.zscore(match_keys(match_id).shard.deadlines, match_id)


@pytest.mark.rule("T-clock")
@pytest.mark.rule("T-lag")
@pytest.mark.rule("T-leave")
@pytest.mark.parametrize("seed", range(12))
async def test_the_store_reckons_like_the_rules(
    seed: int, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    dice = random.Random(seed)
    initial_ms, increment_ms = dice.choice([15_000, 61_237, 180_000]), dice.choice([0, 0, 1_999])
    match_id = new_table_id(7, dice.randbytes(15))
    match = start_match(match_id, TandemMatch.start("online"), PLAYERS, initial_ms, increment_ms)
    expected = Clock.start(2, initial_ms * 1000, increment_ms * 1000)
    leaves: dict[int, int] = {}
    lags = [LagTracker()] * 4
    at_us = 0
    started_us = clock.now_us
    keys = match_keys(match_id)
    # Presence is not this test's matter: its check would be scheduled before some of the deadlines.
    settings = game_settings(valkey_url, tmp_path, start_grace_ms=3_600_000 * 24)
    async with open_store(settings, GameMetrics(Metrics("game"))) as store:
        await store.create(match, RawEvent(match_id=match_id).SerializeToString())
        for _ in range(80):
            step_us = dice.choice([1, 999, 40_000, 700_000, 2_300_001, 9_000_000])
            clock.advance(step_us)
            at_us += step_us
            deadline = earliest(expected, leaves, None)
            assert deadline is not None
            match = replace(match, version=match.version + 1)
            board, lag_us = dice.randrange(2), dice.choice([0, 0, 17, 250_000, 5_000_000])
            decision = Decision(match, RawEvent(match_id=match_id), True, pressed=board)
            action = dice.choice(["press", "press", "press", "leave", "back"])
            if action != "press":
                seat = dice.randrange(4)
                limit_ms = dice.choice([3_000, 20_000]) if action == "leave" else None
                decision = replace(decision, pressed=None, leaves_ms={seat: limit_ms})
            answer = await store.commit(keys, Request(None, "", lag_us=lag_us), decision)
            if at_us >= deadline.at_us:
                assert answer == [b"deadline", deadline.kind.name.lower().encode(), b"%d" % deadline.seat]
                ended = replace(match, game=replace(match.game, outcome=match.lost_by(deadline.seat, "time")))
                name = f"{deadline.kind.name.lower()} {deadline.seat}"
                answer = await store.expire(keys, Decision(ended, RawEvent(), True), name)
                assert answer[0] == b"done"
                compare(expected.stop(deadline.at_us), read_stamp(answer[1]), deadline.at_us)
                assert await scheduled(store, match_id) is None
                break
            assert answer[0] == b"done"
            if decision.pressed is not None:
                mover = expected.running[board]
                assert mover is not None
                spent_us = at_us - expected.since_us[board]
                credit_us, lags[mover] = lags[mover].credit(min(lag_us, spent_us))
                expected = expected.press(board, at_us, credit_us)
                assert read_stamp(answer[1]).lag_us == credit_us
            elif limit_ms is not None:
                leaves[seat] = at_us + limit_ms * 1000
            else:
                leaves.pop(seat, None)
            compare(expected, read_stamp(answer[1]), at_us)
            following = earliest(expected, leaves, None)
            assert following is not None
            assert await scheduled(store, match_id) == started_us + following.at_us
            pause_us = dice.randrange(1, 5_000)
            clock.advance(pause_us)
            at_us += pause_us
            if at_us < following.at_us:
                reading = await store.read(match_id, whole=False)
                assert not reading.is_past
                compare(expected, read_stamp(reading.stamp), at_us)
        assert started_us >= START_US
        assert DeadlineKind.FLAG < DeadlineKind.LEAVE < DeadlineKind.IDLE


@pytest.mark.rule("F-curtain")
@pytest.mark.parametrize("seed", range(4))
async def test_the_store_reckons_like_the_rules_behind_a_curtain(
    seed: int, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    dice = random.Random(seed)
    match_id = new_table_id(7, dice.randbytes(15))
    match = start_match(match_id, FogGame.start(), PLAYERS[:2], 15_000, 1_999, has_curtain=True)
    expected = Clock.behind_curtain(15_000_000, 1_999_000)
    settings = game_settings(valkey_url, tmp_path)
    idle_us = settings.idle_ms * 1000
    at_us, started_us, turn = 0, clock.now_us, 0
    async with open_store(settings, GameMetrics(Metrics("game"))) as store:
        await store.create(match, RawEvent(match_id=match_id).SerializeToString())
        for _ in range(80):
            following = earliest(expected, {}, idle_us)
            assert following is not None
            assert await scheduled(store, match_id) == started_us + following.at_us
            # Behind the curtain a player may take all the time there is.
            is_lift = expected.running == (None,)
            step_us = dice.choice([1, 40_000, 700_000, 4_000_001, 60_000_000 if is_lift else 1])
            clock.advance(step_us)
            at_us += step_us
            compare(expected, read_stamp((await store.read(match_id, whole=False)).stamp), at_us)
            match = replace(match, version=match.version + 1)
            decision = Decision(match, RawEvent(match_id=match_id), True)
            decision = replace(decision, lifted=turn) if is_lift else replace(decision, pressed=0)
            answer = await store.commit(match_keys(match_id), Request(None, ""), decision)
            if at_us >= following.at_us:
                assert answer == [b"deadline", b"flag", b"%d" % turn]
                break
            assert answer[0] == b"done"
            expected = expected.lift(turn, at_us) if is_lift else expected.press(0, at_us)
            turn = turn if is_lift else 1 - turn
            compare(expected, read_stamp(answer[1]), at_us)
