"""Who plays with whom: tables out of those who wait. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

TEAMS: dict[int, tuple[tuple[int, ...], ...]] = {4: ((0, 3), (1, 2)), 2: ((0,), (1,))}
"""The seats of each team, by the number of seats (T-seats)."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One or two people (``size``) who wait together; ``bots``: computers may take the other seats."""

    ticket_id: str
    size: int
    bots: bool = False


def pair(queue: Sequence[Waiting], seats: int) -> list[tuple[Waiting, ...]]:
    """The tables that can be made, each the tickets that play there, out of a queue in its order.

    Whoever has waited longest plays, with those who have waited longest beside them, whenever any table can
    be made with them. Then those who take bots get tables, together as far as they fit.
    """
    left, tables = list(queue), []
    while group := _next_full(left, seats):
        tables.append(group)
        left = [ticket for ticket in left if ticket not in group]
    left = [ticket for ticket in left if ticket.bots]
    while left:
        together: tuple[Waiting, ...] = ()
        for ticket in left:
            if sum(other.size for other in together) + ticket.size <= seats:
                together = (*together, ticket)
        tables.append(together)
        left = [ticket for ticket in left if ticket not in together]
    return tables


def _next_full(queue: Sequence[Waiting], seats: int) -> tuple[Waiting, ...]:
    """The tickets of the next full table, () for none: of all that make one those first in the queue."""
    places = {size: [place for place, ticket in enumerate(queue) if ticket.size == size] for size in (1, 2)}
    found = []
    # Two people on one side of a board of two would not be partners.
    for pairs in range(seats // 2 + 1 if seats == 4 else 1):
        singles = seats - 2 * pairs
        if len(places[2]) >= pairs and len(places[1]) >= singles:
            found.append(sorted((*places[2][:pairs], *places[1][:singles])))
    return tuple(queue[place] for place in min(found)) if found else ()


def seat_group(group: Sequence[Waiting], seats: int, dice: Random) -> dict[str, tuple[int, ...]]:
    """The seats of each ticket's people, in their order: partners in one team, the rest by the dice."""
    teams = [list(dice.sample(team, len(team))) for team in dice.sample(TEAMS[seats], 2)]
    placed: dict[str, tuple[int, ...]] = {}
    # Pairs first, so that they find a whole team.
    for ticket in sorted(group, key=lambda ticket: -ticket.size):
        team = dice.choice([team for team in teams if team])
        placed[ticket.ticket_id] = tuple(team[: ticket.size])
        del team[: ticket.size]
    return placed
