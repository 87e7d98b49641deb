"""Starts that go wrong, and seats that several want at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import Refusal, call
from tests.integration.matchmaking.harness import COUNTDOWN, OPEN, STARTED, STARTING, Run, following


@pytest.mark.scenario("R09")
async def test_people_get_their_places_back_when_game_refuses_the_start(run: Run) -> None:
    matchmaking = await run()
    matchmaking.game.refuses = True
    table_id = (await matchmaking.create()).table_id
    async with following(matchmaking) as follower:
        follower.ask(follow=[table_id])
        await follower.until(table_id, OPEN)
        for seat in range(4):
            await matchmaking.take(table_id, seat, f"g{seat}", f"Name {seat}")
        await follower.until(table_id, STARTING)
        table = await follower.until(table_id, OPEN)
        # One word for all the attempts, and one that the places are given back.
        after = follower.tables[[table.state for table in follower.tables].index(STARTING) :]
        assert [table.state for table in after] == [STARTING, OPEN]
    assert table.closed_reason == "start_failed"
    assert [seat.name for seat in table.seats] == ["Name 0", "Name 1", "Name 2", "Name 3"]
    assert len(matchmaking.game.requests) == 4
    # Whoever likes may leave, and the table starts when it is full again and game is well.
    matchmaking.game.refuses = False
    grants = await call(
        matchmaking.tables.ClaimSeats, messages.ClaimSeatsRequest(table_id=table_id, guest_id="g2")
    )
    await call(matchmaking.tables.LeaveSeat, messages.LeaveSeatRequest(token=grants.grants[0].token))
    await matchmaking.take(table_id, 2, "other", "Other")
    await matchmaking.until(table_id, STARTED)
    assert [seat.name for seat in matchmaking.game.seats_of(table_id)][2] == "Name 2"
    assert matchmaking.game.requests[-1].seats[2].name == "Other"


async def test_two_replicas_start_a_match_with_one_answer(run: Run) -> None:
    first, second = await run(), await run()
    tables = [(await first.play_now(request=f"p{number}")).table.table_id for number in range(8)]
    for table_id in tables:
        assert (await second.until(table_id, STARTED)).version == (await first.get(table_id)).version
    assert sorted(made.match_id for made in first.game.requests) == sorted(tables)


@pytest.mark.scenario("R10")
async def test_a_seat_wanted_by_many_has_exactly_one_owner(run: Run) -> None:
    first, second = await run(countdown_ms=60_000), await run(countdown_ms=60_000)
    table_id = (await first.create()).table_id

    async def attempt(number: int) -> int | str:
        try:
            answer = await (first, second)[number % 2].take(table_id, number % 4, f"g{number}")
        except Refusal as refusal:
            return refusal.reason
        return answer.grant.seat

    answers = await asyncio.gather(*(attempt(number) for number in range(200)))
    assert sorted(answer for answer in answers if isinstance(answer, int)) == [0, 1, 2, 3]
    assert {answer for answer in answers if isinstance(answer, str)} <= {"seat_taken", "busy"}
    assert (await first.get(table_id)).state == COUNTDOWN


@pytest.mark.scenario("R10")
async def test_leaving_while_the_seat_is_filled_never_starts_three_players(run: Run) -> None:
    first, second = await run(countdown_ms=10), await run(countdown_ms=10)
    for round_number in range(12):
        table_id = (await first.create(request=f"r{round_number}")).table_id
        for seat in range(3):
            await first.bot(table_id, seat)
        token = (await first.take(table_id, 3, "kari")).grant.token

        async def quietly(asked: Any) -> Any:
            try:
                return await asked
            except Refusal as refusal:
                return refusal.reason

        left, filled = await asyncio.gather(
            quietly(call(first.tables.LeaveSeat, messages.LeaveSeatRequest(token=token))),
            quietly(second.bot(table_id, 3)),
        )
        if left == "already_started" or filled != "seat_taken":
            await first.until(table_id, STARTED)
            kinds = [seat.kind for seat in first.game.seats_of(table_id)]
            assert types_pb2.SEAT_KIND_UNSPECIFIED not in kinds
            expected = types_pb2.SEAT_KIND_HUMAN if left == "already_started" else types_pb2.SEAT_KIND_BOT
            assert kinds[3] == expected
        else:
            table = await first.get(table_id)
            assert table.state == OPEN
            assert table.seats[3].kind == types_pb2.SEAT_KIND_UNSPECIFIED


async def test_a_start_whose_answer_was_lost_is_a_start(run: Run) -> None:
    matchmaking = await run(start_timeout_ms=100)
    matchmaking.game.silent = True
    table_id = (await matchmaking.play_now()).table.table_id
    await matchmaking.until(table_id, STARTED)
    assert {made.match_id for made in matchmaking.game.requests} == {table_id}
