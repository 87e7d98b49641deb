"""In which order moves are tried: what cuts soonest first. Part of the search, compiled with it.

An *item* is one int: order << ORDER_SHIFT | what is known of check | move, so that sorting is comparing ints.
"""

from typing import Final

from mypy_extensions import i64

from libs.rules.board import BLACK_BIT, DROP, EN_PASSANT, FROM_SHIFT, KIND, KIND_SHIFT, TO, WHITE_BIT, Board
from services.bots.search.sight import check_marks, gives_check
from services.bots.search.tables import CLOSENESS

MOVE: Final = (1 << 21) - 1
CHECKS: Final = 1 << 21
PERHAPS_CHECKS: Final = 1 << 22
EITHER: Final = CHECKS | PERHAPS_CHECKS
ORDER_SHIFT: Final = 24
LOUD: Final = 1 << 20  # from this order on: captures, promotions and the hash move
_FIRST: Final = 1 << 24
_KILLER: Final = 1 << 19
_CHECK: Final = 1 << 18
_HISTORY_LIMIT: Final = 1 << 17
_WORTH: Final[list[int]] = [0, 10, 30, 31, 45, 80, 500, 0]


class Ordering:
    """What one search has learnt about moves that were too good."""

    def __init__(self, plies: int) -> None:
        self.history: list[int] = [0] * (64 * 128)
        self.killers: list[int] = [-1] * (2 * plies + 2)

    def ordered(self, board: Board, moves: list[int], hash_move: i64, ply: i64, least: i64) -> list[int]:
        """The moves as items, best first; without the drops whose order is below ``least``, checks apart."""
        marks = check_marks(board)
        cells = board.cells
        history = self.history
        first: i64 = self.killers[2 * ply]
        second: i64 = self.killers[2 * ply + 1]
        own: i64 = BLACK_BIT if board.turn else WHITE_BIT
        king: i64 = board.kings[1 - board.turn]
        closeness: i64 = king << 7 if king >= 0 else 0
        items: list[int] = []
        move: i64
        order: i64
        to: i64
        kind: i64
        piece: i64
        captured: i64
        known: i64
        for move in moves:
            to = move & TO
            kind = (move >> KIND_SHIFT) & KIND
            if move & DROP:
                known = (marks[to] >> kind) & 1
                order = history[(kind + own + 32) << 7 | to] + CLOSENESS[closeness | to] * _WORTH[kind]
                if known:
                    order += _CHECK
                elif order < least and move != hash_move:
                    continue
            else:
                known = gives_check(board, move, marks)
                piece = cells[(move >> FROM_SHIFT) & TO]
                captured = cells[to]
                if captured or kind or move & EN_PASSANT:
                    order = LOUD + 1_000 - _WORTH[piece & KIND]
                    order += 16 * (_WORTH[captured & KIND] + _WORTH[kind])
                else:
                    order = history[(piece & 31) << 7 | to] + 20
                if known == 1:
                    order += _CHECK
            if move == hash_move:
                order = _FIRST
            elif order < LOUD and (move == first or move == second):  # noqa: SIM109 - a tuple is slow
                order += _KILLER
            items.append(order << ORDER_SHIFT | known << 21 | move)
        items.sort(reverse=True)
        return items

    def loud(self, board: Board, moves: list[int]) -> list[int]:
        """Captures and promotions as items, the most valuable victim and the cheapest attacker first."""
        cells = board.cells
        items: list[int] = []
        move: i64
        order: i64
        for move in moves:
            order = 1_000 + 16 * (_WORTH[cells[move & TO] & KIND] + _WORTH[(move >> KIND_SHIFT) & KIND])
            order -= _WORTH[cells[(move >> FROM_SHIFT) & TO] & KIND]
            items.append(order << ORDER_SHIFT | move)
        if len(items) > 1:
            items.sort(reverse=True)
        return items

    def remember(self, board: Board, move: i64, depth: i64, ply: i64) -> None:
        """Note that this quiet move was too good."""
        slot: i64 = 2 * ply
        if self.killers[slot] != move:
            self.killers[slot + 1] = self.killers[slot]
            self.killers[slot] = move
        if move & DROP:
            piece: i64 = ((move >> KIND_SHIFT) & KIND) + (BLACK_BIT if board.turn else WHITE_BIT) + 32
        else:
            piece = board.cells[(move >> FROM_SHIFT) & TO] & 31
        place: i64 = piece << 7 | (move & TO)
        count: i64 = self.history[place] + depth * depth
        self.history[place] = count if count < _HISTORY_LIMIT else _HISTORY_LIMIT
