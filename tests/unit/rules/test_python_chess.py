"""Random play against python-chess, move set by move set. It decides nothing; where we differ:

It puts a captured piece into the capturer's own pocket (so boards are compared, not hands), does not count a
dropped pawn as a pawn move, and omits castling through attack (none in tandem; castling in fog is compared
with our own plain reading).
"""

import chess
import chess.variant
from hypothesis import given

from libs.rules.position import Position
from tests.unit.rules.data import CHOICES, IN_PLAY, board_play, match_play


def without_hand(fen: str) -> str:
    placement, *rest = fen.split()
    return " ".join([placement.partition("[")[0], *rest])


def compare_with_crazyhouse(position: Position, uci: str) -> None:
    oracle = chess.variant.CrazyhouseBoard(position.fen())
    assert position.legal_moves() == tuple(sorted(move.uci() for move in oracle.legal_moves))
    assert position.in_check() == oracle.is_check()
    oracle.push_uci(uci)
    if uci.startswith("P@"):
        oracle.halfmove_clock = 0
    assert without_hand(position.play(uci).position.fen()) == without_hand(oracle.fen(en_passant="fen"))


@given(CHOICES)
@IN_PLAY
def test_one_board_with_drops_has_the_moves_of_crazyhouse(choices: list[int]) -> None:
    for position, uci in board_play("tandem", choices):
        compare_with_crazyhouse(position, uci)


@given(CHOICES)
@IN_PLAY
def test_both_boards_of_a_match_have_the_moves_of_crazyhouse(choices: list[int]) -> None:
    for match, board, uci in match_play(choices):
        compare_with_crazyhouse(match.positions[board], uci)


def castlings(board: chess.Board) -> set[str]:
    """Fog's castling: the right and empty squares between, nothing else (F-nocheck)."""
    rank = "1" if board.turn else "8"
    found = set()
    if board.has_kingside_castling_rights(board.turn) and not any(
        board.piece_at(chess.parse_square(file + rank)) for file in "fg"
    ):
        found.add(f"e{rank}g{rank}")
    if board.has_queenside_castling_rights(board.turn) and not any(
        board.piece_at(chess.parse_square(file + rank)) for file in "bcd"
    ):
        found.add(f"e{rank}c{rank}")
    return found


@given(CHOICES)
@IN_PLAY
def test_fog_has_the_pseudo_legal_moves_of_chess_and_castling_through_attack(choices: list[int]) -> None:
    for position, _ in board_play("fog", choices):
        oracle = chess.Board(position.fen())
        moves = {move.uci() for move in oracle.pseudo_legal_moves if not oracle.is_castling(move)}
        assert set(position.legal_moves()) == moves | castlings(oracle)
