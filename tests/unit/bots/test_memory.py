"""What a seat's searches keep from move to move, and what they do not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from libs.rules.generate import legal_moves
from libs.rules.position import Position
from services.bots.levels import LEVELS, Level
from services.bots.search.engine import Search
from services.bots.search.evaluate import Outlook
from services.bots.tandem_brain import MOST_MEMORIES, Memories, Plan, plan, think
from services.bots.what_if import own_plans
from tests.unit.bots.positions import tandem_situation

MIDDLE = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1[QRBNPPqrbnpp] w - - 0 8"
SITUATION = replace(tandem_situation(Position.from_fen(MIDDLE, "tandem")), key="match/0")
CLEAR = Level("clear", 4_000, 0, 0.0)


def never() -> bool:
    return False


def a_plan(level: Level = CLEAR, seat: int = 0) -> Plan:
    return plan(replace(SITUATION, key=f"match/{seat}"), level, Random(1))


def test_a_seat_needs_fewer_nodes_where_its_last_move_has_looked() -> None:
    memories, nodes = Memories(), list[int]()
    for _ in range(2):
        board = Position.from_fen(MIDDLE, "tandem").board()
        search = Search(board, Outlook(), never, memory=memories.of(a_plan()))
        search.run(legal_moves(board), 100_000, 5)
        assert search.depth == 5
        nodes.append(search.nodes)
    assert nodes[1] < nodes[0] / 4
    assert think(a_plan(), never, memories) != think(a_plan(), never)


def test_the_first_look_is_the_same_with_and_without_a_memory_and_so_is_another_seat_s() -> None:
    memories = Memories()
    alone = think(a_plan(), never)
    assert think(a_plan(), never, memories) == alone
    assert think(a_plan(seat=1), never, memories) == alone


def test_what_was_found_out_is_forgotten_when_the_other_board_changes_what_pieces_are_worth() -> None:
    memories = Memories()
    think(a_plan(), never, memories)
    wanted = replace(a_plan(), gives=(0, 0, 80, *[0] * 13))
    assert think(wanted, never, memories) == think(wanted, never)


def test_only_the_seats_that_moved_last_are_remembered() -> None:
    memories = Memories()
    kept, lost = memories.of(a_plan(seat=1)), memories.of(a_plan(seat=0))
    for seat in range(2, MOST_MEMORIES + 1):
        memories.of(a_plan(seat=1))
        memories.of(a_plan(seat=seat))
    assert memories.of(a_plan(seat=1)) is kept
    assert memories.of(a_plan(seat=MOST_MEMORIES + 1)) is not lost
    assert memories.of(a_plan(seat=0)) is not lost


def test_levels_that_misjudge_and_looks_at_what_might_be_are_of_no_seat() -> None:
    assert [bool(a_plan(level).key) for level in LEVELS] == [level.noise == 0 for level in LEVELS]
    assert all(not asked.key for asked in own_plans(SITUATION, Random(1)).values())
