"""One board: what is legal, what is refused and why, what a move leaves behind."""

import pickle
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, replace

import pytest

from libs.rules.errors import BadText, IllegalMove
from libs.rules.position import Position
from libs.rules.squares import BLACK, WHITE, parse_square, side_name, square_name
from tests.unit.rules.data import after, fog, tandem


def refusal(position: Position, uci: str) -> str:
    assert not position.is_legal(uci)
    with pytest.raises(IllegalMove) as refused:
        position.play(uci)
    return refused.value.reason


@pytest.mark.rule("T-drop")
@pytest.mark.scenario("T07")
def test_a_drop_is_refused_by_name_and_changes_nothing() -> None:
    position = tandem("4k3/8/8/8/8/8/4P3/4K3[P] w - - 0 1")
    before = position.fen()
    assert refusal(position, "P@a1") == "pawn_on_last_rank"
    assert refusal(position, "P@h8") == "pawn_on_last_rank"
    assert refusal(position, "P@e2") == "square_occupied"
    assert refusal(position, "Q@a3") == "not_in_hand"
    assert position.fen() == before
    for rank in range(2, 8):
        assert position.play(f"P@a{rank}").position.hand(WHITE)["P"] == 0


@pytest.mark.rule("T-drop")
def test_the_other_sides_hand_is_not_mine() -> None:
    assert refusal(tandem("4k3/8/8/8/8/8/8/4K3[n] w - - 0 1"), "N@a3") == "not_in_hand"


@pytest.mark.parametrize(
    ("fen", "uci", "reason"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a2a3", "no_piece"),
        ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", "a7a6", "wrong_side"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", "illegal_move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e1", "illegal_move"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "illegal_move"),
        ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "a6a7q", "illegal_move"),
        ("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "e2c3", "leaves_king_in_check"),
        ("4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1", "d2d3", "leaves_king_in_check"),
        ("4k3/8/8/8/4r3/8/8/4K3[N] w - - 0 1", "N@a3", "leaves_king_in_check"),
        ("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", "e1g1", "illegal_move"),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "e4d3", "leaves_king_in_check"),
    ],
)
@pytest.mark.rule("T-check")
def test_a_move_is_refused_by_its_precise_reason(fen: str, uci: str, reason: str) -> None:
    assert refusal(tandem(fen), uci) == reason


@pytest.mark.parametrize(
    "text", ["", "e2", "e2e9", "i2e4", "e2e4k", "e7e8Q", "n@f3", "K@e4", "N@", "0000", "e2-e4"]
)
def test_a_text_that_is_no_move_is_bad_text(text: str) -> None:
    for position in (Position.start("tandem"), Position.start("fog")):
        assert not position.is_legal(text)
        with pytest.raises(BadText) as refused:
            position.play(text)
        assert refused.value.reason == "bad_uci"


@pytest.mark.rule("B-refuse")
def test_fog_refuses_every_move_in_the_same_words() -> None:
    position = fog("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1")
    told = set()
    for uci in ("a2a3", "e4e5", "e2e4", "N@a3", "e1g1"):
        with pytest.raises(IllegalMove) as refused:
            position.play(uci)
        told.add((refused.value.reason, refused.value.detail, refused.value.where, str(refused.value)))
    assert len(told) == 1
    assert told.pop()[0] == "illegal_move"


@pytest.mark.rule("T-capture")
def test_a_captured_piece_keeps_its_colour_and_a_promoted_one_arrives_as_a_pawn() -> None:
    assert tandem("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").play("e4d5").captured == "q"
    assert tandem("4k3/8/8/3Q4/4p3/8/8/4K3 b - - 0 1").play("e4e3").captured is None
    played = tandem("Q~r2k3/8/8/8/8/8/8/4K3 b - - 0 1").play("b8a8")
    assert (played.captured, played.capture_square) == ("P", parse_square("a8"))


@pytest.mark.rule("T-capture")
def test_a_promoted_piece_keeps_its_mark_wherever_it_goes() -> None:
    position = after(tandem("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"), "a7a8q", "e7e6", "a8a1")
    assert position.piece_at(0) == "Q~"
    assert position.pieces()[parse_square("a1")] == "Q~"


@pytest.mark.rule("T-capture")
def test_en_passant_sends_a_pawn_and_names_the_square_it_stood_on() -> None:
    played = tandem("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").play("e5d6")
    assert (played.captured, played.capture_square) == ("p", parse_square("d5"))
    assert played.position.fen() == "4k3/8/3P4/8/8/8/8/4K3[] b - - 0 1"


@pytest.mark.rule("T-drop")
def test_a_drop_ends_the_en_passant_right() -> None:
    position = tandem("4k3/8/8/3pP3/8/8/8/4K3[Nn] w - d6 0 1")
    assert position.is_legal("e5d6")
    position = after(position, "N@a3", "e8e7")
    assert not position.is_legal("e5d6")


@pytest.mark.rule("T-drop")
def test_a_pawn_dropped_on_its_second_rank_may_step_two_and_be_taken_en_passant() -> None:
    position = after(tandem("4k3/8/8/8/3p4/8/8/4K3[P] w - - 0 1"), "P@e2", "e8e7", "e2e4")
    assert position.is_legal("d4e3")
    assert tandem("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").is_legal("e2e4")


@pytest.mark.rule("T-check")
def test_en_passant_that_uncovers_the_own_king_is_illegal_in_tandem_and_legal_in_fog() -> None:
    along_the_rank = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2"  # both pawns leave it
    assert fog(along_the_rank).is_legal("e5d6")
    assert not tandem(along_the_rank).is_legal("e5d6")
    # The passed pawn shields the king on the diagonal.
    assert not tandem("7k/8/8/8/2pP4/8/1B6/4K3 b - d3 0 1").is_legal("c4d3")
    assert tandem("7k/8/8/8/2pP4/8/1N6/4K3 b - d3 0 1").is_legal("c4d3")


@pytest.mark.rule("T-check")
def test_en_passant_may_answer_the_check_of_the_pawn_that_stepped() -> None:
    position = tandem("3R4/8/R7/4k3/3Pp3/8/8/K4R2 b - d3 0 1")
    assert position.in_check()
    assert position.legal_moves() == ("e4d3",)


@pytest.mark.rule("T-check")
def test_a_pinned_piece_moves_only_along_its_line() -> None:
    position = tandem("4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1")
    assert [m for m in position.legal_moves() if m.startswith("e2")] == ["e2e3", "e2e4"]
    pawn = tandem("4k3/8/8/8/7b/6P1/8/4K3 w - - 0 1")
    assert [m for m in pawn.legal_moves() if m.startswith("g3")] == ["g3h4"]


@pytest.mark.rule("T-check")
def test_a_king_cannot_stay_on_the_line_it_flees_along() -> None:
    assert not tandem("4k3/8/8/8/4r3/8/4K3/8 w - - 0 1").is_legal("e2e1")


def test_castling_rights_end_with_the_king_the_rook_and_the_rooks_capture() -> None:
    start = tandem("r3k2r/8/8/8/8/8/6n1/R3K2R w KQkq - 0 1")
    assert start.in_check()
    assert after(start, "e1e2").fen().split()[2] == "kq"
    free = tandem("r3k2r/8/8/3B4/8/8/8/R3K2R w KQkq - 0 1")
    assert after(free, "h1g1").fen().split()[2] == "Qkq"
    assert after(free, "a1a8").fen().split()[2] == "Kk"
    assert after(free, "d5a8").fen().split()[2] == "KQk"
    assert after(free, "e1g1").fen() == "r3k2r/8/8/3B4/8/8/8/R4RK1[] b kq - 1 1"
    assert after(free, "e1c1").fen() == "r3k2r/8/8/3B4/8/8/8/2KR3R[] b kq - 1 1"


@pytest.mark.rule("T-drop")
@pytest.mark.scenario("T05")
def test_online_a_dropped_rook_gives_no_castling() -> None:
    position = after(tandem("4k3/8/8/8/8/8/8/R3K3[R] w Q - 0 1"), "R@h1", "e8e7")
    assert not position.is_legal("e1g1")
    assert position.is_legal("e1c1")


@pytest.mark.rule("T-club-castle")
@pytest.mark.scenario("T05")
def test_in_the_club_a_rook_dropped_on_its_corner_castles_while_the_king_is_unmoved() -> None:
    # Both rooks were captured, no right is left in the FEN, the king has never moved.
    start = tandem("4k3/8/8/8/8/8/8/4K3[RR] w - - 0 1", (True, False))
    position = after(start, "R@h1", "e8e7", "R@a1", "e7e8", profile="club")
    assert "e1g1" in position.legal_moves("club")
    assert "e1c1" in position.legal_moves("club")
    castled = position.play("e1g1", "club").position
    assert castled.fen().startswith("4k3/8/8/8/8/8/8/R4RK1[] b - - ")
    # The same state read back from FEN and king flags castles too.
    assert tandem(position.fen(), position.kings_unmoved).is_legal("e1g1", "club")


@pytest.mark.rule("T-club-castle")
def test_in_the_club_the_right_ends_with_king_rook_and_capture() -> None:
    start = tandem("4k3/8/8/8/8/8/8/4K3[RRr] w - - 0 1", (True, True))
    moved_king = after(start, "e1e2", "e8d8", "e2e1", "d8e8", "R@h1", "e8e7", profile="club")
    assert not moved_king.is_legal("e1g1", "club")
    assert moved_king.kings_unmoved == (False, False)
    moved_rook = after(start, "R@h1", "e8e7", "h1h2", "e7e8", "h2h1", "e8e7", profile="club")
    assert not moved_rook.is_legal("e1g1", "club")
    captured = after(start, "R@h1", "R@h8", "R@a1", "h8h1", profile="club")
    assert captured.fen().split()[2] == "Q"
    assert captured.kings_unmoved == (True, True)
    elsewhere = after(start, "R@h8", profile="club")
    assert elsewhere.fen().split()[2] == "-"


@pytest.mark.rule("T-mate")
@pytest.mark.scenario("T03")
@pytest.mark.parametrize("hand", ["", "qrbnp"])
@pytest.mark.parametrize(
    "placement",
    [
        pytest.param("6rk/5Npp/8/8/8/8/8/4K3", id="smothered"),
        pytest.param("6k1/6Q1/6K1/8/8/8/8/8", id="contact"),
        pytest.param("k7/8/8/8/8/8/8/RR2K2B", id="double check"),
    ],
)
def test_a_check_that_nothing_can_block_mates_also_with_a_full_hand(placement: str, hand: str) -> None:
    position = tandem(f"{placement}[{hand}] b - - 0 1")
    assert (position.verdict("online"), position.verdict("club")) == ("mate", "mate")


@pytest.mark.rule("T-wait")
@pytest.mark.scenario("T04")
def test_a_stuck_player_waits_and_drops_the_piece_that_arrives() -> None:
    position = tandem("7k/8/6Q1/8/8/8/8/4K3 b - - 0 1")
    assert position.verdict() == "waiting"
    assert position.legal_moves() == ()
    assert refusal(position, "h8g8") == "leaves_king_in_check"
    fed = position.with_in_hand("p")
    assert fed.verdict() == "normal"
    assert fed.is_legal("P@a7")
    assert fed.is_legal("P@a2")
    assert not fed.is_legal("P@a8")


@pytest.mark.rule("T-drop")
def test_a_drop_gives_check_and_mate_and_a_drop_blocks() -> None:
    position = tandem("6k1/5ppp/8/8/8/8/8/K7[RRn] w - - 0 1")
    checked = after(position, "R@e8")
    assert checked.verdict() == "check"
    assert all(move.endswith("@f8") for move in checked.legal_moves())
    assert after(tandem("6rk/6pp/8/8/8/8/8/K7[Nqrbnp] w - - 0 1"), "N@f7").verdict() == "mate"


def test_drop_squares_ignore_what_is_in_hand() -> None:
    pieces, pawns = Position.start("tandem").drop_squares()
    assert pieces == pawns == frozenset(range(16, 48))
    assert Position.start("fog").drop_squares() == (frozenset(), frozenset())


def test_destinations_are_the_board_moves_by_origin() -> None:
    position = tandem("4k3/P7/8/8/8/8/8/4K3[N] w - - 0 1")
    by_name = {
        square_name(start): [square_name(target) for target in targets]
        for start, targets in position.destinations().items()
    }
    assert by_name == {"a7": ["a8"], "e1": ["d1", "f1", "d2", "e2", "f2"]}


@pytest.mark.parametrize("letter", ["K", "k", "", "PP", "x", "~", " "])
def test_only_pieces_that_can_be_captured_go_to_a_hand(letter: str) -> None:
    with pytest.raises(BadText):
        Position.start("tandem").with_in_hand(letter)
    with pytest.raises(BadText):
        Position.start("fog").with_in_hand("P")


def test_a_hand_takes_the_piece_of_its_colour() -> None:
    position = Position.start("tandem").with_in_hand("n").with_in_hand("n").with_in_hand("Q")
    assert position.hand(WHITE) == {"P": 0, "N": 0, "B": 0, "R": 0, "Q": 1}
    assert position.hand(BLACK) == {"P": 0, "N": 2, "B": 0, "R": 0, "Q": 0}


def test_a_position_is_a_value() -> None:
    one, other = (after(Position.start("tandem"), "e2e4", "e7e5") for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
    assert one != after(one, "g1f3")
    assert copy(one) == deepcopy(one) == one
    assert replace(one, halfmove=7).halfmove == 7
    played = one.play("g1f3")
    assert pickle.loads(pickle.dumps(played)) == played == one.play("g1f3")  # noqa: S301 - our own
    for value, name in ((one, "turn"), (one, "variant"), (played, "move")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, getattr(value, name))
        with pytest.raises(FrozenInstanceError):
            delattr(value, name)
    assert one == other
    assert not hasattr(one, "__dict__")


def test_errors_survive_pickling() -> None:
    error = IllegalMove("no_piece", "There is no piece on a2.", "move 3")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (again.reason, again.detail, again.where) == ("no_piece", "There is no piece on a2.", "move 3")
    assert str(again) == "There is no piece on a2. (move 3)"


def test_squares_and_sides_have_names() -> None:
    assert [parse_square(square_name(square)) for square in range(64)] == list(range(64))
    assert (square_name(0), square_name(1), square_name(63)) == ("a1", "b1", "h8")
    assert (side_name(WHITE), side_name(BLACK)) == ("white", "black")
    for text in ("", "a9", "A1", "e44"):
        with pytest.raises(BadText):
            parse_square(text)
