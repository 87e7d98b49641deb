"""The mailbox core: make and unmake, the hash, the noisy moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.rules.board import EN_PASSANT, KIND_SHIFT, TO, Board, cell_of, square_of
from libs.rules.generate import captures, legal_moves
from libs.rules.position import Position, Variant
from libs.rules.uci import move_text
from tests.unit.rules.data import CHOICES, IN_PLAY, board_play, tandem


def state(board: Board) -> tuple[object, ...]:
    return (
        board.pieces(),
        tuple(board.hands),
        tuple(board.kings),
        board.turn,
        board.castling,
        board.en_passant,
        board.halfmove,
        board.fullmove,
        board.key,
        tuple(board.history),
        any(board.pins),
    )


def test_cells_and_squares_fit_together() -> None:
    assert [square_of(cell_of(square)) for square in range(64)] == list(range(64))
    assert (cell_of(0), cell_of(7), cell_of(8), cell_of(63)) == (0, 7, 16, 119)


@IN_PLAY
@given(st.sampled_from(["tandem", "fog"]), CHOICES)
def test_every_move_is_taken_back_whole(variant: Variant, choices: list[int]) -> None:
    for position, _ in board_play(variant, choices)[-3:]:
        board = position.board()
        before = state(board)
        for move in legal_moves(board):
            board.make(move)
            legal_moves(board)
            board.unmake(move)
            assert state(board) == before, move_text(move)


@IN_PLAY
@given(st.sampled_from(["tandem", "fog"]), CHOICES)
def test_the_hash_is_that_of_the_position_reached(variant: Variant, choices: list[int]) -> None:
    for position, uci in board_play(variant, choices)[-10:]:
        board = position.board()
        assert 0 <= board.key < 2**62
        for move in legal_moves(board):
            if move_text(move) == uci:
                board.make(move)
        assert board.key == position.play(uci).position.board().key


def test_positions_that_differ_in_one_thing_differ_in_hash() -> None:
    texts = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[N] w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[N] b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[NN] w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[n] w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[] w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[N] w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[N] w KQkq d6 0 1",
        "r~3k2r/8/8/3pP3/8/8/8/R3K2R[N] w KQk - 0 1",
    ]
    assert len({tandem(text).board().key for text in texts}) == len(texts)


def test_an_en_passant_square_that_no_pawn_can_use_leaves_the_hash_alone() -> None:
    assert (
        tandem("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1").board().key
        == tandem("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1").board().key
    )


def test_the_hash_is_the_same_in_every_process_and_build() -> None:
    assert Position.start("tandem").board().key == 4_259_739_698_905_527_336


@IN_PLAY
@given(st.sampled_from(["tandem", "fog"]), CHOICES)
def test_captures_are_the_captures_and_promotions_among_the_legal_moves(
    variant: Variant, choices: list[int]
) -> None:
    for position, _ in board_play(variant, choices)[-10:]:
        board = position.board()
        noisy = [
            move
            for move in legal_moves(board)
            if "@" not in move_text(move)
            and (board.cells[move & TO] or move & EN_PASSANT or move >> KIND_SHIFT & 7)
        ]
        assert sorted(captures(board)) == sorted(noisy)
        assert not any(board.pins)


@pytest.mark.parametrize("text", ["7k/6p1/8/8/8/8/8/RR2K2B b - - 0 1", "4k3/8/8/8/7b/6P1/8/4K3 w - - 0 1"])
def test_the_generator_leaves_no_pin_behind(text: str) -> None:
    board = tandem(text).board()
    legal_moves(board)
    captures(board)
    assert not any(board.pins)
