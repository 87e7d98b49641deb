"""The policy over two boards: the diagonal clock, requests by what a piece would do, and warnings."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.view.v1 import view_pb2
from libs.rules.position import Position
from services.bots.match_view import MatchView
from services.bots.partnership import CALM_MS, Partnership
from services.bots.search.engine import MATE
from services.bots.tandem_brain import think
from services.bots.two_boards import (
    ASKED_MARGIN_MS,
    SIT_LONGEST_MS,
    SIT_MARGIN_MS,
    diagonal_of,
    may_sit,
    sit_ms,
    sits_for,
    warnings,
    wish,
)
from services.bots.what_if import BASE, own_plans, their_plans
from tests.unit.bots.positions import tandem_situation

SMOTHERED = "6rk/6pp/8/8/8/8/5PPP/6K1[] w - - 0 1"
STUCK = "6k1/8/8/8/8/8/5PPP/r5K1[] w - - 0 1"


def scores(fen: str) -> dict[str, int]:
    situation = tandem_situation(Position.from_fen(fen, "tandem"))
    return {name: think(plan, lambda: False).score for name, plan in own_plans(situation, Random(1)).items()}


def offers(fen: str) -> tuple[int, dict[str, int]]:
    found = scores(fen)
    return found.pop(BASE), found


@pytest.mark.rule("T-seats")
def test_the_diagonal_clock_is_that_of_the_partners_opponent() -> None:
    assert [diagonal_of(seat) for seat in range(4)] == [2, 3, 0, 1]


def test_it_sits_at_most_twenty_seconds_or_a_share_of_its_clock() -> None:
    assert sit_ms(None) == SIT_LONGEST_MS
    assert sit_ms(600_000) == 20_000
    assert sit_ms(60_000) == 9_000


def test_it_sits_by_itself_only_well_ahead_on_the_diagonal_clock() -> None:
    assert may_sit(60_000, 60_000 - SIT_MARGIN_MS, SIT_MARGIN_MS)
    assert not may_sit(60_000, 60_000 - SIT_MARGIN_MS + 1, SIT_MARGIN_MS)
    assert may_sit(60_000, 60_000, ASKED_MARGIN_MS)
    assert may_sit(None, None, SIT_MARGIN_MS)


def test_it_asks_for_the_piece_that_mates_and_sits_for_it() -> None:
    base, found = offers(SMOTHERED)
    assert wish(base, found) == ("N", "mates")
    assert sits_for(base, found)


@pytest.mark.rule("T-wait")
def test_who_waits_in_a_check_needs_what_can_block_it() -> None:
    base, found = offers(STUCK)
    # No pawn can be dropped on the first rank; the cheapest piece that can is asked for.
    assert wish(base, found) == ("N", "need")
    assert sits_for(base, found)


def test_a_piece_that_does_no_more_than_usual_is_not_asked_for() -> None:
    base, found = offers("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1")
    assert wish(base, found) is None
    assert not sits_for(base, found)


def test_a_kind_that_is_in_hand_already_is_not_looked_at() -> None:
    assert set(scores("6rk/6pp/8/8/8/8/5PPP/6K1[NB] w - - 0 1")) == {BASE, "P", "R", "Q"}


def test_it_warns_of_what_would_mate_it_and_of_nothing_once_it_is_mated_anyway() -> None:
    situation = tandem_situation(Position.from_fen("6k1/5ppp/8/8/8/8/6PP/6RK[] w - - 0 1", "tandem"))
    plans = their_plans(situation, "h2h3", Random(1))
    theirs = {name: think(plan, lambda: False).score for name, plan in plans.items()}
    assert warnings(theirs.pop(BASE), theirs) == ()
    plans = their_plans(situation, "g1f1", Random(1))
    theirs = {name: think(plan, lambda: False).score for name, plan in plans.items()}
    assert "N" not in warnings(theirs[BASE], {name: theirs[name] for name in "NBRQ"})
    situation = tandem_situation(Position.from_fen("6k1/5ppp/8/8/8/8/P5PP/6RK[] w - - 0 1", "tandem"))
    plans = their_plans(situation, "a2a3", Random(1))
    theirs = {name: think(plan, lambda: False).score for name, plan in plans.items()}
    assert "N" in warnings(theirs.pop(BASE), theirs)
    assert warnings(MATE - 3, theirs) == ()


class Hands:
    def __init__(self) -> None:
        self.said: list[int] = []

    async def say(self, _request_id: str, quick: int) -> str:
        self.said.append(quick)
        return "done"


class Thinker:
    """Searches here."""

    async def what_if(self, plans: dict[str, Any]) -> dict[str, int]:
        return {name: think(plan, lambda: False).score for name, plan in plans.items()}


def view(clocks: list[int], online: bool = True, hand: str = "") -> MatchView:
    """Seat 0, White on A, whose partner is a person."""
    seen = view_pb2.View(match_id="m", version=1, full=True)
    seen.setup.variant = types_pb2.VARIANT_TANDEM
    seen.boards.append(view_pb2.BoardView(hands=[hand, ""], pieces="." * 64, white_to_move=True, ply=6))
    seen.clocks.remaining_ms.extend(clocks)
    seen.clocks.running.extend([False] * 4)
    for seat in range(4):
        seen.seats.seats.add(kind=types_pb2.SEAT_KIND_HUMAN, online=online or seat != 3)
    shown = MatchView(0)
    shown.take(seen, 0.0)
    return shown


def partnership() -> tuple[Partnership, Hands]:
    hands = Hands()
    return Partnership(0, 1, cast(Any, hands), cast(Any, Thinker()), Random(1)), hands


AHEAD, BEHIND = [60_000, 60_000, 30_000, 60_000], [30_000, 60_000, 60_000, 60_000]
ASKED = [types_pb2.QUICK_MESSAGE_NEED_KNIGHT, types_pb2.QUICK_MESSAGE_I_MATE]


async def test_it_says_what_it_sits_for_and_moves_once_that_has_come() -> None:
    partner, hands = partnership()
    situation = tandem_situation(Position.from_fen(SMOTHERED, "tandem"))
    assert await partner.ask(situation, view(AHEAD), 1_000.0)
    assert hands.said == ASKED
    assert partner.sits_until_ms(view(AHEAD)) == 1_000.0 + 9_000
    assert partner.sits_until_ms(view(AHEAD, hand="N")) == 0.0
    # Once for a position, and not in one breath.
    assert not await partner.ask(situation, view(AHEAD), 1_100.0)
    assert hands.said == ASKED
    assert not await partner.ask(situation, view(AHEAD), 1_000.0 + CALM_MS)
    assert hands.said == 2 * ASKED


async def test_behind_on_the_diagonal_clock_it_asks_but_does_not_sit() -> None:
    partner, hands = partnership()
    situation = tandem_situation(Position.from_fen(SMOTHERED, "tandem"))
    assert not await partner.ask(situation, view(BEHIND), 1_000.0)
    assert hands.said == ASKED
    assert partner.sits_until_ms(view(BEHIND)) == 0.0


async def test_after_go_it_sits_no_more_in_that_position() -> None:
    partner, _ = partnership()
    situation = tandem_situation(Position.from_fen(SMOTHERED, "tandem"))
    go = types_pb2.TalkLine(number=1, seat=3, quick=types_pb2.QUICK_MESSAGE_GO)
    partner.hear(go, view(AHEAD), 500.0, answering=True)
    assert not await partner.ask(situation, view(AHEAD), 1_000.0)


async def test_while_its_partner_is_offline_it_plays_on() -> None:
    partner, _ = partnership()
    situation = tandem_situation(Position.from_fen(SMOTHERED, "tandem"))
    assert await partner.ask(situation, view(AHEAD), 1_000.0)
    assert partner.sits_until_ms(view(AHEAD, online=False)) == 0.0
