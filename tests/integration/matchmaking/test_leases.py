"""Bot seats and the workers that lease them."""

from __future__ import annotations

import asyncio

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from libs.identity.tokens import read_seat_token
from libs.runtime.secrets import derived_key
from tests.integration.matchmaking.harness import FOG, STARTED, Matchmaking, Run


async def granted(matchmaking: Matchmaking, worker: str, count: int) -> list[messages.LeaseGrant]:
    """What the worker is granted, asking until it has so many seats; what it has is renewed meanwhile."""
    grants: list[messages.LeaseGrant] = []
    async with asyncio.timeout(10):
        while len(grants) < count:
            held = [grant.lease for grant in grants]
            grants += (await matchmaking.lease(worker, 10, held=held)).granted
            await asyncio.sleep(0.02)
    return grants


async def test_the_bot_seats_of_a_started_match_are_leased_once(run: Run, secret_file: object) -> None:
    matchmaking = await run()
    assert not (await matchmaking.lease("w1", 10)).granted
    table_id = (await matchmaking.play_now()).table.table_id
    grants = await granted(matchmaking, "w1", 3)
    assert sorted(grant.lease.seat for grant in grants) == [1, 2, 3]
    assert {(grant.lease.match_id, grant.lease.lease, grant.level) for grant in grants} == {(table_id, 1, 3)}
    key = derived_key(secret_file, "seat-token")  # type: ignore[arg-type]
    token = read_seat_token(key, grants[0].token, 0)
    assert (token.match_id, token.seat, token.lease) == (table_id, grants[0].lease.seat, 1)
    other = await matchmaking.lease("w2", 10)
    assert not other.granted


async def test_a_worker_takes_no_more_than_it_has_room_for(matchmaking: Matchmaking) -> None:
    table_id = (await matchmaking.play_now()).table.table_id
    await matchmaking.until(table_id, STARTED)
    assert len((await matchmaking.lease("w1", 2)).granted) == 2
    assert len((await matchmaking.lease("w2", 2)).granted) == 1


async def test_a_dead_workers_seat_goes_to_another_with_a_higher_number(run: Run) -> None:
    matchmaking = await run(lease_ms=300)
    await matchmaking.play_now(settings=FOG)
    [first] = await granted(matchmaking, "w1", 1)
    kept = await matchmaking.lease("w1", held=[first.lease])
    assert not kept.lost
    assert kept.lasts_ms == 300
    [second] = await granted(matchmaking, "w2", 1)
    assert (second.lease.match_id, second.lease.seat) == (first.lease.match_id, first.lease.seat)
    assert second.lease.lease == first.lease.lease + 1
    back = await matchmaking.lease("w1", held=[first.lease])
    assert list(back.lost) == [first.lease]


async def test_a_finished_matchs_seats_are_leased_no_more(run: Run) -> None:
    matchmaking = await run(lease_ms=200)
    table_id = (await matchmaking.play_now(settings=FOG)).table.table_id
    [grant] = await granted(matchmaking, "w1", 1)
    matchmaking.game.over.add(table_id)
    matchmaking.game.asked.clear()
    await matchmaking.lease("w1", done=[grant.lease])
    async with asyncio.timeout(5):
        await matchmaking.game.asked.wait()
    await asyncio.sleep(1.3)  # a seat given back too early would be free again by now
    assert not (await matchmaking.lease("w2", 10)).granted


async def test_a_seat_given_back_while_the_match_runs_goes_to_another(matchmaking: Matchmaking) -> None:
    await matchmaking.play_now(settings=FOG)
    [grant] = await granted(matchmaking, "w1", 1)
    await matchmaking.lease("w1", done=[grant.lease])
    [again] = await granted(matchmaking, "w2", 1)
    assert again.lease.lease == 2


async def test_a_match_that_ended_without_a_worker_frees_its_seats(run: Run) -> None:
    matchmaking = await run(status_ms=100)
    table_id = (await matchmaking.play_now(settings=FOG)).table.table_id
    before = await matchmaking.until(table_id, STARTED)
    matchmaking.game.over.add(table_id)
    async with asyncio.timeout(5):
        while (await matchmaking.get(table_id)).version == before.version:
            await asyncio.sleep(0.02)
    assert not (await matchmaking.lease("w1", 10)).granted
