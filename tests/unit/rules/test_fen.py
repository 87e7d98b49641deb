"""Positions as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.rules.errors import BadText
from libs.rules.position import Position
from tests.unit.rules.data import CHOICES, IN_PLAY, board_play, fog, tandem

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"


def test_the_start_is_written_with_an_empty_hand_in_tandem_and_none_in_fog() -> None:
    assert Position.start("tandem").fen() == START
    assert Position.start("fog").fen() == START.replace("[]", "")


def test_hands_and_promoted_marks_are_kept() -> None:
    fen = "Q~5k1/5ppp/8/8/8/8/8/K7[QRBNPPqrbnpp] b - - 3 40"
    assert tandem(fen).fen() == fen
    assert tandem(fen).piece_at(56) == "Q~"
    assert tandem(fen).hand(1) == {"P": 2, "N": 1, "B": 1, "R": 1, "Q": 1}


def test_a_hand_after_a_ninth_slash_is_read() -> None:
    assert tandem("4k3/8/8/8/8/8/8/4K3/PPb b - - 0 1").fen() == "4k3/8/8/8/8/8/8/4K3[PPb] b - - 0 1"
    assert tandem("4k3/8/8/8/8/8/8/4K3/ b - - 0 1").fen() == "4k3/8/8/8/8/8/8/4K3[] b - - 0 1"


def test_fields_left_out_at_the_end_have_their_usual_values() -> None:
    assert tandem("4k3/8/8/8/8/8/8/4K3 b").fen() == "4k3/8/8/8/8/8/8/4K3[] b - - 0 1"
    assert fog("4k3/8/8/3pP3/8/8/8/4K3 w - d6").fen() == "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


def test_every_double_step_is_written_also_when_no_pawn_can_take() -> None:
    assert Position.start("tandem").play("a2a4").position.fen().split()[3] == "a3"


@pytest.mark.parametrize(
    ("fen", "where"),
    [
        ("", "text"),
        ("8/8/8/8/8/8/8/8", "text"),
        (START + " extra", "text"),
        ("x" * 2000, "text"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "hand, column 1"),
        ("4k3/8/8/8/8/9/8/4K3 w - - 0 1", "rank 3, column 1"),
        ("4k3/8/8/8/8/3x4/8/4K3 w - - 0 1", "rank 3, column 4"),
        ("4k3/8/8/8/8/44/8/4K3 w - - 0 1", "rank 3, column 5"),
        ("4k3/8/8/8/8/7/8/4K3 w - - 0 1", "rank 3"),
        ("4k3/8/8/8/8/8n/8/4K3 w - - 0 1", "rank 3, column 9"),
        ("4k3/8/8/8/8/8/~8/4K3 w - - 0 1", "rank 2, column 1"),
        ("4k3/8/8/8/8/P~7/8/4K3 w - - 0 1", "rank 3, column 2"),
        ("4k~3/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8, column 6"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8, column 8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "rank 1, column 1"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "hand, column 1"),
        ("4k3/8/8/8/8/8/8/4K3[P w - - 0 1", "hand"),
        ("4k3/8/8/8/8/8/8/4K3[Pé] w - - 0 1", "hand, column 2"),
        (f"4k3/8/8/8/8/8/8/4K3[{'P' * 65}] w - - 0 1", "hand, column 65"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/4K2R~ w K - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "fullmove number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1234567", "fullmove number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ² 1", "halfmove clock"),
    ],
)
def test_a_bad_text_is_refused_and_the_place_named(fen: str, where: str) -> None:
    with pytest.raises(BadText) as refused:
        tandem(fen)
    assert (refused.value.reason, refused.value.where) == ("bad_fen", where)
    assert refused.value.detail


@pytest.mark.parametrize(
    ("fen", "where"),
    [
        ("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "hand, column 1"),
        ("4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1", "rank 1, column 2"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/KK6 w - - 0 1", "placement"),
    ],
)
def test_fog_has_no_hands_no_promoted_marks_and_a_king(fen: str, where: str) -> None:
    """F-board"""
    with pytest.raises(BadText) as refused:
        fog(fen)
    assert refused.value.where == where


def test_a_fog_position_may_have_lost_one_king() -> None:
    assert fog("8/8/8/8/8/8/8/4K3 b - - 0 1").verdict() == "king_captured"


def test_unmoved_kings_stand_beside_the_fen() -> None:
    """T-club-castle"""
    bare = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"
    assert tandem(bare).kings_unmoved == (False, False)
    assert tandem(bare, (True, False)).kings_unmoved == (True, False)
    assert tandem(bare, (True, False)) != tandem(bare)
    assert tandem("4k2r/8/8/8/8/8/8/4K3[] w k - 0 1").kings_unmoved == (False, True)
    for fen, unmoved in (
        ("4k3/8/8/8/8/8/8/3K4[] w - - 0 1", (True, False)),
        ("4k2r/8/8/8/8/8/8/4K3[] w k - 0 1", (False, False)),
    ):
        with pytest.raises(BadText):
            tandem(fen, unmoved)


ALPHABET = "kqrbnpKQRBNP12345678~/[] w-bKQkqe36d01²é\x00"


@IN_PLAY
@given(st.one_of(st.text(max_size=90), st.text(ALPHABET, max_size=90)), st.sampled_from(["tandem", "fog"]))
def test_any_text_is_a_position_or_a_named_refusal(text: str, variant: str) -> None:
    try:
        position = fog(text) if variant == "fog" else tandem(text)
    except BadText:
        return
    assert position.legal_moves() is not None


@IN_PLAY
@given(CHOICES, st.data())
def test_a_damaged_fen_is_a_position_or_a_named_refusal(choices: list[int], data: st.DataObject) -> None:
    line = board_play("tandem", choices)
    fen = list((line[-1][0] if line else Position.start("tandem")).fen())
    place = data.draw(st.integers(0, len(fen) - 1))
    fen[place] = data.draw(st.sampled_from(ALPHABET))
    text = "".join(fen)
    try:
        position = tandem(text)
    except BadText:
        return
    assert tandem(position.fen(), position.kings_unmoved) == position
    for uci in position.legal_moves():
        position.play(uci)


@IN_PLAY
@given(st.sampled_from(["tandem", "fog"]), CHOICES)
def test_every_position_of_play_reads_back_equal(variant: str, choices: list[int]) -> None:
    for position, _ in board_play("fog" if variant == "fog" else "tandem", choices):
        kept = None if variant == "fog" else position.kings_unmoved
        assert Position.from_fen(position.fen(), position.variant, kept) == position
