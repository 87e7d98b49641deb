"""Whoever gets a seat anywhere waits no more, whatever tab, gateway or kind of game the waiting was in."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from libs.runtime.metrics import Metrics
from libs.runtime.refusals import call
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.sitting import Sitting
from services.matchmaking.store import Store, connected
from services.matchmaking.table import Limits
from services.matchmaking.ticket import POOLS, Member, Ticket, claim
from services.matchmaking.tickets import Tickets
from tests.integration.matchmaking.harness import CLOSED, STARTED, Matchmaking, Run, reason_of
from tests.integration.matchmaking.queueing import (
    FOG,
    OVER,
    PARTY,
    PATIENT,
    SEATED,
    TANDEM,
    WAITING,
    attending,
)

pytestmark = pytest.mark.alone  # who is there is a matter of reports in time

LONG = {"countdown_ms": 60_000, **PATIENT}


async def take_a_seat(matchmaking: Matchmaking) -> None:
    await matchmaking.take((await matchmaking.create()).table_id, 1, "kari")


async def play_now(matchmaking: Matchmaking) -> None:
    await matchmaking.play_now("kari")


async def make_a_table_for_two(matchmaking: Matchmaking) -> None:
    settings = messages.TableSettings(variant=FOG, curtain=True)
    await matchmaking.create("kari", settings=settings)


@pytest.mark.parametrize("sit_down", [take_a_seat, play_now, make_a_table_for_two])
@pytest.mark.parametrize("variant", [TANDEM, FOG])
async def test_who_sits_down_through_another_replica_is_told_and_never_paired(
    run: Run, sit_down: Callable[[Matchmaking], Awaitable[None]], variant: Any
) -> None:
    first, second = await run(**LONG), await run(**LONG)
    async with attending(first) as gateway:
        kari = gateway.person("kari")
        await kari.quick_play(variant)
        await sit_down(second)
        assert (await kari.until(lambda ticket: ticket.state == OVER)).reason == "seated_elsewhere"
        others = [gateway.person(f"g{number}") for number in range(4 if variant == TANDEM else 2)]
        for person in others[:-1]:
            await person.quick_play(variant)
        await others[0].until(lambda ticket: ticket.waiting == len(others) - 1)
        await others[-1].quick_play(variant)
        assert len({(await person.until_seated()).table.table_id for person in others}) == 1


async def test_who_is_refused_a_seat_or_has_it_already_keeps_the_place(run: Run) -> None:
    matchmaking = await run(**LONG)
    async with attending(matchmaking) as gateway:
        table = await matchmaking.create()
        await matchmaking.take(table.table_id, 0, "eve")
        await matchmaking.take(table.table_id, 1, "kari")
        kari = gateway.person("kari")
        await kari.quick_play()
        await matchmaking.take(table.table_id, 1, "kari")
        assert await reason_of(matchmaking.take(table.table_id, 0, "kari")) == "seat_taken"
        ola = gateway.person("ola")
        await ola.quick_play()
        assert (await ola.until(lambda ticket: ticket.waiting == 2)).state == WAITING


async def test_one_of_a_pair_who_sits_down_leaves_the_other_in_the_party(run: Run) -> None:
    matchmaking = await run(**LONG)
    async with attending(matchmaking) as gateway:
        kari, ola = gateway.person("kari"), gateway.person("ola")
        party = await ola.create_party()
        await kari.join_party(party)
        await kari.quick_play(party=party)
        await play_now(matchmaking)
        assert (await ola.until(lambda ticket: ticket.reason == "partner_left")).state == PARTY
        await kari.until(lambda ticket: ticket.state == OVER)


async def test_who_sits_down_in_the_countdown_of_quick_play_costs_nobody_a_player(run: Run) -> None:
    matchmaking = await run(**LONG)
    async with attending(matchmaking) as gateway:
        kari, ola, per = (gateway.person(name) for name in ("kari", "ola", "per"))
        for person in (kari, ola):
            await person.quick_play(FOG)
        table_id = (await kari.until_seated()).table.table_id
        await ola.until_seated()
        await play_now(matchmaking)
        assert (await matchmaking.get(table_id)).state == CLOSED
        assert (await ola.until(lambda ticket: ticket.state == WAITING)).reason == "player_left"
        await kari.until(lambda ticket: ticket.state == OVER)
        await per.quick_play(FOG)
        tickets = [await person.until_seated() for person in (ola, per)]
        assert len({ticket.table.table_id for ticket in tickets}) == 1


async def test_a_rematch_ends_the_waiting_of_its_people(run: Run) -> None:
    matchmaking = await run(countdown_ms=0, **PATIENT)
    async with attending(matchmaking) as gateway:
        made = await matchmaking.play_now("kari", settings=messages.TableSettings(variant=FOG))
        await matchmaking.until(made.table.table_id, STARTED)
        kari = gateway.person("kari")
        await kari.quick_play(FOG)
        matchmaking.game.over.add(made.table.table_id)
        request = messages.SetRematchRequest(token=made.grant.token, agree=True)
        await call(matchmaking.tables.SetRematch, request)
        assert (await kari.until(lambda ticket: ticket.state == OVER)).reason == "seated_elsewhere"


async def test_who_asks_for_another_game_while_a_match_is_about_to_begin_keeps_the_seat(run: Run) -> None:
    first, second = await run(**LONG), await run(**LONG)
    async with attending(first) as gateway, attending(second) as elsewhere:
        kari, ola = gateway.person("kari"), gateway.person("ola")
        for person in (kari, ola):
            await person.quick_play(FOG)
        seat = await kari.until_seated()
        other_tab = elsewhere.person("kari")
        await other_tab.quick_play(TANDEM)
        assert (other_tab.ticket.state, other_tab.ticket.reason) == (OVER, "seated_elsewhere")
        assert (await ola.until_seated()).table.table_id == seat.table.table_id
        assert kari.ticket.state == SEATED


async def test_who_waits_for_both_games_gets_one_seat_of_them(run: Run) -> None:
    first, second = await run(**LONG), await run(**LONG)
    async with AsyncExitStack() as stack:
        gateways = [await stack.enter_async_context(attending(replica)) for replica in (first, second)]
        tabs = {
            (number, variant): gateways[side].person(f"g{number}")
            for number in range(24)
            for side, variant in enumerate((TANDEM, FOG))
        }
        await asyncio.gather(*(person.quick_play(variant) for (_, variant), person in tabs.items()))

        async def seat_of(number: int) -> tuple[str, int]:
            ends = [tabs[number, variant] for variant in (TANDEM, FOG)]
            await asyncio.gather(*(tab.until(lambda ticket: ticket.state != WAITING) for tab in ends))
            seats = [
                (tab.ticket.table.table_id, tab.ticket.grant.seat) for tab in ends if tab.ticket.state != OVER
            ]
            assert len(seats) == 1, f"guest {number} sits at {seats}"
            assert {tab.ticket.reason for tab in ends if tab.ticket.state == OVER} == {"seated_elsewhere"}
            return seats[0]

        seats = Counter(await asyncio.gather(*(seat_of(number) for number in range(24))))
        assert set(seats.values()) == {1}


async def test_two_replicas_never_seat_one_guest_at_once_in_two_games(valkey_url: str) -> None:
    limits = Limits(countdown_ms=0, absent_ms=0, unfilled_ms=0, rematch_ms=0)
    metrics = MatchmakingMetrics(Metrics("matchmaking"))
    async with connected(valkey_url, metrics.scripts) as runner:
        tickets = Tickets(runner)
        sitting = Sitting(
            tickets,
            Store(runner, limits, status_ms=1_000, keep_ms=60_000, changes_length=100),
            metrics,
            limits,
        )
        fog, tandem = POOLS["f"], POOLS["o"]
        for pool in (fog, tandem):
            assert await tickets.create(Ticket(f"{pool.letter}kari", (Member("kari", "Kari", 0),)), "")
        assert await tickets.create(Ticket("oola", (Member("ola", "Ola", 0),)), "")
        assert await sitting.may_be_paired(tandem, ["ola"], "one")
        assert await sitting.may_be_paired(fog, ["kari"], "one")
        assert await sitting.may_be_paired(fog, ["kari"], "one")
        assert not await sitting.may_be_paired(tandem, ["ola", "kari"], "two")
        before = await tickets.load("fkari")
        assert before is not None
        assert (await tickets.look([fog], "one", 60_000))[0].held
        assert await tickets.claim(fog, "one", [before.ticket], [claim(before.ticket, "t", ("fkari",), (0,))])
        assert not await sitting.may_be_paired(tandem, ["kari"], "one")  # it is being seated
        await sitting.end_elsewhere(fog, ["kari"])
        ended = await tickets.load("okari")
        assert ended is not None
        assert (ended.ticket.state, ended.ticket.reason) == ("over", "seated_elsewhere")
