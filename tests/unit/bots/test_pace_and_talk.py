"""How long a bot thinks, and what it makes of its partner's words."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gen.tandemfog.types.v1 import types_pb2
from services.bots.pace import LONGEST_MS, SHORTEST_MS, think_ms
from services.bots.talk import WISH_MS, Clocks, Mood, hear

NOTHING: frozenset[str] = frozenset()


def line(number: int, quick: types_pb2.QuickMessage.ValueType) -> types_pb2.TalkLine:
    return types_pb2.TalkLine(number=number, seat=3, quick=quick)


@given(st.integers(0, 2**32), st.integers(1, 200), st.integers(0, 100))
def test_with_time_on_the_clock_a_bot_thinks_like_a_person(seed: int, moves: int, plies: int) -> None:
    thought = think_ms(moves, plies, 0, 180_000, 0, 1.0, Random(seed))
    assert SHORTEST_MS - 1 <= thought <= LONGEST_MS


@given(st.integers(0, 2**32), st.integers(0, 30_000))
def test_short_of_time_it_hurries_and_never_thinks_its_clock_away(seed: int, remaining_ms: int) -> None:
    thought = think_ms(30, 40, 0, remaining_ms, 0, 1.0, Random(seed))
    assert 0 <= thought <= max(120, remaining_ms / 40)
    assert thought <= remaining_ms / 2


def test_without_pace_it_does_not_wait_at_all() -> None:
    assert think_ms(30, 40, 0, None, 0, 0.0, Random(1)) == 0


def furthest_apart(seed: int, mindful: bool) -> int:
    """The most plies between two boards of bots over four minutes, one of them with a pause of 15 s."""
    dice = Random(seed)
    plies, at_ms, clocks = [0, 0], [0.0, 0.0], [[180_000.0] * 2, [180_000.0] * 2]
    furthest = 0
    while min(at_ms) < 240_000:
        board = at_ms.index(min(at_ms))
        side = plies[board] % 2
        lead = plies[board] - plies[1 - board] if mindful else 0
        thought = think_ms(30, plies[board], lead, int(clocks[board][side]), 0, 1.0, dice)
        clocks[board][side] -= thought
        at_ms[board] += thought + (15_000 if board == 0 and plies[0] == 20 else 0)
        plies[board] += 1
        furthest = max(furthest, abs(plies[0] - plies[1]))
    return furthest


def test_two_boards_of_bots_stay_within_a_few_plies_of_each_other() -> None:
    apart = [furthest_apart(seed, mindful=True) for seed in range(50)]
    assert max(apart) <= 6, "also while somebody sits for 15 s"
    assert sorted(furthest_apart(seed, mindful=False) for seed in range(50))[25] > 8


EQUAL = Clocks(60_000, 60_000)


def test_sit_holds_until_go() -> None:
    mood, answer = hear(Mood(), line(1, types_pb2.QUICK_MESSAGE_SIT), NOTHING, 1_000.0, EQUAL, 7)
    assert (mood.sit_until_ms, answer) == (10_000.0, types_pb2.QUICK_MESSAGE_YES)
    mood, answer = hear(mood, line(2, types_pb2.QUICK_MESSAGE_GO), NOTHING, 2_000.0, EQUAL, 7)
    assert (mood.sit_until_ms, mood.gone_ply, answer) == (0.0, 7, types_pb2.QUICK_MESSAGE_YES)


def test_it_does_not_sit_against_the_diagonal_clock() -> None:
    behind = Clocks(50_000, 60_000)
    for quick in (types_pb2.QUICK_MESSAGE_SIT, types_pb2.QUICK_MESSAGE_I_MATE):
        mood, answer = hear(Mood(), line(1, quick), NOTHING, 1_000.0, behind, 7)
        assert (mood.sit_until_ms, answer) == (0.0, types_pb2.QUICK_MESSAGE_NO)


def test_it_waits_a_moment_for_the_partners_mate_and_helps_against_one() -> None:
    mood, answer = hear(Mood(), line(1, types_pb2.QUICK_MESSAGE_I_MATE), NOTHING, 1_000.0, EQUAL, 7)
    assert (mood.sit_until_ms, answer) == (6_000.0, types_pb2.QUICK_MESSAGE_YES)
    mood, answer = hear(mood, line(2, types_pb2.QUICK_MESSAGE_THEY_MATE), NOTHING, 1_000.0, EQUAL, 7)
    assert (mood.sit_until_ms, answer) == (0.0, types_pb2.QUICK_MESSAGE_YES)
    assert set(mood.wishes(2_000.0)) == set("PNBRQ")
    assert all(worth > 0 for worth in mood.wishes(2_000.0).values())


@pytest.mark.parametrize(
    "quick", [quick for quick in types_pb2.QuickMessage.values() if 0 < quick < types_pb2.QUICK_MESSAGE_YES]
)
def test_every_quick_message_but_an_answer_is_answered(quick: types_pb2.QuickMessage.ValueType) -> None:
    _, answer = hear(Mood(), line(1, quick), NOTHING, 0.0, EQUAL, 7)
    assert answer in (types_pb2.QUICK_MESSAGE_YES, types_pb2.QUICK_MESSAGE_NO)
    # Two bots are quiet again after an answer.
    assert hear(Mood(), line(1, answer), NOTHING, 0.0, EQUAL, 7)[1] is None


@pytest.mark.parametrize(
    ("takes", "answer"),
    [(frozenset("NP"), types_pb2.QUICK_MESSAGE_YES), (NOTHING, types_pb2.QUICK_MESSAGE_NO)],
)
def test_a_request_is_answered_by_what_can_be_taken_and_remembered(
    takes: frozenset[str], answer: types_pb2.QuickMessage.ValueType
) -> None:
    mood, said = hear(Mood(), line(1, types_pb2.QUICK_MESSAGE_NEED_KNIGHT), takes, 0.0, EQUAL, 7)
    assert said == answer
    assert mood.wishes(0.0)["N"] > 0
    assert mood.wishes(WISH_MS + 1.0) == {}


def test_what_must_not_be_given_up_weighs_on_losing_it() -> None:
    mood, _ = hear(Mood(), line(1, types_pb2.QUICK_MESSAGE_NO_ROOK), NOTHING, 0.0, EQUAL, 7)
    assert mood.wishes(0.0)["R"] < 0


def test_a_line_is_heard_once_and_small_talk_is_not_answered() -> None:
    mood, _ = hear(Mood(), line(4, types_pb2.QUICK_MESSAGE_THANKS), NOTHING, 0.0, EQUAL, 7)
    assert hear(mood, line(4, types_pb2.QUICK_MESSAGE_NEED_PAWN), NOTHING, 0.0, EQUAL, 7) == (mood, None)
