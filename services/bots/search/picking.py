"""Which moves a node tries at all: lists that begin with what is loud, and what is not worth a look.

Part of the search, compiled with it.
"""

from typing import Final

from mypy_extensions import i64

from libs.rules.board import DROP, FROM_SHIFT, KIND, KIND_SHIFT, KING, TO, Board
from libs.rules.generate import board_moves, captures, legal_moves
from services.bots.search.ordering import LOUD, ORDER_SHIFT, Ordering
from services.bots.search.sight import add_checking_drops
from services.bots.search.tables import TANDEM_VALUES

ANY_ORDER: Final = -(1 << 20)
_LEAST_AT_LAST: Final = 60
_LEAST_BEFORE_LAST: Final = 25
_SLIGHT_LOSS: Final = 20


def loud_items(ordering: Ordering, board: Board, marks: list[int], hash_move: i64, ply: i64) -> list[int]:
    """The loud moves as items, best first: those that `all_items` begins with."""
    moves = captures(board)
    if hash_move >= 0 and hash_move not in moves:
        moves.append(hash_move)
    items = ordering.ordered(board, moves, marks, hash_move, ply, ANY_ORDER)
    count: i64 = len(items)
    while count > 0 and items[count - 1] >> ORDER_SHIFT < LOUD:
        count -= 1
    return items[:count]


def all_items(
    ordering: Ordering,
    board: Board,
    marks: list[int],
    hash_move: i64,
    ply: i64,
    hopeless: bool,
    depth: i64,
) -> list[int]:
    """The moves to try as items, best first; empty when there is no legal one.

    ``hopeless``: no quiet move will do. Near the last plies drops far from the king are left out.
    """
    items: list[int] = []
    if hopeless:
        # Drops that give no check are not even listed, the known one apart.
        moves = board_moves(board)
        add_checking_drops(board, marks, moves)
        if hash_move >= 0 and hash_move & DROP and hash_move not in moves:
            moves.append(hash_move)
        items = ordering.ordered(board, moves, marks, hash_move, ply, ANY_ORDER)
    if not items:
        moves = legal_moves(board)
        least: i64 = ANY_ORDER
        if depth <= 2:
            least = _LEAST_BEFORE_LAST if depth == 2 else _LEAST_AT_LAST
        items = ordering.ordered(board, moves, marks, hash_move, ply, least)
        if not items:
            items = ordering.ordered(board, moves, marks, hash_move, ply, ANY_ORDER)
    return items


def hangs(board: Board, drop: i64) -> bool:
    """Whether what is dropped could be taken for nothing."""
    to: i64 = drop & TO
    return board.attacked(to, 1 - board.turn) and not board.attacked(to, board.turn)


def loses(board: Board, move: i64, added: i64, needed: i64, gives: list[int]) -> bool:
    """Whether a capture that is taken back, as far as one look tells, loses or gains less than needed.

    The pieces go to the partners' hands, ours as well as theirs: ``gives``.
    """
    them: i64 = 1 - board.turn
    kind: i64 = board.cells[(move >> FROM_SHIFT) & TO] & KIND
    if kind == KING or (move >> KIND_SHIFT) & KIND:
        return False
    left: i64 = added - TANDEM_VALUES[kind] - gives[them * 8 + kind]
    return (left < -_SLIGHT_LOSS or left <= needed) and board.attacked(move & TO, them)
