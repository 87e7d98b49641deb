"""In which order moves are tried: what cuts soonest first. Part of the search, compiled with it.

An *item* is one int: order << ORDER_SHIFT | what is known of check | move, so that sorting is comparing ints.
"""

from typing import Final

from mypy_extensions import i64

from libs.rules.board import (
    BLACK_BIT,
    DROP,
    EN_PASSANT,
    FROM_SHIFT,
    KIND,
    KIND_SHIFT,
    KING,
    TO,
    WHITE_BIT,
    Board,
)
from services.bots.search.sight import gives_check
from services.bots.search.tables import CLOSENESS

MOVE: Final = (1 << 21) - 1
CHECKS: Final = 1 << 21
PERHAPS_CHECKS: Final = 1 << 22
EITHER: Final = CHECKS | PERHAPS_CHECKS
ORDER_SHIFT: Final = 24
LOUD: Final = 1 << 20  # from this order on: captures, promotions and the hash move
_FIRST: Final = 1 << 24
_KILLER: Final = 1 << 19
_CHECK: Final = 1 << 18  # those in doubt too
_HISTORY_LIMIT: Final = 8_000
_BONUS: Final = 16
_BONUS_LIMIT: Final = 2_000
_MOST_BLAMED: Final = 24
_LOSES: Final = 10
_SLIGHT: Final = 5
_WORTH: Final[list[int]] = [0, 10, 30, 31, 45, 80, 500, 0]


class Ordering:
    """What searches have learnt about moves that were too good, or were not."""

    def __init__(self, plies: int) -> None:
        self.history: list[int] = [0] * (64 * 128)
        self.plies: int = plies
        self.killers: list[int] = []
        self.begin()

    def begin(self) -> None:
        """Begin another search: the plies are no longer those of the last one."""
        self.killers = [-1] * (2 * self.plies + 2)

    def ordered(
        self, board: Board, moves: list[int], marks: list[int], hash_move: i64, ply: i64, least: i64
    ) -> list[int]:
        """The moves as items, best first; without the drops whose order is below ``least``, checks apart.

        ``marks`` are those of ``check_marks``."""
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
        worth: i64
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
                    worth = _WORTH[piece & KIND]
                    if (
                        _WORTH[captured & KIND] + _SLIGHT < worth < _WORTH[KING]
                        and kind == 0
                        and captured
                        and not board.fog
                        and board.attacked(to, 1 - board.turn)
                    ):  # loses more than it takes
                        order = history[(piece & 31) << 7 | to] + _LOSES
                else:
                    order = history[(piece & 31) << 7 | to] + 20
                if known:
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

    def remember(self, board: Board, items: list[int], best: i64, depth: i64, ply: i64) -> None:
        """Note that this quiet move was too good, and that the quiet ones before it were not."""
        slot: i64 = 2 * ply
        if self.killers[slot] != best:
            self.killers[slot + 1] = self.killers[slot]
            self.killers[slot] = best
        bonus: i64 = _BONUS * depth * depth
        if bonus > _BONUS_LIMIT:
            bonus = _BONUS_LIMIT
        history = self.history
        own: i64 = BLACK_BIT if board.turn else WHITE_BIT
        blamed: i64 = 0
        item: i64
        move: i64
        place: i64
        for item in items:
            move = item & MOVE
            if move == best or blamed > _MOST_BLAMED:
                break
            if item >> ORDER_SHIFT < LOUD:
                blamed += 1
                place = _place(board, move, own)
                history[place] -= bonus // 2 + history[place] * bonus // (2 * _HISTORY_LIMIT)
        place = _place(board, best, own)
        history[place] += bonus - history[place] * bonus // _HISTORY_LIMIT


def _place(board: Board, move: i64, own: i64) -> i64:
    """Where a quiet move stands in the history: by its piece and where it goes, drops apart."""
    if move & DROP:
        return (((move >> KIND_SHIFT) & KIND) + own + 32) << 7 | (move & TO)
    return (board.cells[(move >> FROM_SHIFT) & TO] & 31) << 7 | (move & TO)
