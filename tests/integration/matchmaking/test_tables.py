"""Tables from their making to the start of their match."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import redis.asyncio

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.types.v1 import types_pb2
from libs.identity.ids import shard_of
from libs.runtime.refusals import call
from services.matchmaking.keys import changes_key, table_key
from tests.integration.matchmaking.harness import (
    CLOSED,
    COUNTDOWN,
    FOG,
    OPEN,
    STARTED,
    TANDEM,
    Matchmaking,
    Run,
    reason_of,
)


async def test_a_table_is_made_once_for_a_repeated_request(matchmaking: Matchmaking) -> None:
    first = await matchmaking.create()
    again = await matchmaking.create()
    other = await matchmaking.create(guest="other")
    assert first == again
    assert first.table_id != other.table_id
    assert first.state == OPEN
    assert len(first.seats) == 4
    assert first.settings.time.initial_ms == 180_000


async def test_four_people_take_their_seats_and_the_match_starts(matchmaking: Matchmaking) -> None:
    table = await matchmaking.create()
    for seat in range(4):
        answer = await matchmaking.take(table.table_id, seat, f"guest{seat}", f"Name {seat}")
    assert answer.table.state == COUNTDOWN
    assert 0 < answer.table.starts_in_ms <= 100
    await matchmaking.until(table.table_id, STARTED)
    [request] = matchmaking.game.requests
    assert request.match_id == table.table_id
    assert [seat.name for seat in request.seats] == ["Name 0", "Name 1", "Name 2", "Name 3"]
    assert request.time.initial_ms == 180_000
    assert await reason_of(matchmaking.take(table.table_id, None, "late")) == "already_started"


@pytest.mark.rule("B-fill")
async def test_play_now_seats_the_guest_among_bots(matchmaking: Matchmaking) -> None:
    answer = await matchmaking.play_now()
    assert answer.grant.seat == 0
    kinds = [seat.kind for seat in answer.table.seats]
    assert kinds == [types_pb2.SEAT_KIND_HUMAN, *[types_pb2.SEAT_KIND_BOT] * 3]
    again = await matchmaking.play_now()
    assert again.table.table_id == answer.table.table_id
    await matchmaking.until(answer.table.table_id, STARTED)


async def test_bad_requests_get_named_refusals(matchmaking: Matchmaking) -> None:
    table_id = (await matchmaking.create()).table_id
    await matchmaking.take(table_id, 0, "first")
    assert await reason_of(matchmaking.take(table_id, 0, "second")) == "seat_taken"
    assert await reason_of(matchmaking.take(table_id, 4, "second")) == "unknown_seat"
    assert await reason_of(matchmaking.take("07" + "a" * 24, 0, "second")) == "unknown_table"
    assert await reason_of(matchmaking.take("nonsense", 0, "second")) == "unknown_table"
    assert await reason_of(matchmaking.take(table_id, 1, "second", "x" * 21)) == "bad_name"
    assert await reason_of(matchmaking.bot(table_id, 1, 9)) == "bad_level"
    assert await reason_of(matchmaking.bot(table_id, 1, guest="passer-by")) == "not_your_table"
    profiled = messages.TableSettings(variant=types_pb2.VARIANT_FOG, profile=types_pb2.PROFILE_CLUB)
    assert await reason_of(matchmaking.create(settings=profiled)) == "fog_not_combinable"
    hasty = messages.TableSettings(
        variant=types_pb2.VARIANT_TANDEM, time=types_pb2.TimeControl(initial_ms=14_999)
    )
    assert await reason_of(matchmaking.create(settings=hasty)) == "bad_time"
    assert await reason_of(matchmaking.create(settings=messages.TableSettings())) == "bad_variant"
    assert await reason_of(matchmaking.create(request="not an id")) == "bad_request_id"


async def test_a_guest_claims_the_seat_again_and_others_get_nothing(matchmaking: Matchmaking) -> None:
    table_id = (await matchmaking.create(settings=FOG)).table_id
    taken = await matchmaking.take(table_id, 1, "kari")
    again = await matchmaking.take(table_id, 1, "kari")
    assert again.grant.seat == taken.grant.seat
    assert again.table.version == taken.table.version

    async def claim(guest: str) -> messages.ClaimSeatsResponse:
        request = messages.ClaimSeatsRequest(table_id=table_id, guest_id=guest)
        return await call(matchmaking.tables.ClaimSeats, request)

    assert [grant.seat for grant in (await claim("kari")).grants] == [1]
    stranger = await claim("stranger")
    assert not stranger.grants
    assert b"kari" not in stranger.SerializeToString()


@pytest.mark.rule("T-abort")
async def test_leaving_in_the_countdown_frees_the_seat_and_stops_it(run: Run) -> None:
    matchmaking = await run(countdown_ms=60_000)
    table_id = (await matchmaking.create(settings=FOG)).table_id
    await matchmaking.bot(table_id, 0)
    taken = await matchmaking.take(table_id, 1, "kari")
    assert taken.table.state == COUNTDOWN
    left = await call(matchmaking.tables.LeaveSeat, messages.LeaveSeatRequest(token=taken.grant.token))
    assert left.table.state == OPEN
    assert left.table.seats[1].kind == types_pb2.SEAT_KIND_UNSPECIFIED
    leave = call(matchmaking.tables.LeaveSeat, messages.LeaveSeatRequest(token=taken.grant.token))
    assert await reason_of(leave) == "not_your_seat"


@pytest.mark.rule("B-link")
async def test_a_seat_without_a_connection_is_free_again(run: Run) -> None:
    matchmaking = await run(absent_ms=400)
    table_id = (await matchmaking.create()).table_id
    await matchmaking.take(table_id, 0, "kari")
    await matchmaking.take(table_id, 1, "ola")
    presence = messages.ReportPresenceRequest(
        gateway_id="g1", seats=[types_pb2.SeatPresence(match_id=table_id, seat=1, connections=1)]
    )
    async with asyncio.timeout(5):
        while (table := await matchmaking.get(table_id)).seats[0].kind != types_pb2.SEAT_KIND_UNSPECIFIED:
            await call(matchmaking.tables.ReportPresence, presence)
            await asyncio.sleep(0.05)
    assert table.seats[1].kind == types_pb2.SEAT_KIND_HUMAN
    assert table.seats[1].online
    presence.seats[0].connections = 0
    await call(matchmaking.tables.ReportPresence, presence)
    assert not (await matchmaking.get(table_id)).seats[1].online


@pytest.mark.rule("B-link")
async def test_a_table_that_does_not_fill_closes_and_says_why(run: Run) -> None:
    matchmaking = await run(unfilled_ms=100)
    table_id = (await matchmaking.create()).table_id
    table = await matchmaking.until(table_id, CLOSED)
    assert table.closed_reason == "not_filled"
    assert await reason_of(matchmaking.take(table_id, 0, "late")) == "table_closed"


async def test_public_tables_are_listed_open_ones_first_then_newest_first(matchmaking: Matchmaking) -> None:
    def settings(public: bool) -> messages.TableSettings:
        return messages.TableSettings(variant=types_pb2.VARIANT_TANDEM, public=public)

    playing = (await matchmaking.play_now(settings=settings(True))).table.table_id
    await matchmaking.create(request="hidden", settings=TANDEM)
    older = (await matchmaking.create(request="older", settings=settings(True))).table_id
    await asyncio.sleep(0.002)
    newer = (await matchmaking.create(request="newer", settings=settings(True))).table_id
    for table_id, guest in ((older, "ola"), (newer, "nina")):
        await matchmaking.take(table_id, 0, guest)
    await matchmaking.create(request="empty", settings=settings(True))  # nobody sits there: shown to nobody
    await matchmaking.until(playing, STARTED)

    async def listed() -> list[str]:
        answer = await call(matchmaking.tables.ListTables, messages.ListTablesRequest())
        return [table.table_id for table in answer.tables]

    assert await listed() == [newer, older, playing]


async def test_many_open_tables_do_not_hide_those_where_people_play(matchmaking: Matchmaking) -> None:
    settings = messages.TableSettings(variant=types_pb2.VARIANT_TANDEM, public=True)
    playing = (await matchmaking.play_now(settings=settings)).table.table_id
    await matchmaking.until(playing, STARTED)
    for number in range(5):
        made = await matchmaking.create(request=f"more-{number}", settings=settings)
        await matchmaking.take(made.table_id, 0, f"guest-{number}")
    request = messages.ListTablesRequest(limit=4)
    listed = (await call(matchmaking.tables.ListTables, request)).tables
    assert [table.table_id == playing for table in listed] == [False, False, False, True]


async def test_who_sat_where_is_in_the_store_only_for_a_while_after_the_match(
    run: Run, valkey_url: str
) -> None:
    matchmaking = await run(keep_ms=60_000, changes_keep_ms=100, status_ms=100)
    table_id = (await matchmaking.play_now(settings=FOG)).table.table_id
    await matchmaking.until(table_id, STARTED)
    async with redis.asyncio.from_url(valkey_url) as client:
        assert int(await client.pttl(table_key(table_id))) > 60_000
        matchmaking.game.over.add(table_id)
        changes: Any = changes_key(shard_of(table_id))
        async with asyncio.timeout(10):
            while int(await client.pttl(table_key(table_id))) > 60_000 or await client.xlen(changes):
                await asyncio.sleep(0.01)
    assert (await matchmaking.get(table_id)).state == STARTED, "the table itself is there all that while"


async def test_a_table_of_a_form_that_a_newer_replica_writes_is_left_to_that(
    matchmaking: Matchmaking, valkey_url: str
) -> None:
    settings = messages.TableSettings(variant=types_pb2.VARIANT_FOG, public=True)
    table_id = (await matchmaking.create(settings=settings)).table_id
    await matchmaking.take(table_id, 0, "kari")
    listed = messages.ListTablesRequest(limit=10)
    assert len((await call(matchmaking.tables.ListTables, listed)).tables) == 1
    async with redis.asyncio.from_url(valkey_url) as client:
        store: Any = client
        body = json.loads(await store.hget(table_key(table_id), "body"))
        newer = json.dumps({**body, "schema": 2, "state": "adjourned", "told": ["more"]})
        await store.hset(table_key(table_id), "body", newer)
        assert await reason_of(matchmaking.get(table_id)) == "unavailable"
        assert await reason_of(matchmaking.take(table_id, 1, "ola")) == "unavailable"
        assert not (await call(matchmaking.tables.ListTables, listed)).tables
        assert (await store.hget(table_key(table_id), "body")).decode() == newer, "nothing of it is lost"
