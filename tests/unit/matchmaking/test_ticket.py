"""Places in the queue: parties, offers of bots, silence, and what is given back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.matchmaking.life import close, due_at, given_back, start_failed, started, tick
from services.matchmaking.queue import quick_table
from services.matchmaking.table import Table, leave_seat, set_bot
from services.matchmaking.ticket import (
    POOLS,
    Member,
    QueueLimits,
    Ticket,
    accept_bots,
    bots_offered,
    claim,
    drop_absent,
    give_back,
    is_ready,
    join_party,
    leave,
    seated,
    start_waiting,
)
from tests.unit.matchmaking.builders import LIMITS, TABLE_ID, refused

QUEUE = QueueLimits(bots_after_ms=15_000, present_ms=3_000, absent_ms=10_000, rest_ms=2_000)
KARI, OLA, PER = (Member(name, name.title(), 0) for name in ("kari", "ola", "per"))


def alone(member: Member = KARI, since_ms: int = 0) -> Ticket:
    return Ticket(f"o{member.guest_id}", (member,), since_ms=since_ms)


def couple() -> Ticket:
    party = Ticket("oparty", (KARI,), is_party=True, state="party")
    return start_waiting(join_party(party, OLA), "ola", 1_000)


def at_table(*tickets: Ticket) -> tuple[list[Ticket], Table]:
    """The tickets with a table on which they sit from seat 0 on, partners on 0 and 3."""
    names = tuple(ticket.ticket_id for ticket in tickets)
    free = [0, 3, 1, 2]
    placed = []
    for ticket in tickets:
        seats = tuple(free.pop(0) for _ in ticket.members)
        placed.append(seated(claim(ticket, TABLE_ID, names, seats), TABLE_ID))
    return placed, quick_table(POOLS["o"], TABLE_ID, placed, 5_000, LIMITS)


def test_a_party_is_two_and_waits_only_when_complete() -> None:
    party = Ticket("oparty", (KARI,), is_party=True, state="party")
    with refused("party_incomplete"):
        start_waiting(party, "kari", 0)
    with refused("not_waiting"):
        start_waiting(party, "eve", 0)
    party = join_party(party, OLA)
    assert join_party(party, OLA) is party
    with refused("party_full"):
        join_party(party, PER)
    waiting = start_waiting(party, "ola", 7)
    assert (waiting.state, waiting.since_ms) == ("waiting", 7)
    assert start_waiting(waiting, "kari", 9) is waiting
    with refused("unknown_party"):
        join_party(alone(), OLA)


def test_bots_are_offered_after_fifteen_seconds_exactly() -> None:
    ticket = alone()
    assert not bots_offered(ticket, 14_999, QUEUE)
    with refused("bots_not_offered"):
        accept_bots(ticket, "kari", 14_999, QUEUE)
    with refused("not_waiting"):
        accept_bots(ticket, "eve", 15_000, QUEUE)
    assert accept_bots(ticket, "kari", 15_000, QUEUE).bots


def test_only_those_who_are_there_and_rested_are_paired() -> None:
    ticket = couple()
    assert is_ready(ticket, {"kari": 1_000, "ola": 1_000}, 4_000, QUEUE)
    assert not is_ready(ticket, {"kari": 1_000, "ola": 999}, 4_000, QUEUE)
    assert not is_ready(ticket, {"kari": 4_000}, 4_000, QUEUE)
    assert not is_ready(replace(ticket, rests_until_ms=4_001), {"kari": 4_000, "ola": 4_000}, 4_000, QUEUE)


def test_who_is_silent_for_too_long_is_dropped_and_the_partner_is_in_the_party_again() -> None:
    ticket = couple()
    assert drop_absent(ticket, {"kari": 9_000, "ola": 3_000}, 13_000, QUEUE) is ticket
    left = drop_absent(ticket, {"kari": 9_000, "ola": 2_999}, 13_000, QUEUE)
    assert (left.state, left.members, left.reason) == ("party", (KARI,), "partner_left")
    gone = drop_absent(alone(), {}, 10_001, QUEUE)
    assert (gone.state, gone.reason) == ("over", "no_connection")
    # Who has just come counts from then on.
    assert drop_absent(alone(replace(KARI, came_at_ms=5_000)), {}, 15_000, QUEUE).state == "waiting"


def test_leaving_is_not_possible_in_the_instant_between_pairing_and_the_table() -> None:
    with refused("busy"):
        leave(claim(alone(), TABLE_ID, ("okari",), (0,)), "kari")
    assert leave(alone(), "kari").state == "over"
    assert leave(couple(), "ola").members == (KARI,)
    over = leave(alone(), "kari")
    assert leave(over, "kari") is over


def test_a_quick_table_seats_everybody_where_the_tickets_say_and_bots_elsewhere() -> None:
    tickets, table = at_table(couple(), alone(PER))
    assert [seat.name for seat in table.seats] == ["Kari", "Per", "Bot 1", "Ola"]
    assert (table.state, table.starts_at_ms) == ("countdown", 8_000)
    assert table.tickets == ("oparty", "oper")
    assert table.terms.public
    assert {ticket.state for ticket in tickets} == {"seated"}


@pytest.mark.scenario("R09")
def test_a_failed_start_closes_the_table_and_gives_the_old_places_back() -> None:
    (pair, single), table = at_table(couple(), alone(PER, since_ms=500))
    table = tick(table, {}, 8_000, LIMITS)
    assert table.state == "starting"
    for _ in range(4):
        table = start_failed(table, 4, 9_000, LIMITS)
    assert (table.state, table.reason) == ("closed", "start_failed")
    assert due_at(table, {}, 9_000, LIMITS, 30_000) == 9_000
    back = give_back(pair, table, 9_000, QUEUE)
    assert (back.state, back.since_ms, back.rests_until_ms) == ("waiting", 1_000, 11_000)
    assert give_back(single, table, 9_000, QUEUE).since_ms == 500
    # Told once more it changes nothing, nor for a ticket that has gone on to another table.
    assert give_back(back, table, 9_500, QUEUE) is back
    elsewhere = claim(back, "another", ("oparty",), (0, 3))
    assert give_back(elsewhere, table, 9_500, QUEUE) is elsewhere
    assert due_at(given_back(table), {}, 9_000, LIMITS, 30_000) is None


@pytest.mark.scenario("R10")
def test_a_seat_left_in_the_countdown_closes_the_table_for_good() -> None:
    (pair, single), table = at_table(couple(), alone(PER))
    table = leave_seat(table, 3, 6_000, LIMITS)
    assert (table.state, table.reason) == ("closed", "player_left")
    with refused("table_closed"):
        set_bot(table, 3, 3, 6_000, LIMITS)
    back = give_back(pair, table, 6_000, QUEUE)
    assert (back.state, back.members[0].guest_id, back.reason) == ("party", "kari", "partner_left")
    assert give_back(single, table, 6_000, QUEUE).rests_until_ms == 0
    table = leave_seat(at_table(alone(PER))[1], 0, 6_000, LIMITS)
    assert give_back(at_table(alone(PER))[0][0], table, 6_000, QUEUE).state == "over"


def test_people_of_a_quick_table_that_the_operator_closes_wait_again_and_are_told_why() -> None:
    (pair, single), table = at_table(couple(), alone(PER))
    table = close(table)
    for ticket in (pair, single):
        back = give_back(ticket, table, 6_000, QUEUE)
        assert (back.state, back.reason, back.rests_until_ms) == ("waiting", "closed_by_operator", 0)


def test_a_quick_table_that_has_started_is_like_any_other() -> None:
    _, table = at_table(couple(), alone(PER))
    table = started(tick(table, {}, 8_000, LIMITS))
    assert table.state == "started"
    with refused("already_started"):
        leave_seat(table, 0, 9_000, LIMITS)
