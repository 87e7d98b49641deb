"""Tables for two people on one device, over gRPC (F-curtain)."""

from __future__ import annotations

import pytest

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import call
from tests.integration.matchmaking.harness import STARTED, Matchmaking, reason_of

pytestmark = pytest.mark.rule("F-curtain")
CURTAIN = messages.TableSettings(variant=types_pb2.VARIANT_FOG, curtain=True)


async def create(matchmaking: Matchmaking, *names: str) -> messages.CreateTableResponse:
    request = messages.CreateTableRequest(request_id="c1", guest_id="maker", settings=CURTAIN, names=names)
    return await call(matchmaking.tables.CreateTable, request)


async def test_the_maker_gets_both_seats_and_game_is_told_of_the_curtain(matchmaking: Matchmaking) -> None:
    made = await create(matchmaking, "Kari", "Ola")
    assert [grant.seat for grant in made.grants] == [0, 1]
    assert len({grant.token for grant in made.grants}) == 2
    assert made.table.settings.curtain
    assert [seat.name for seat in made.table.seats] == ["Kari", "Ola"]
    again = await create(matchmaking, "Kari", "Ola")
    assert again.table.table_id == made.table.table_id
    assert [grant.seat for grant in again.grants] == [0, 1]
    await matchmaking.until(made.table.table_id, STARTED)
    [request] = matchmaking.game.requests
    assert request.curtain
    assert list(request.leases) == [1, 1]
    listed = await call(matchmaking.tables.ListTables, messages.ListTablesRequest())
    assert made.table.table_id not in [table.table_id for table in listed.tables]


async def test_both_seats_are_claimed_by_the_guest_and_each_by_its_token(matchmaking: Matchmaking) -> None:
    made = await create(matchmaking)
    claim = messages.ClaimSeatsRequest(table_id=made.table.table_id, guest_id="maker")
    assert [grant.seat for grant in (await call(matchmaking.tables.ClaimSeats, claim)).grants] == [0, 1]
    claim = messages.ClaimSeatsRequest(
        table_id=made.table.table_id, guest_id="other", token=made.grants[1].token
    )
    assert [grant.seat for grant in (await call(matchmaking.tables.ClaimSeats, claim)).grants] == [1]


@pytest.mark.rule("B-rematch")
async def test_a_rematch_needs_one_word_and_each_old_token_leads_to_the_other_colour(
    matchmaking: Matchmaking,
) -> None:
    made = await create(matchmaking, "Kari", "Ola")
    table_id = made.table.table_id
    await matchmaking.until(table_id, STARTED)
    matchmaking.game.over.add(table_id)
    agree = messages.SetRematchRequest(token=made.grants[0].token, agree=True)
    next_id = (await call(matchmaking.tables.SetRematch, agree)).table.rematch.next_table_id
    assert next_id
    for grant in made.grants:
        claim = messages.ClaimSeatsRequest(table_id=next_id, guest_id="other", token=grant.token)
        claimed = await call(matchmaking.tables.ClaimSeats, claim)
        assert [new.seat for new in claimed.grants] == [1 - grant.seat]
    table = await matchmaking.until(next_id, STARTED)
    assert [seat.name for seat in table.seats] == ["Ola", "Kari"]


async def test_what_cannot_have_a_curtain_is_refused_by_name(matchmaking: Matchmaking) -> None:
    tandem = messages.TableSettings(variant=types_pb2.VARIANT_TANDEM, curtain=True)
    listed = messages.TableSettings(variant=types_pb2.VARIANT_FOG, curtain=True, public=True)
    for settings in (tandem, listed):
        assert await reason_of(matchmaking.create(settings=settings)) == "curtain_not_combinable"
    assert await reason_of(matchmaking.play_now(settings=CURTAIN)) == "curtain_not_combinable"
