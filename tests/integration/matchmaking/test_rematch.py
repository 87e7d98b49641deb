"""From a finished match to the next table (B-rematch)."""

from __future__ import annotations

import asyncio

import pytest

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import call
from tests.integration.matchmaking.harness import COUNTDOWN, FOG, OPEN, STARTED, Matchmaking, Run, reason_of

pytestmark = pytest.mark.rule("B-rematch")


async def agree(matchmaking: Matchmaking, token: str, agreeing: bool = True) -> messages.Table:
    request = messages.SetRematchRequest(token=token, agree=agreeing)
    return (await call(matchmaking.tables.SetRematch, request)).table


async def come(matchmaking: Matchmaking, table_id: str, *seats: int) -> None:
    """Their connections are at the new table now."""
    here = [types_pb2.SeatPresence(match_id=table_id, seat=seat, connections=1) for seat in seats]
    request = messages.ReportPresenceRequest(gateway_id="g1", seats=here)
    await call(matchmaking.tables.ReportPresence, request)


async def test_both_agree_and_play_again_with_swapped_colours(matchmaking: Matchmaking) -> None:
    table_id = (await matchmaking.create(settings=FOG)).table_id
    kari = (await matchmaking.take(table_id, 0, "kari", "Kari")).grant.token
    ola = (await matchmaking.take(table_id, 1, "ola", "Ola")).grant.token
    await matchmaking.until(table_id, STARTED)
    assert await reason_of(agree(matchmaking, kari)) == "no_rematch"
    matchmaking.game.over.add(table_id)
    table = await agree(matchmaking, kari)
    assert list(table.rematch.agreed) == [0]
    assert 0 < table.rematch.expires_in_ms <= 60_000
    assert not (await agree(matchmaking, kari, agreeing=False)).rematch.agreed
    await agree(matchmaking, ola)
    table = await agree(matchmaking, kari)
    next_id = table.rematch.next_table_id
    assert next_id
    claim = messages.ClaimSeatsRequest(table_id=next_id, guest_id="kari")
    claimed = await call(matchmaking.tables.ClaimSeats, claim)
    assert [grant.seat for grant in claimed.grants] == [1]
    assert [seat.name for seat in claimed.table.seats] == ["Ola", "Kari"]
    await come(matchmaking, next_id, 0, 1)
    await matchmaking.until(next_id, STARTED)
    # The same word again names the same table.
    assert (await agree(matchmaking, ola)).rematch.next_table_id == next_id


async def test_one_person_among_bots_plays_again_at_once(matchmaking: Matchmaking) -> None:
    answer = await matchmaking.play_now()
    await matchmaking.until(answer.table.table_id, STARTED)
    matchmaking.game.over.add(answer.table.table_id)
    table = await agree(matchmaking, answer.grant.token)
    await come(matchmaking, table.rematch.next_table_id, 0)
    following = await matchmaking.until(table.rematch.next_table_id, STARTED)
    assert following.seats[0].kind == types_pb2.SEAT_KIND_HUMAN
    assert [seat.kind for seat in following.seats[1:]] == [types_pb2.SEAT_KIND_BOT] * 3


async def test_no_rematch_starts_without_somebody_who_agreed_and_has_gone(run: Run) -> None:
    matchmaking = await run(absent_ms=1_000)
    table_id = (await matchmaking.create(settings=FOG)).table_id
    kari = (await matchmaking.take(table_id, 0, "kari", "Kari")).grant.token
    ola = (await matchmaking.take(table_id, 1, "ola", "Ola")).grant.token
    await matchmaking.until(table_id, STARTED)
    matchmaking.game.over.add(table_id)
    await agree(matchmaking, kari)
    next_id = (await agree(matchmaking, ola)).rematch.next_table_id
    async with asyncio.timeout(10):
        while (following := await matchmaking.get(next_id)).state != OPEN:
            assert following.state == COUNTDOWN
            await come(matchmaking, next_id, 0)  # Ola, who has Kari's colour now; Kari's browser is closed
    free = types_pb2.SEAT_KIND_UNSPECIFIED
    assert [seat.kind for seat in following.seats] == [types_pb2.SEAT_KIND_HUMAN, free]
    assert not any(made.match_id == next_id for made in matchmaking.game.requests)
