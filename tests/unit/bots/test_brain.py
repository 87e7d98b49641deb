"""What the brains choose: always something legal, and nothing silly."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.rules.position import Position, Profile
from services.bots import brain
from services.bots.fog_brain import accepts_draw
from services.bots.situation import Situation
from tests.unit.bots.positions import fog_situation, random_fog, random_tandem, tandem_situation

LEVELS = (1, 3, 5)


def choose(situation: Situation, level: int, dice: Random) -> str | None:
    """What the level chooses, with fewer nodes for the strong ones."""
    return brain.choose(situation, level, dice, 2_000)


def tandem(fen: str) -> Position:
    return Position.from_fen(fen, "tandem")


def mates_in(position: Position) -> set[str]:
    """The moves that mate at once."""
    return {move for move in position.legal_moves() if position.play(move).position.verdict() == "mate"}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 120), st.integers(1, 5), st.sampled_from(["online", "club"]))
def test_a_tandem_bot_never_chooses_an_illegal_move(
    seed: int, plies: int, level: int, profile: Profile
) -> None:
    position = random_tandem(Random(seed), plies, profile)
    if position is None:
        return
    chosen = choose(tandem_situation(position, profile), level, Random(seed))
    if position.legal_moves(profile):
        assert chosen in position.legal_moves(profile)
    else:
        assert chosen is None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 80), st.integers(1, 5))
def test_a_fog_bot_never_chooses_an_illegal_move(seed: int, plies: int, level: int) -> None:
    position = random_fog(Random(seed), plies)
    if position is not None and position.legal_moves():
        assert choose(fog_situation(position), level, Random(seed)) in position.legal_moves()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("fen", "mates"),
    [
        # A drop mates: the knight smothers.
        ("6rk/6pp/8/8/8/8/5PPP/6K1[N] w - - 0 1", {"N@f7"}),
        # The queen mates, guarded, next to the king.
        ("7k/8/6K1/8/8/8/8/Q7[] w - - 0 1", {"a1g7"}),
        ("rnbqkbnr/pppp1ppp/8/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR[] w KQkq - 0 1", {"f3f7"}),
    ],
)
@pytest.mark.rule("T-mate")
def test_a_mate_in_one_is_taken_at_every_level(fen: str, mates: set[str], level: int) -> None:
    position = tandem(fen)
    assert mates_in(position) == mates
    for seed in range(5):
        assert choose(tandem_situation(position), level, Random(seed)) in mates


@pytest.mark.rule("T-club-mate")
def test_a_mate_of_the_club_form_is_taken_there() -> None:
    position = tandem("6k1/5ppp/8/8/8/8/5PPP/R5K1[] w - - 0 1")
    assert position.play("a1a8").position.verdict("club") == "mate"
    assert choose(tandem_situation(position, "club"), 1, Random(1)) == "a1a8"


@pytest.mark.parametrize("level", LEVELS)
def test_a_mate_in_one_is_not_allowed_when_it_can_be_helped(level: int) -> None:
    # Black threatens Qxf2 and mate, however much there is to be taken elsewhere.
    position = tandem("r1b1k1nr/pppp1ppp/8/2bnp3/2B1P2q/2N5/PPPP1PPP/R1BQK1NR[] w KQkq - 0 1")
    losing = {move for move in position.legal_moves() if mates_in(position.play(move).position)}
    assert losing
    for seed in range(5):
        chosen = choose(tandem_situation(position), level, Random(seed))
        assert chosen is not None
        assert chosen not in losing


def test_a_hanging_queen_is_taken_and_the_own_one_is_not_left_hanging() -> None:
    free = tandem("rnb1kbnr/pppp1ppp/8/4p3/3Pq3/2N5/PPP2PPP/R1BQKBNR[] w KQkq - 0 1")
    attacked = tandem("rnbqkb1r/pppp1ppp/5n2/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR[] w KQkq - 0 1")
    for seed in range(5):
        assert choose(tandem_situation(free), 5, Random(seed)) == "c3e4"
        chosen = choose(tandem_situation(attacked), 5, Random(seed))
        assert chosen is not None
        assert chosen.startswith("h5")


@pytest.mark.rule("T-wait")
def test_with_no_legal_move_there_is_nothing_to_choose() -> None:
    position = tandem("R5k1/5ppp/8/8/8/8/5PPP/6K1[] b - - 0 1")
    assert position.verdict() == "waiting"
    assert choose(tandem_situation(position), 5, Random(1)) is None


def test_what_the_partner_needs_is_worth_more() -> None:
    # A knight and a bishop can be taken alike; the partner asked for one of them.
    position = tandem("4k3/8/8/1n3b2/P5P1/8/8/4K3[] w - - 0 1")
    for letter, move in (("N", "a4b5"), ("B", "g4f5")):
        assert choose(tandem_situation(position, wishes={letter: 150}), 5, Random(1)) == move


@pytest.mark.rule("F-win")
@pytest.mark.parametrize("level", LEVELS)
def test_a_king_in_reach_is_taken_at_every_level(level: int) -> None:
    position = Position.from_fen("4k3/8/8/8/1q6/8/3p4/R3K2R b KQ - 0 1", "fog")
    for seed in range(5):
        chosen = choose(fog_situation(position), level, Random(seed))
        assert chosen is not None
        assert chosen.startswith("d2e1")


def test_in_fog_the_king_leaves_a_visible_attack() -> None:
    position = Position.from_fen("4k3/8/8/8/8/4r3/3PPP2/4K3 w - - 0 1", "fog")
    assert choose(fog_situation(position), 3, Random(1)) in {"d2e3", "f2e3"}


@pytest.mark.scenario("F20")
def test_in_fog_what_is_hidden_changes_no_choice() -> None:
    seen = Position.from_fen("4k3/8/8/8/8/8/PPP5/1K6 w - - 0 1", "fog")
    other = Position.from_fen("qqq1k3/8/8/8/8/8/PPP5/1K6 w - - 0 1", "fog")
    assert fog_situation(seen) == fog_situation(other)


@pytest.mark.rule("F-draw")
def test_a_fog_bot_agrees_to_a_draw_only_late_and_behind() -> None:
    poor = "?" * 56 + "....K.P."
    rich = "?" * 56 + "RQ..K.QR"
    assert accepts_draw(poor, 0, captures=3, plies=60)
    assert not accepts_draw(poor, 0, captures=3, plies=10)
    assert not accepts_draw(rich, 0, captures=10, plies=60)
