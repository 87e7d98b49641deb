"""SAN, both variants."""

import json
from pathlib import Path

import chess
import chess.variant
import pytest
from hypothesis import given, settings

from libs.rules.errors import BadText, IllegalMove
from libs.rules.position import Position, Profile, Variant
from libs.rules.san import MARKS, parse_san, san
from tests.unit.notation.strategies import CHOICES, PROFILES, fog_moves, tandem_moves

DATA = Path(__file__).parents[2] / "data"
TANDEM_FENS = [
    row["fen"]
    for name in ("perft", "mate")
    for row in json.loads((DATA / f"{name}.json").read_text())["positions"]
]
FOG_FENS = [row["fen"] for row in json.loads((DATA / "fog.json").read_text())["positions"]]


def assert_every_move_comes_back(position: Position, profile: Profile) -> None:
    moves = position.legal_moves(profile)
    written = [san(position, uci, profile) for uci in moves]
    assert len(set(written)) == len(moves)
    assert tuple(parse_san(position, text, profile) for text in written) == moves


@pytest.mark.parametrize("fen", TANDEM_FENS)
def test_every_legal_move_of_a_known_tandem_position_comes_back_from_its_san(fen: str) -> None:
    assert_every_move_comes_back(Position.from_fen(fen, "tandem"), "online")


@pytest.mark.parametrize("fen", FOG_FENS)
def test_every_legal_move_of_a_known_fog_position_comes_back_from_its_san(fen: str) -> None:
    assert_every_move_comes_back(Position.from_fen(fen, "fog"), "online")


@given(CHOICES, PROFILES)
@settings(max_examples=25, deadline=None)
def test_every_legal_move_after_random_tandem_play_comes_back_from_its_san(
    choices: list[int], profile: Profile
) -> None:
    _, match = tandem_moves(profile, choices)
    for position in match.positions:
        assert_every_move_comes_back(position, profile)


@given(CHOICES)
@settings(max_examples=25, deadline=None)
def test_every_legal_move_after_random_fog_play_comes_back_from_its_san(choices: list[int]) -> None:
    _, game = fog_moves(choices)
    assert_every_move_comes_back(game.position, "online")


@given(CHOICES)
@settings(max_examples=15, deadline=None)
def test_san_agrees_with_python_chess_but_for_its_mates_and_its_pawn_drops(choices: list[int]) -> None:
    _, match = tandem_moves("online", choices)
    for position in match.positions:
        oracle = chess.variant.CrazyhouseBoard(position.fen())
        for uci in position.legal_moves():
            theirs = oracle.san(chess.Move.from_uci(uci))
            ours = san(position, uci)
            assert ours.rstrip(MARKS) == ("P" * theirs.startswith("@") + theirs).rstrip(MARKS)
            assert (ours[-1] in "+#") == (theirs[-1] in "+#")


@pytest.mark.parametrize(
    ("fen", "uci", "expected"),
    [
        ("4k3/8/8/8/8/8/8/4K2R[] w K - 0 1", "e1g1", "O-O"),
        ("r3k3/8/8/8/8/8/8/4K3[] b q - 0 1", "e8c8", "O-O-O"),
        ("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 1", "e5d6", "exd6"),
        ("3r1k2/4P3/8/8/8/8/8/4K3[] w - - 0 1", "e7d8q", "exd8=Q+"),
        ("4k3/8/8/8/8/8/8/1N2KN2[] w - - 0 1", "b1d2", "Nbd2"),
        ("R7/7k/8/8/R7/8/8/4K3[] w - - 0 1", "a4a5", "R4a5"),
        ("7k/8/8/8/Q6Q/8/8/K6Q[] w - - 0 1", "h4e4", "Qh4e4+"),
        ("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7", "N@f7#"),
    ],
)
def test_san_is_written_as_chess_players_write_it(fen: str, uci: str, expected: str) -> None:
    assert san(Position.from_fen(fen, "tandem"), uci) == expected


@pytest.mark.rule("T-mate")
def test_a_check_that_a_drop_could_block_is_no_mate_online_and_mate_at_the_club() -> None:
    """T-mate, T-club-mate"""
    position = Position.from_fen("6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1", "tandem")
    assert san(position, "a1a8", "online") == "Ra8+"
    assert san(position, "a1a8", "club") == "Ra8#"
    assert parse_san(position, "Ra8#", "online") == "a1a8"


@pytest.mark.rule("F-nocheck")
@pytest.mark.scenario("F15")
@pytest.mark.parametrize(
    ("fen", "uci", "expected"),
    [
        ("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "e2e7", "Qe7"),
        ("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "Qxe8"),
        ("8/8/8/3k4/3K4/8/8/8 w - - 0 1", "d4d5", "Kxd5"),
        ("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", "e1g1", "O-O"),
    ],
)
def test_fog_knows_neither_check_nor_mate(fen: str, uci: str, expected: str) -> None:
    """F-nocheck: no "+" or "#", also when a king is captured."""
    position = Position.from_fen(fen, "fog")
    assert san(position, uci) == expected
    assert parse_san(position, expected) == uci


@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("Ngf3", "g1f3"),
        ("N1f3", "g1f3"),
        ("Ng1f3+", "g1f3"),
        ("Ng1-f3!?", "g1f3"),
        ("e2e4", "e2e4"),
        ("e4#", "e2e4"),
        ("@e4", "P@e4"),
        ("P@e4+", "P@e4"),
        ("Q@e4", "Q@e4"),
        ("0-0", "e1g1"),
        ("dxc8Q", "d7c8q"),
        ("d8=N", "d7d8n"),
    ],
)
def test_san_is_read_leniently(text: str, uci: str) -> None:
    position = Position.from_fen("2b5/k2P4/8/8/8/8/4P3/4K1NR[QP] w K - 0 1", "tandem")
    if uci == "e1g1":
        position = Position.from_fen("2b5/k2P4/8/8/8/8/4P3/4K2R[QP] w K - 0 1", "tandem")
    assert parse_san(position, text) == uci


@pytest.mark.parametrize(
    "text", ["", "e9", "Nf", "K@e4", "O-O-O-O", "e4 e5", "nf3", "Ñf3", "e4=Q", "e8", "e2e4q", "\ud800"]
)
def test_text_that_is_no_san_is_refused_as_text(text: str) -> None:
    position = Position.from_fen("8/k3P3/8/8/8/8/4P3/4K3[] w - - 0 1", "tandem")
    with pytest.raises(BadText) as refusal:
        parse_san(position, text)
    assert refusal.value.reason == "bad_san"


def test_san_that_fits_two_moves_is_refused_and_names_both() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/1N2KN2[] w - - 0 1", "tandem")
    with pytest.raises(BadText, match="b1 or f1"):
        parse_san(position, "Nd2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("P@e4", "not_in_hand"),
        ("N@e2", "square_occupied"),
        ("Qh5", "illegal_move"),
        ("O-O", "illegal_move"),
        ("Kg1", "illegal_move"),
    ],
)
def test_a_move_that_cannot_be_played_is_refused_with_its_reason(text: str, reason: str) -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/4P3/4K3[N] w - - 0 1", "tandem")
    with pytest.raises(IllegalMove) as refusal:
        parse_san(position, text)
    assert refusal.value.reason == reason


@pytest.mark.rule("F-secret")
def test_in_fog_every_refusal_reads_the_same() -> None:
    """F-secret, B-refuse"""
    position = Position.from_fen("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "fog")
    details = set()
    for text in ("e5", "Nf3", "P@e6", "O-O", "Kxe8", "exd5"):
        with pytest.raises(IllegalMove) as refusal:
            parse_san(position, text)
        details.add((refusal.value.reason, refusal.value.detail, refusal.value.where))
    assert len(details) == 1


@pytest.mark.parametrize("variant", ["tandem", "fog"])
def test_san_of_an_illegal_move_is_refused(variant: Variant) -> None:
    with pytest.raises(IllegalMove):
        san(Position.start(variant), "e2e5")
    with pytest.raises(BadText):
        san(Position.start(variant), "hello")
