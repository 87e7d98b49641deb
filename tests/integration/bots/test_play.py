"""A person among bots: what they answer, and that they outlive their workers."""

from __future__ import annotations

import asyncio

import pytest

from gen.tandemfog.game.v1 import game_pb2
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import Refusal
from services.matchmaking.settings import MatchmakingSettings
from tests.integration.bots.harness import FOG, TANDEM, Stack
from tests.kit.service import ServiceProcess


@pytest.mark.rule("B-fill")
async def test_a_person_and_a_bot_take_turns_in_fog(stack: Stack) -> None:
    async with stack.bots():
        answer = await stack.play_now(FOG)
        match_id = answer.table.table_id
        async with stack.seat(match_id, 0, answer.grant.token) as person:
            for ply in range(0, 8, 2):
                await person.until_ply(ply)
                await person.act(uci=person.view.moves()[0])
            await person.until_ply(8)


@pytest.mark.rule("F-draw")
async def test_a_fog_bot_answers_a_draw_offer_by_its_own_judgement(stack: Stack) -> None:
    async with stack.bots():
        answer = await stack.play_now(FOG)
        async with stack.seat(answer.table.table_id, 0, answer.grant.token) as person:
            await person.until(lambda: person.view.on_turn)
            await person.act(gesture=game_pb2.GESTURE_OFFER_DRAW)
            # So early it has no reason to agree.
            await person.until(lambda: person.view.version >= 3)
            assert person.view.outcome is None
            assert not person.view.standing.draw_agreed


async def test_the_partner_bot_answers_and_sits_until_it_is_told_to_go(stack: Stack) -> None:
    answer = await stack.play_now(TANDEM)
    async with stack.seat(answer.table.table_id, 0, answer.grant.token) as person:
        await person.until(lambda: person.view.seen)
        async with stack.bots(pace=0.2):
            # White on B moves sooner or later; by then Black on B, the partner, sits.
            await person.until(lambda: person.ply_on(1) == 1 or person.heard() != [])
            await person.say(types_pb2.QUICK_MESSAGE_SIT)
            await person.until(lambda: person.heard() == [types_pb2.QUICK_MESSAGE_YES])
            sat_at = person.ply_on(1)
            await asyncio.sleep(1.5)
            assert person.ply_on(1) <= sat_at + 1
            await person.say(types_pb2.QUICK_MESSAGE_GO)
            await person.until(lambda: person.ply_on(1) >= sat_at + 2)
            await person.say(types_pb2.QUICK_MESSAGE_NEED_QUEEN)
            await person.until(lambda: person.heard()[-1] == types_pb2.QUICK_MESSAGE_NO)


@pytest.mark.scenario("W02")
async def test_another_worker_plays_on_when_one_is_killed(stack: Stack) -> None:
    environment = {
        "TANDEMFOG_PEERS_MATCHMAKING": stack.matchmaking_address,
        "TANDEMFOG_PEERS_GAME": stack.game_address,
        "TANDEMFOG_PEERS_VISIBILITY": stack.visibility_address,
        "TANDEMFOG_BOTS_PACE": "0",
        "TANDEMFOG_BOTS_LEASE_EVERY_MS": "50",
    }
    async with ServiceProcess("bots", environment) as first:
        answer = await stack.play_now(FOG)
        async with stack.seat(answer.table.table_id, 0, answer.grant.token) as person:
            await person.until(lambda: person.view.on_turn)
            await person.act(uci="e2e4")
            await person.until_ply(2)
            await first.kill()
            await person.act(uci="d2d4")
            async with ServiceProcess("bots", environment):
                await person.until_ply(4)
                await person.act(gesture=game_pb2.GESTURE_RESIGN)
                assert (await stack.finished(answer.table.table_id)).winner == 2


async def test_an_old_lease_cannot_move(stack: Stack) -> None:
    """The seat's token carries the lease; game knows the newest one."""
    answer = await stack.play_now(FOG)
    match_id = answer.table.table_id
    async with stack.seat(match_id, 0, answer.grant.token) as person:
        await person.until(lambda: person.view.on_turn)
        await person.act(uci="e2e4")
        [old] = await stack.lease("w1")
        await asyncio.sleep(MatchmakingSettings.model_fields["lease_ms"].default / 1000 + 0.1)
        [new] = await stack.lease("w2")
        assert new.lease.lease == old.lease.lease + 1
        async with stack.seat(match_id, 1, new.token) as second:
            await second.until(lambda: second.view.on_turn)
            await second.act(uci="e7e5")
        async with stack.seat(match_id, 1, old.token) as first:
            await person.until(lambda: person.view.on_turn)
            await person.act(uci="d2d4")
            await first.until_ply(3)
            with pytest.raises(Refusal) as caught:
                await first.act(uci="a7a6")
            assert caught.value.reason == "stale_lease"
