"""The queue with two replicas on a real store: pairs, bots, places kept and places lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.metrics import Metrics
from libs.runtime.refusals import Refusal
from libs.store.scripts import ScriptMetrics
from services.matchmaking.pairing import TEAMS
from services.matchmaking.store import connected
from services.matchmaking.ticket import POOLS, Member, Ticket, claim
from services.matchmaking.tickets import Tickets
from tests.integration.matchmaking.harness import CLOSED, STARTED, Matchmaking, Run, reason_of
from tests.integration.matchmaking.queueing import FOG, OVER, PARTY, PATIENT, WAITING, Person, attending

pytestmark = pytest.mark.alone  # who is there is a matter of reports in time

LONG = {"countdown_ms": 60_000, "queue_present_ms": 30_000}


async def test_forty_people_over_two_replicas_get_ten_tables_and_nobody_sits_twice(run: Run) -> None:
    first, second = await run(**PATIENT), await run(**PATIENT)
    async with AsyncExitStack() as stack:
        gateways = [await stack.enter_async_context(attending(replica)) for replica in (first, second)]
        people = [gateways[number % 2].person(f"g{number}") for number in range(40)]
        await asyncio.gather(*(person.quick_play() for person in people))
        tickets = await asyncio.gather(*(person.until_seated() for person in people))
        seats = Counter((ticket.table.table_id, ticket.grant.seat) for ticket in tickets)
        assert set(seats.values()) == {1}
        assert set(Counter(table_id for table_id, _ in seats).values()) == {4}
        for table_id in {ticket.table.table_id for ticket in tickets}:
            await first.until(table_id, STARTED)
        assert len(first.game.requests) == 10


async def test_whoever_has_waited_longest_plays_first_and_late_ones_wait(run: Run) -> None:
    matchmaking = await run(**LONG)
    async with attending(matchmaking) as gateway:
        people = [gateway.person(f"g{number}") for number in range(6)]
        for person in people:
            await person.quick_play()
            await asyncio.sleep(0.005)  # the order is by milliseconds
        await asyncio.gather(*(person.until_seated() for person in people[:4]))
        late = await people[4].until(lambda ticket: ticket.waiting == 2)
        assert late.state == WAITING


async def test_partners_sit_in_one_team_against_two_who_came_alone(run: Run) -> None:
    first, second = await run(**LONG), await run(**LONG)
    async with attending(first) as gateway, attending(second) as other:
        kari, ola = gateway.person("kari"), other.person("ola")
        party = await kari.create_party()
        assert await reason_of(kari.quick_play(party=party)) == "party_incomplete"
        await ola.join_party(party)
        await kari.until(lambda ticket: len(ticket.members) == 2 and ticket.state == PARTY)
        assert await reason_of(gateway.person("eve").join_party(party)) == "party_full"
        await ola.quick_play(party=party)
        await kari.until(lambda ticket: ticket.state == WAITING)
        singles = [gateway.person("s1"), other.person("s2")]
        await asyncio.gather(*(person.quick_play() for person in singles))
        together = [await person.until_seated() for person in (kari, ola)]
        assert tuple(sorted(ticket.grant.seat for ticket in together)) in TEAMS[4]
        assert len({ticket.table.table_id for ticket in together}) == 1
        assert {(await person.until_seated()).table.table_id for person in singles} == {
            together[0].table.table_id
        }


async def test_two_meet_in_fog(run: Run) -> None:
    matchmaking = await run()
    async with attending(matchmaking) as gateway:
        people = [gateway.person("kari"), gateway.person("ola")]
        for person in people:
            await person.quick_play(FOG)
        tickets = [await person.until_seated() for person in people]
        assert {ticket.grant.seat for ticket in tickets} == {0, 1}
        assert tickets[0].table.settings.variant == types_pb2.VARIANT_FOG


async def test_bots_are_offered_after_a_while_and_come_when_they_are_taken(run: Run) -> None:
    matchmaking = await run(bots_after_ms=300, **LONG)
    async with attending(matchmaking) as gateway:
        kari = gateway.person("kari")
        await kari.quick_play()
        assert await reason_of(kari.accept_bots()) == "bots_not_offered"
        ticket = await kari.until(lambda ticket: ticket.bots_offered)
        assert ticket.waited_ms >= 300
        await kari.accept_bots()
        table = (await kari.until_seated()).table
        kinds = Counter(seat.kind for seat in table.seats)
        assert kinds == {types_pb2.SEAT_KIND_HUMAN: 1, types_pb2.SEAT_KIND_BOT: 3}


async def test_a_place_without_a_connection_is_passed_over_and_then_lost(run: Run) -> None:
    first, second = await run(queue_absent_ms=2_000, **LONG), await run(queue_absent_ms=2_000, **LONG)
    async with attending(first) as gateway, attending(second) as other:
        lost = gateway.person("lost")
        await lost.quick_play()
        await gateway.lose(lost)
        people = [other.person(f"g{number}") for number in range(4)]
        await asyncio.gather(*(person.quick_play() for person in people))
        await asyncio.gather(*(person.until_seated() for person in people))
        # Four were seated though a fifth stood before them; that one's place is free again soon.
        alone = other.person("alone")
        await alone.quick_play()
        await alone.until(lambda ticket: ticket.waiting == 1)
        other.people.append(lost)
        assert (await lost.until(lambda ticket: ticket.state == OVER)).reason == "no_connection"


async def test_a_place_is_kept_over_a_new_connection(run: Run) -> None:
    first, second = await run(**LONG), await run(**LONG)
    async with attending(first) as gateway, attending(second) as other:
        kari = gateway.person("kari")
        await kari.quick_play()
        await gateway.lose(kari)
        again = other.person("kari")
        await again.quick_play()
        assert again.ticket.ticket_id == kari.ticket.ticket_id
        assert (await again.until(lambda ticket: ticket.members[0].online)).waiting == 1
        # Without a ticket of that name in hand, also once seated.
        people = [other.person(f"g{number}") for number in range(3)]
        await asyncio.gather(*(person.quick_play() for person in people))
        seated = await again.until_seated()
        third = other.person("kari")
        await third.quick_play()
        assert third.ticket.grant == seated.grant


async def test_one_of_a_pair_who_goes_leaves_the_other_in_the_party(run: Run) -> None:
    matchmaking = await run(queue_absent_ms=1_500)
    async with attending(matchmaking) as gateway:
        kari, ola = gateway.person("kari"), gateway.person("ola")
        party = await kari.create_party()
        await ola.join_party(party)
        await kari.quick_play(party=party)
        await ola.leave_queue()
        assert ola.ticket.state == OVER
        ticket = await kari.until(lambda ticket: ticket.state == PARTY)
        assert (ticket.reason, [member.name for member in ticket.members]) == ("partner_left", ["kari"])
        # The link still holds for somebody else, and for silence the same is true.
        per = gateway.person("per")
        await per.join_party(party)
        await kari.quick_play(party=party)
        await gateway.lose(per)
        await kari.until(lambda ticket: ticket.state == WAITING and not ticket.members[1].online)
        assert (await kari.until(lambda ticket: ticket.state == PARTY)).reason == "partner_left"


async def test_the_same_wish_twice_at_once_is_one_place(run: Run) -> None:
    first, second = await run(**LONG), await run(**LONG)
    tickets = []
    for replica in (first, second) * 4:
        person = Person("kari", replica)
        tickets.append(person)
    await asyncio.gather(*(person.quick_play() for person in tickets))
    assert len({person.ticket.ticket_id for person in tickets}) == 1
    assert tickets[0].ticket.waiting <= 1


@pytest.mark.scenario("R09")
async def test_a_start_that_fails_puts_everybody_back_in_the_old_order_with_one_word(run: Run) -> None:
    first, second = await run(queue_rest_ms=2_000, **PATIENT), await run(queue_rest_ms=2_000, **PATIENT)
    first.game.refuses = True
    async with attending(first) as gateway, attending(second) as other:
        early = [(gateway, other)[number % 2].person(f"e{number}") for number in range(4)]
        for person in early:
            await person.quick_play()
        await asyncio.gather(*(person.until_seated() for person in early))
        table_id = early[0].ticket.table.table_id
        # Another one has come meanwhile, and waits behind the four.
        late = gateway.person("late")
        await late.quick_play()

        async def until_back(person: Person) -> messages.Ticket:
            def told() -> list[messages.Ticket]:
                return [ticket for ticket in person.news if ticket.reason == "start_failed"]

            await person.until(lambda _: told())  # by now they may have been seated again
            return told()[0]

        await until_back(early[0])
        first.game.refuses = False
        back = await asyncio.gather(*(until_back(person) for person in early))
        assert all(ticket.state == WAITING for ticket in back)
        table = await first.get(table_id)
        assert (table.state, table.closed_reason) == (CLOSED, "start_failed")
        again = await asyncio.gather(
            *(person.until(lambda ticket: ticket.table.table_id not in ("", table_id)) for person in early)
        )
        assert len({ticket.table.table_id for ticket in again}) == 1
        await first.until(again[0].table.table_id, STARTED)
        assert late.ticket.state == WAITING
        for person in early:
            assert [ticket.reason for ticket in person.news].count("start_failed") == 1


@pytest.mark.scenario("R10")
async def test_whoever_leaves_the_countdown_sends_the_others_back(run: Run) -> None:
    matchmaking = await run(**LONG)
    async with attending(matchmaking) as gateway:
        kari, ola = gateway.person("kari"), gateway.person("ola")
        party = await kari.create_party()
        await ola.join_party(party)
        await kari.quick_play(party=party)
        singles = [gateway.person("s1"), gateway.person("s2")]
        for person in singles:
            await person.quick_play()
        await asyncio.gather(*(person.until_seated() for person in (kari, ola, *singles)))
        await singles[0].leave_seat()
        for person in (kari, ola, singles[1]):
            ticket = await person.until(lambda ticket: ticket.state == WAITING)
            assert ticket.reason == "player_left"
        assert (await singles[0].until(lambda ticket: ticket.state == OVER)).reason == "left"
        # One more, and they play.
        new = gateway.person("new")
        await new.quick_play()
        tickets = [await person.until_seated() for person in (kari, ola, singles[1], new)]
        assert tuple(sorted(ticket.grant.seat for ticket in tickets[:2])) in TEAMS[4]
        # One of the partners leaves: the other is in the party again, the singles wait.
        await ola.leave_seat()
        assert (await kari.until(lambda ticket: ticket.state == PARTY)).reason == "partner_left"
        assert (await new.until(lambda ticket: ticket.state == WAITING)).reason == "player_left"


async def test_what_a_replica_left_half_done_when_it_died_is_finished_by_another(
    run: Run, valkey_url: str
) -> None:
    """It held the lease of the pool and had claimed four tickets, and no table was made of them."""
    pool = POOLS["f"]
    async with connected(valkey_url, ScriptMetrics(Metrics("matchmaking"))) as runner:
        tickets = Tickets(runner)
        await tickets.look([pool], "dead", 500)
        before = [Ticket(f"f{name}", (Member(name, name, 0),), since_ms=1, version=1) for name in ("a", "b")]
        for ticket in before:
            assert await tickets.create(ticket, "")
        table_id, names = "07" + "q" * 24, ("fa", "fb")
        after = [claim(ticket, table_id, names, (seat,)) for seat, ticket in enumerate(before)]
        # Without the lease, or when one of them has changed, nothing is claimed.
        assert not await tickets.claim(pool, "other", before, after)
        changed = [before[0], replace(before[1], version=7)]
        assert not await tickets.claim(pool, "dead", changed, after)
        assert await tickets.claim(pool, "dead", before, after)
        assert not await tickets.claim(pool, "dead", before, after)
        matchmaking = await run()
        await matchmaking_has(matchmaking, table_id)
        table = await matchmaking.until(table_id, STARTED)
        assert [seat.name for seat in table.seats] == ["a", "b"]
        found = await tickets.load_many(pool, names)
        assert {loaded.ticket.state for loaded in found.values()} == {"seated"}


async def matchmaking_has(matchmaking: Matchmaking, table_id: str) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                await matchmaking.get(table_id)
                return
            except Refusal:
                await asyncio.sleep(0.02)


@pytest.mark.scenario("R10")
async def test_leaving_in_the_instant_of_the_start_either_comes_too_late_or_gives_the_place_back(
    run: Run,
) -> None:
    first, second = await run(countdown_ms=40), await run(countdown_ms=40)
    async with attending(first) as gateway, attending(second) as other:
        for number in range(8):
            kari, ola = gateway.person(f"kari{number}"), other.person(f"ola{number}")
            for person in (kari, ola):
                await person.quick_play(FOG)
            for person in (kari, ola):
                await person.until_seated()
            table_id = kari.ticket.table.table_id
            reason = ""
            try:
                await kari.leave_seat()
            except Refusal as refusal:
                reason = refusal.reason
            if reason:
                assert reason == "already_started"
                await first.until(table_id, STARTED)
                assert len(first.game.seats_of(table_id)) == 2
            else:
                assert (await first.get(table_id)).state == CLOSED
                assert not any(made.match_id == table_id for made in first.game.requests)
                await ola.until(lambda ticket: ticket.state == WAITING)
                await ola.leave_queue()
            for person, holder in ((kari, gateway), (ola, other)):
                holder.people.remove(person)
