"""The only move generator: legal moves, captures, sight and checks of a ``Board``, compiled with it."""

from typing import Final

from mypy_extensions import i64

from libs.rules.board import (
    ALL_STEPS,
    BISHOP,
    BLACK_BIT,
    CASTLE,
    CELLS,
    DIAGONAL,
    DOUBLE_STEP,
    DROP,
    EN_PASSANT,
    FROM_SHIFT,
    KIND,
    KIND_SHIFT,
    KING,
    KNIGHT,
    KNIGHT_STEPS,
    NAMED,
    ORTHOGONAL,
    OUTSIDE,
    PAWN,
    QUEEN,
    ROOK,
    TO,
    WHITE_BIT,
    Board,
)
from libs.rules.checks import Checks, drop_targets, empty_cells, find_checks

__all__ = [
    "board_moves",
    "can_move",
    "captures",
    "drop_targets",
    "find_checks",
    "find_move",
    "legal_moves",
    "origins",
    "perft",
    "sight",
]

_STEPS: Final[list[list[int]]] = [[], [], KNIGHT_STEPS, DIAGONAL, ORTHOGONAL, ALL_STEPS, []]


def _pawn_moves(board: Board, side: i64, cell: i64, moves: list[int], only_captures: bool) -> None:
    """Steps and captures of one pawn, en passant apart; a promotion counts as a capture."""
    cells = board.cells
    enemy: i64 = WHITE_BIT if side else BLACK_BIT
    forward: i64 = -16 if side else 16
    pin: i64 = board.pins[cell]
    start: i64 = cell << FROM_SHIFT
    promotes: bool = (cell >> 4) == (1 if side else 6)
    kind: i64
    to: i64
    step: i64
    for step in (forward, forward - 1, forward + 1):
        to = cell + step
        if pin != 0 and pin != step and pin != -step:
            continue
        if (cells[to] != 0) if step == forward else not (cells[to] & enemy):
            continue
        if promotes:
            for kind in (KNIGHT, BISHOP, ROOK, QUEEN):
                moves.append(to | start | kind << KIND_SHIFT)
        elif step != forward or not only_captures:
            moves.append(to | start)
            if step == forward and (cell >> 4) == (6 if side else 1) and cells[to + forward] == 0:
                moves.append((to + forward) | start | DOUBLE_STEP)


def _piece_moves(board: Board, side: i64, moves: list[int], only_captures: bool) -> None:  # noqa: C901
    """Moves of everything but the king, true to ``board.pins``; no en passant."""
    cells = board.cells
    pins = board.pins
    own: i64 = BLACK_BIT if side else WHITE_BIT
    enemy: i64 = WHITE_BIT if side else BLACK_BIT
    forward: i64 = -16 if side else 16
    promoting: i64 = 1 if side else 6
    closed: i64 = own | OUTSIDE
    cell: i64
    piece: i64
    kind: i64
    pin: i64
    step: i64
    to: i64
    target: i64
    start: i64
    for cell in CELLS:
        piece = cells[cell]
        if not piece & own:
            continue
        kind = piece & KIND
        if kind == PAWN:
            # Most pawns take nothing, which is seen sooner than by calling.
            if (
                not only_captures
                or (cells[cell + forward - 1] | cells[cell + forward + 1]) & enemy
                or cell >> 4 == promoting
            ):
                _pawn_moves(board, side, cell, moves, only_captures)
            continue
        pin = pins[cell]
        start = cell << FROM_SHIFT
        if kind == KNIGHT:
            if pin == 0:
                for step in KNIGHT_STEPS:
                    to = cell + step
                    target = cells[to]
                    if not target & closed and (target or not only_captures):
                        moves.append(to | start)
            continue
        for step in _STEPS[kind]:
            if pin != 0 and pin != step and pin != -step:
                continue
            to = cell + step
            target = cells[to]
            while target == 0:
                if not only_captures:
                    moves.append(to | start)
                to += step
                target = cells[to]
            if not target & closed:
                moves.append(to | start)


def _en_passant_moves(board: Board, moves: list[int]) -> None:
    """En passant; in tandem only where the own king is safe afterwards, which is simply tried."""
    cells = board.cells
    side: i64 = board.turn
    to: i64 = board.en_passant
    if to < 0:
        return
    pawn: i64 = PAWN + (BLACK_BIT if side else WHITE_BIT)
    passed: i64 = to + (16 if side else -16)
    captured: i64 = cells[passed]
    start: i64
    for start in (passed - 1, passed + 1):
        if cells[start] != pawn:
            continue
        if not board.fog:
            cells[start] = 0
            cells[passed] = 0
            cells[to] = pawn
            exposed = board.attacked(board.kings[side], 1 - side)
            cells[start] = pawn
            cells[passed] = captured
            cells[to] = 0
            if exposed:
                continue
        moves.append(to | start << FROM_SHIFT | EN_PASSANT)


def _king_moves(board: Board, moves: list[int], only_captures: bool) -> None:
    """Single steps of the king; in tandem only to cells that nobody attacks once it has left its own."""
    cells = board.cells
    side: i64 = board.turn
    king: i64 = board.kings[side]
    closed: i64 = (BLACK_BIT if side else WHITE_BIT) | OUTSIDE
    piece: i64 = cells[king]
    step: i64
    to: i64
    target: i64
    cells[king] = 0
    for step in ALL_STEPS:
        to = king + step
        target = cells[to]
        if target & closed or (only_captures and target == 0):
            continue
        if board.fog or not board.attacked(to, 1 - side):
            moves.append(to | king << FROM_SHIFT)
    cells[king] = piece


def _castling_moves(board: Board, moves: list[int]) -> None:
    """Castling out of no check; in fog attacks do not matter (F-nocheck)."""
    cells = board.cells
    side: i64 = board.turn
    king: i64 = board.kings[side]
    rights: i64 = board.castling >> (side * 2)
    them: i64 = 1 - side
    step: i64
    for step in (1, -1):
        if not rights & (1 if step == 1 else 2):
            continue
        if cells[king + step] or cells[king + 2 * step] or (step == -1 and cells[king - 3]):
            continue
        if board.fog or not (board.attacked(king + step, them) or board.attacked(king + 2 * step, them)):
            moves.append((king + 2 * step) | king << FROM_SHIFT | CASTLE)


def _drops(board: Board, targets: list[int], moves: list[int]) -> None:
    """Every drop from the mover's hand onto ``targets``; pawns not on the first and last rank (T-drop)."""
    slot: i64 = board.turn * 8
    kind: i64
    cell: i64
    flags: i64
    for kind in range(PAWN, KING):
        if board.hands[slot + kind] == 0:
            continue
        flags = DROP | kind << KIND_SHIFT
        for cell in targets:
            if kind != PAWN or 16 <= cell < 112:
                moves.append(cell | flags)


def _answers(moves: list[int], checks: Checks) -> list[int]:
    """Those of the moves, none of them the king's, that take the one checker or step in between."""
    answers = [0] * 128
    answers[checks.cell] = 1
    for cell in checks.between:
        answers[cell] = 1
    return [move for move in moves if answers[move & TO]]


def _legal(board: Board, moves: list[int], drops: bool) -> list[int]:
    """The legal moves, with or without drops; ``moves`` is the empty list to fill."""
    side: i64 = board.turn
    if board.kings[0] < 0 or board.kings[1] < 0:
        return moves
    if board.fog:
        _piece_moves(board, side, moves, False)
        _en_passant_moves(board, moves)
        _king_moves(board, moves, False)
        _castling_moves(board, moves)
        return moves
    pinned: list[int] = []
    checks = find_checks(board, pinned)
    if checks.count < 2:
        _piece_moves(board, side, moves, False)
        if checks.count:
            moves = _answers(moves, checks)
        else:
            _castling_moves(board, moves)
        _en_passant_moves(board, moves)
        if drops:
            _drops(board, checks.between if checks.count else empty_cells(board), moves)
    _king_moves(board, moves, False)
    for cell in pinned:
        board.pins[cell] = 0
    return moves


def legal_moves(board: Board) -> list[int]:
    """Every legal move and drop of the side to move, in no promised order; none once a king is gone."""
    return _legal(board, [], True)


def board_moves(board: Board) -> list[int]:
    """The legal moves without the drops."""
    return _legal(board, [], False)


def find_move(board: Board, named: int) -> int:
    """The legal move whose ``NAMED`` bits are these, with its flags; -1 when there is none."""
    wanted: i64 = named
    if wanted & DROP:
        drops: list[int] = []
        _drops(board, drop_targets(board), drops)
        return named if named in drops else -1
    move: i64
    for move in _legal(board, [], False):
        if move & NAMED == wanted:
            return move
    return -1


def can_move(board: Board) -> bool:
    """Whether there is a legal move or drop."""
    # Who has a piece in hand can nearly always drop it, which is seen sooner than any move on the board.
    return _can_drop(board) or len(_legal(board, [], False)) > 0


def _can_drop(board: Board) -> bool:
    """Whether there is a legal drop."""
    slot: i64 = board.turn * 8
    if not any(board.hands[slot + PAWN : slot + KING]):
        return False
    drops: list[int] = []
    for cell in drop_targets(board):
        _drops(board, [cell], drops)
        if drops:
            return True
    return False


def origins(board: Board, kind: int, to: int) -> list[int]:
    """The cells from which a piece of that kind of the side to move has a legal move to the cell ``to``."""
    found: list[int] = []
    cells = board.cells
    start: i64
    move: i64
    for move in _legal(board, [], False):
        start = (move >> FROM_SHIFT) & TO
        if move & TO == to and cells[start] & KIND == kind and start not in found:
            found.append(start)
    return found


def captures(board: Board) -> list[int]:
    """The captures and promotions among the legal moves: for a search that only wants the noisy ones."""
    moves: list[int] = []
    pinned: list[int] = []
    single = True
    if board.kings[0] < 0 or board.kings[1] < 0:
        return moves
    if board.fog:
        _piece_moves(board, board.turn, moves, True)
    else:
        checks = find_checks(board, pinned)
        single = checks.count < 2
        if single:
            _piece_moves(board, board.turn, moves, True)
            if checks.count:
                moves = _answers(moves, checks)
    if single:
        _en_passant_moves(board, moves)
    _king_moves(board, moves, True)
    for cell in pinned:
        board.pins[cell] = 0
    return moves


def sight(board: Board, side: int) -> list[int]:
    """The cells ``side`` sees (F-see), some of them more than once."""
    cells = board.cells
    moves: list[int] = []
    own: i64 = BLACK_BIT if side else WHITE_BIT
    _piece_moves(board, side, moves, False)
    seen = [move & TO for move in moves]
    row: i64
    cell: i64
    step: i64
    for row in range(0, 128, 16):
        for cell in range(row, row + 8):
            if cells[cell] & own:
                seen.append(cell)
    king: i64 = board.kings[side]
    if king >= 0:
        for step in ALL_STEPS:
            if not cells[king + step] & OUTSIDE:
                seen.append(king + step)
    if side == board.turn and board.en_passant_usable():
        seen.append(board.en_passant)
        seen.append(board.en_passant + (16 if side else -16))
    return seen


def perft(board: Board, depth: int) -> int:
    """The number of move sequences of that length; captures fill no hand."""
    if depth == 0:
        return 1
    moves = legal_moves(board)
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.make(move)
        nodes += perft(board, depth - 1)
        board.unmake(move)
    return nodes
