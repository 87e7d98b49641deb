"""The search: mates, what is no mate, its limits, and that it leaves the board as it was."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from libs.rules.board import DROP, Board
from libs.rules.generate import legal_moves
from libs.rules.position import Position, Profile, Variant
from libs.rules.uci import move_text
from services.bots.search.engine import MATE, MATED, Search
from services.bots.search.evaluate import Outlook, stuck
from services.bots.search.ordering import LOUD, ORDER_SHIFT, Ordering
from services.bots.search.picking import all_items, loud_items
from services.bots.search.sight import (
    CHECK,
    QUIET,
    add_checking_drops,
    check_marks,
    gives_check,
    is_mate,
    mate_in_one,
)
from tests.unit.bots.brute_force import mates
from tests.unit.bots.positions import random_fog, random_tandem

SUITE = json.loads((Path(__file__).parent / "tactics.json").read_text())
MATES = [tactic for tactic in SUITE if tactic["kind"].startswith("mate")]
FULL_HANDS = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1[QRBNPPqrbnpp] w - - 0 8"


def never() -> bool:
    return False


def board(fen: str, variant: Variant = "tandem", profile: Profile = "online") -> Board:
    return Position.from_fen(fen, variant).board(profile)


def searched(place: Board, nodes: int = 3_000, depth: int = 12) -> tuple[str, Search]:
    search = Search(place, Outlook(), never)
    return move_text(search.run(legal_moves(place), nodes, depth)), search


@pytest.mark.parametrize("mate", MATES[::3], ids=[f"{t['kind']}-{i}" for i, t in enumerate(MATES[::3])])
@pytest.mark.rule("T-mate")
def test_a_forced_mate_with_drops_is_found_in_as_few_moves_as_there_are(mate: dict[str, str]) -> None:
    chosen, search = searched(board(mate["fen"]), nodes=60_000)
    assert search.score == MATE - (2 * int(mate["kind"][-1]) - 1)
    assert chosen in mate["first"]


@pytest.mark.rule("T-mate")
def test_a_check_that_a_drop_could_block_is_no_mate_and_at_the_club_it_is() -> None:
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1[] w - - 0 1"
    _, online = searched(board(fen))
    assert 0 < online.score < MATED
    chosen, club = searched(board(fen, profile="club"))
    assert (chosen, club.score) == ("a1a8", MATE - 1)


@pytest.mark.rule("T-mate")
@pytest.mark.parametrize(
    "fen",
    [
        "4rk2/8/8/8/8/8/4QP2/r5K1[] w - - 0 1",  # from afar: b1 to f1 are free for a drop
        "6k1/8/8/8/8/8/5PPP/r5K1[] w - - 0 1",
    ],
)
def test_who_can_only_wait_is_not_mated(fen: str) -> None:
    assert not is_mate(board(fen))
    assert is_mate(board("6k1/8/8/8/8/8/5PPP/5qK1[r] w - - 0 1")) is False  # the king takes it


@pytest.mark.rule("T-wait")
def test_to_wait_costs_the_less_the_likelier_a_fitting_piece_is() -> None:
    waiting = board("6k1/8/8/8/8/8/5PPP/r5K1[] w - - 0 1")
    nothing, all_pawns, knights = [0] * 16, [0] * 16, [0] * 16
    all_pawns[1], knights[2] = 100, 100
    # All cells between are on the first rank, where no pawn may be dropped.
    assert (
        stuck(waiting, nothing, True) == stuck(waiting, all_pawns, True) > stuck(waiting, knights, True) > 0
    )
    assert stuck(board("7k/8/8/8/8/6q1/8/7K[] w - - 0 1"), nothing, False) < stuck(waiting, nothing, True)


def test_it_keeps_to_its_node_limit_and_leaves_the_board_as_it_was() -> None:
    place = board(FULL_HANDS)
    before = place.pieces(), list(place.hands), place.key, place.turn, place.en_passant, len(place.history)
    for limit in (1, 50, 1_000):
        chosen, search = searched(place, nodes=limit)
        assert search.nodes == limit
        assert chosen in Position.from_fen(FULL_HANDS, "tandem").legal_moves()
    after = place.pieces(), list(place.hands), place.key, place.turn, place.en_passant, len(place.history)
    assert after == before


def test_it_stops_soon_when_it_is_told_to_and_still_has_a_move() -> None:
    place = board(FULL_HANDS)
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 3

    search = Search(place, Outlook(), stop)
    assert search.run(legal_moves(place), 1_000_000, 30) >= 0
    assert search.nodes <= 4 * 128
    assert search.stopped


def test_with_no_moves_there_is_nothing_to_find() -> None:
    assert Search(board(FULL_HANDS), Outlook(), never).run([], 100, 5) == -1


@pytest.mark.parametrize("variant", ["tandem", "fog"])
def test_which_moves_give_check_is_known_before_they_are_made(variant: Variant) -> None:
    dice, looked_at = Random(3), 0
    while looked_at < 30:
        position = random_tandem(dice, 60, "online") if variant == "tandem" else random_fog(dice, 40)
        if position is None:
            continue
        place = position.board()
        if place.attacked(place.kings[1 - place.turn], place.turn):
            continue  # in fog: nobody asks what else the mover could do than take the king
        looked_at += 1
        marks = check_marks(place)
        for move in legal_moves(place):
            foreseen = gives_check(place, move, marks)
            place.make(move)
            king = place.kings[place.turn]
            checks = king >= 0 and place.attacked(king, 1 - place.turn)
            place.unmake(move)
            if king >= 0 and foreseen in (QUIET, CHECK):
                assert checks == (foreseen == CHECK), (position.fen(), move_text(move))


def test_the_drops_that_give_check_are_listed_without_the_others() -> None:
    dice, found = Random(11), 0
    while found < 100:
        position = random_tandem(dice, 90, "online")
        if position is None or position.in_check():
            continue
        place = position.board()
        marks = check_marks(place)
        listed: list[int] = []
        add_checking_drops(place, marks, listed)
        drops = [move for move in legal_moves(place) if move & DROP]
        assert sorted(listed) == sorted(move for move in drops if gives_check(place, move, marks) == CHECK)
        found += len(listed)


@pytest.mark.parametrize("variant", ["tandem", "fog"])
def test_the_loud_moves_listed_first_are_those_that_all_moves_begin_with(variant: Variant) -> None:
    dice, looked_at = Random(13), 0
    while looked_at < 200:
        position = random_tandem(dice, 90, "online") if variant == "tandem" else random_fog(dice, 40)
        place = position.board() if position is not None else None
        if place is None or not legal_moves(place):
            continue
        looked_at += 1
        ordering, marks = Ordering(60), check_marks(place)
        known = dice.choice([-1, dice.choice(legal_moves(place))])
        for hopeless in (False, place.fog):
            loud = loud_items(ordering, place, marks, known, 1)
            everything = all_items(ordering, place, marks, known, 1, hopeless, 1)
            assert everything[: len(loud)] == loud
            assert all(item >> ORDER_SHIFT < LOUD for item in everything[len(loud) :])


@pytest.mark.rule("T-mate")
def test_a_mate_in_one_is_seen_where_the_referee_sees_one() -> None:
    dice, looked_at, found = Random(5), 0, 0
    while looked_at < 40:
        position = random_tandem(dice, 90, "online")
        if position is None:
            continue
        looked_at += 1
        place = position.board()
        move = mate_in_one(place, legal_moves(place))
        known = mates(position, 1)
        assert (move_text(move) in known) if known else move == -1
        found += bool(known)
    for mate in MATES:
        place = board(mate["fen"])
        assert (mate_in_one(place, legal_moves(place)) >= 0) == (mate["kind"] == "mate-1")


@pytest.mark.rule("F-win")
def test_in_fog_with_everything_known_the_king_is_taken_and_kept() -> None:
    chosen, search = searched(board("4k3/8/8/8/1q6/8/3p4/R3K2R b KQ - 0 1", "fog"))
    assert (chosen[:4], search.score) == ("d2e1", MATE - 1)
    # There are no pins: the pawn could take, and the king would fall.
    chosen, search = searched(board("4r1k1/8/8/8/8/3n4/4P3/4K3 w - - 0 1", "fog"))
    assert chosen.startswith("e1")
    assert search.score > -MATED
