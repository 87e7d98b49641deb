"""Checks, pins and what a drop could do about them: part of the core, compiled with it."""

from mypy_extensions import i64

from libs.rules.board import (
    ALL_STEPS,
    BISHOP,
    BLACK_BIT,
    CELLS,
    KIND,
    KNIGHT,
    KNIGHT_STEPS,
    PAWN,
    QUEEN,
    ROOK,
    WHITE_BIT,
    Board,
)


class Checks:
    """What attacks the king of the side to move: ``count`` pieces, one of them on ``cell``.

    ``between`` holds the empty cells where a dropped piece would block; empty unless ``count`` is 1.
    """

    def __init__(self) -> None:
        self.count: i64 = 0
        self.cell: i64 = -1
        self.between: list[int] = []


def find_checks(board: Board, pinned: list[int]) -> Checks:  # noqa: C901 - one walk over the king's lines
    """The checks, and in ``board.pins`` the lines of the pinned pieces; ``pinned`` collects their cells."""
    checks = Checks()
    cells = board.cells
    side: i64 = board.turn
    king: i64 = board.kings[side]
    own: i64 = BLACK_BIT if side else WHITE_BIT
    enemy: i64 = WHITE_BIT if side else BLACK_BIT
    forward: i64 = -16 if side else 16
    piece: i64
    step: i64
    cell: i64
    blocker: i64
    for step in KNIGHT_STEPS:
        piece = cells[king + step]
        if piece & enemy and piece & KIND == KNIGHT:
            checks.count += 1
            checks.cell = king + step
    for cell in (king + forward - 1, king + forward + 1):
        if cells[cell] == PAWN + enemy:
            checks.count += 1
            checks.cell = cell
    straight: i64 = ROOK
    for step in ALL_STEPS:
        if step == 15:
            straight = BISHOP
        cell = king + step
        piece = cells[cell]
        while piece == 0:
            cell += step
            piece = cells[cell]
        blocker = -1
        if piece & own:
            blocker = cell
            cell += step
            piece = cells[cell]
            while piece == 0:
                cell += step
                piece = cells[cell]
        if piece & enemy and (piece & KIND == straight or piece & KIND == QUEEN):
            if blocker >= 0:
                board.pins[blocker] = step
                pinned.append(blocker)
            else:
                checks.count += 1
                checks.cell = cell
                cell -= step
                while cell != king:
                    checks.between.append(cell)
                    cell -= step
    if checks.count > 1:
        checks.between = []
    return checks


def empty_cells(board: Board) -> list[int]:
    """The empty cells from a1 to h8."""
    cells = board.cells
    return [cell for cell in CELLS if cells[cell] == 0]


def drop_targets(board: Board) -> list[int]:
    """The cells where a drop of some kind would be legal now, whatever is in hand (T-drop, T-check)."""
    if board.fog or board.kings[0] < 0 or board.kings[1] < 0:
        return []
    pinned: list[int] = []
    checks = find_checks(board, pinned)
    for cell in pinned:
        board.pins[cell] = 0
    return checks.between if checks.count else empty_cells(board)
