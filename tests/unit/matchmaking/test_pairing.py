"""Who plays with whom."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.matchmaking.pairing import TEAMS, Waiting, pair, seat_group


def queue_of(text: str) -> list[Waiting]:
    """ "1", "2": people alone and partners; "b", "B": the same, who take bots."""
    return [Waiting(f"t{number}", 1 + (letter in "2B"), letter in "bB") for number, letter in enumerate(text)]


def paired(text: str, seats: int = 4) -> list[str]:
    return ["".join(ticket.ticket_id[1:] for ticket in group) for group in pair(queue_of(text), seats)]


@pytest.mark.parametrize(
    ("queue", "tables"),
    [
        ("111", []),
        ("1111", ["0123"]),
        ("112", ["012"]),
        ("22", ["01"]),
        ("11112", ["0123"]),
        # The third alone has waited longer than the partners.
        ("11121", ["0124"]),
        # Nobody can play with the first one, so the partners do.
        ("122", ["12"]),
        ("1221", ["013"]),
        ("11111111", ["0123", "4567"]),
        ("b11", ["0"]),
        ("bb1B", ["013"]),
        ("bBB", ["12", "0"]),
        ("b111", ["0123"]),
    ],
)
def test_a_table_forms_as_soon_as_four_fit(queue: str, tables: list[str]) -> None:
    assert paired(queue) == tables


def test_fog_pairs_two() -> None:
    assert paired("111", 2) == ["01"]
    assert paired("b", 2) == ["0"]


unhurried = settings(deadline=None)
"""No time limit on a busy machine."""
queues = st.text("12bB", max_size=14).map(queue_of)
singles = st.text("1b", max_size=9).map(queue_of)


@unhurried
@given(queues)
def test_nobody_is_seated_twice_or_made_up_and_no_table_is_too_full(queue: list[Waiting]) -> None:
    tables = pair(queue, 4)
    seated = Counter(ticket for group in tables for ticket in group)
    assert set(seated) <= set(queue)
    assert set(seated.values()) <= {1}
    for group in tables:
        people = sum(ticket.size for ticket in group)
        assert people == 4 or (people < 4 and all(ticket.bots for ticket in group))


@unhurried
@given(queues)
def test_whoever_is_left_could_not_have_made_a_table(queue: list[Waiting]) -> None:
    seated = {ticket for group in pair(queue, 4) for ticket in group}
    left = [ticket for ticket in queue if ticket not in seated]
    assert not any(ticket.bots for ticket in left)
    for size in range(2, 5):
        for group in combinations(left, size):
            assert sum(ticket.size for ticket in group) != 4


@unhurried
@given(queues)
def test_the_first_who_can_play_at_all_plays_first(queue: list[Waiting]) -> None:
    full = [group for group in pair(queue, 4) if sum(ticket.size for ticket in group) == 4]
    possible = [
        group
        for size in range(2, 5)
        for group in combinations(queue, size)
        if sum(ticket.size for ticket in group) == 4
    ]
    if possible:
        # combinations() keeps the order, so the least by places is the longest wait first.
        places = {ticket: place for place, ticket in enumerate(queue)}
        assert full[0] == min(possible, key=lambda group: [places[ticket] for ticket in group])


@unhurried
@given(st.one_of(queues.map(lambda queue: (queue, 4)), singles.map(lambda queue: (queue, 2))), st.randoms())
def test_partners_sit_in_one_team_and_every_seat_is_one_persons(
    wishes: tuple[list[Waiting], int], dice: Random
) -> None:
    queue, seats = wishes
    for group in pair(queue, seats):
        placed = seat_group(group, seats, dice)
        taken = [seat for places in placed.values() for seat in places]
        assert len(set(taken)) == len(taken) == sum(ticket.size for ticket in group)
        assert set(taken) <= set(range(seats))
        for ticket in group:
            assert len(placed[ticket.ticket_id]) == ticket.size
            if ticket.size == 2:
                assert tuple(sorted(placed[ticket.ticket_id])) in TEAMS[4]


def test_the_dice_give_everybody_every_seat() -> None:
    group = queue_of("1111")
    seen = {seat_group(group, 4, Random(number))["t0"] for number in range(100)}
    assert seen == {(0,), (1,), (2,), (3,)}
