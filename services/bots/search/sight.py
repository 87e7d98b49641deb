"""Which moves give check, and what is mate: exact, for the search and for looking one move ahead."""

from typing import Final

from mypy_extensions import i64

from libs.rules.board import (
    ALL_STEPS,
    BISHOP,
    BLACK_BIT,
    CASTLE,
    CELLS,
    DROP,
    EN_PASSANT,
    FROM_SHIFT,
    KIND,
    KIND_SHIFT,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    TO,
    WHITE_BIT,
    Board,
)
from libs.rules.generate import can_move, find_checks, legal_moves, sight
from services.bots.search.tables import BESIDE, JUMPS

QUIET: Final = 0  # what `gives_check` answers
CHECK: Final = 1
PERHAPS: Final = 2
UNSEEN: Final = -1
_UNCOVERS: Final = 1  # bit of a cell: a piece that leaves it may uncover a check


def check_marks(board: Board) -> list[int]:  # noqa: C901 - one walk over the lines of the king
    """By cell, as bits ``1 << kind``: what of the mover's would attack the other king from there.

    A cell with the lowest bit holds a piece of the mover's that stands before a slider of the mover's.
    """
    marks = [0] * 128
    cells = board.cells
    side: i64 = board.turn
    king: i64 = board.kings[1 - side]
    if king < 0:
        return marks
    own: i64 = BLACK_BIT if side else WHITE_BIT
    back: i64 = 16 if side else -16
    straight: i64 = ROOK
    bits: i64 = 1 << ROOK | 1 << QUEEN
    step: i64
    cell: i64
    piece: i64
    for cell in JUMPS[king]:
        marks[cell] = 1 << KNIGHT
    for step in ALL_STEPS:
        if step == 15:
            straight = BISHOP
            bits = 1 << BISHOP | 1 << QUEEN
        cell = king + step
        piece = cells[cell]
        while piece == 0:
            marks[cell] = bits
            cell += step
            piece = cells[cell]
        if piece & own:
            marks[cell] = _UNCOVERS
            start: i64 = cell
            cell += step
            piece = cells[cell]
            while piece == 0:
                cell += step
                piece = cells[cell]
            if not piece & own or (piece & KIND != straight and piece & KIND != QUEEN):
                marks[start] = 0
        elif cell & 136 == 0:
            marks[cell] = bits
    for cell in (king + back - 1, king + back + 1):
        if cell & 136 == 0:
            marks[cell] = marks[cell] | 1 << PAWN
    if board.fog:
        for cell in BESIDE[king]:
            marks[cell] = marks[cell] | 1 << KING
    return marks


def gives_check(board: Board, move: i64, marks: list[int]) -> i64:
    """QUIET, CHECK, or PERHAPS where only making the move tells."""
    kind: i64 = (move >> KIND_SHIFT) & KIND
    bits: i64 = marks[move & TO]
    if move & DROP:
        return (bits >> kind) & 1
    start: i64 = (move >> FROM_SHIFT) & TO
    if kind or move & (EN_PASSANT | CASTLE) or marks[start] & _UNCOVERS:
        return PERHAPS
    return (bits >> (board.cells[start] & KIND)) & 1


def add_checking_drops(board: Board, marks: list[int], moves: list[int]) -> None:
    """Add the checking drops of a side not in check itself; ``marks`` are those of ``check_marks``."""
    cells = board.cells
    slot: i64 = board.turn * 8
    hands: i64 = 0
    cell: i64
    kind: i64
    bits: i64
    if board.fog:
        return
    for kind in range(PAWN, KING):
        if board.hands[slot + kind]:
            hands |= 1 << kind
    for cell in CELLS:
        bits = marks[cell] & hands
        if bits == 0 or cells[cell]:
            continue
        for kind in range(PAWN, KING):
            if (bits >> kind) & 1 and (kind != PAWN or 16 <= cell < 112):
                moves.append(cell | DROP | kind << KIND_SHIFT)


def is_mate(board: Board) -> bool:
    """Whether the side to move is mated (T-mate, T-club-mate); never in fog."""
    if board.fog or not board.in_check() or can_move(board):
        return False
    return board.club or not can_block(board)


def can_block(board: Board) -> bool:
    """Whether some kind of piece, if it were in hand, could be dropped between the checker and the king."""
    pinned: list[int] = []
    checks = find_checks(board, pinned)
    for cell in pinned:
        board.pins[cell] = 0
    return len(checks.between) > 0


def mate_in_one(board: Board, moves: list[int]) -> int:
    """The first of the moves that mates, or in fog takes the king (F-win); -1 when none does."""
    cells = board.cells
    move: i64
    if board.fog:
        for move in moves:
            if cells[move & TO] & KIND == KING:
                return move
        return -1
    marks = check_marks(board)
    for move in moves:
        if gives_check(board, move, marks) == QUIET:
            continue
        board.make(move)
        mate = is_mate(board)
        board.unmake(move)
        if mate:
            return move
    return -1


def allows_mate(board: Board) -> bool:
    """Whether the side to move has a mate in one, or in fog a king to take."""
    return mate_in_one(board, legal_moves(board)) >= 0


def looks_like(board: Board, side: i64, shown: list[int]) -> bool:
    """Whether ``side`` sees exactly this in fog (F-see): by cell the piece, 0 for none, UNSEEN for fog."""
    cells = board.cells
    left: i64 = 0
    row: i64
    cell: i64
    for row in range(0, 128, 16):
        for cell in range(row, row + 8):
            piece: i64 = shown[cell]
            if piece != UNSEEN:
                if cells[cell] != piece:
                    return False
                left += 1
    marked = [0] * 128
    for cell in sight(board, side):
        if shown[cell] == UNSEEN:
            return False
        if marked[cell] == 0:
            marked[cell] = 1
            left -= 1
    return left == 0
