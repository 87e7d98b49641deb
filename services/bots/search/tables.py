"""What pieces are worth where, and how cells lie to each other. Hundredths of a pawn, the owner's view.

The tables are indexed by ``piece << 7 | cell`` with the codes of ``libs.rules.board``; promoted pieces count
as what they are, since only their fall makes them pawns. Nobody counts an endgame: hands refill the board.
"""

from math import log
from typing import Final

from libs.rules.board import (
    BISHOP,
    BLACK_BIT,
    KIND,
    KING,
    KNIGHT,
    KNIGHT_STEPS,
    PAWN,
    QUEEN,
    WHITE_BIT,
)

TANDEM_VALUES: Final[list[int]] = [0, 100, 300, 310, 420, 800, 0, 0]
"""Pieces come back as drops, so the big ones are worth less than in chess."""
FOG_VALUES: Final[list[int]] = [0, 100, 310, 320, 500, 900, 0, 0]
HAND_VALUES: Final[list[int]] = [0, 108, 318, 318, 430, 825, 0, 0]
"""A piece in hand: anywhere next move, so a drop must find a good place to be worth it."""
GIVE_VALUES: Final[list[int]] = [0, 45, 120, 115, 140, 280, 0, 0]
"""What a captured piece is worth to the partner's hand, on the other board."""
HAND_THREAT: Final[list[int]] = [0, 1, 3, 2, 3, 5, 0, 0]
"""How much a piece in the other hand threatens a king."""
NEAR_THREAT: Final[list[int]] = [0, 2, 4, 3, 3, 6, 0, 0]
"""How much an enemy piece beside the king threatens it."""

CELL_COUNT: Final = 128
_RANK_PAWN: Final = (0, 0, 4, 14, 24, 42, 70, 0)


def _placed(kind: int, rank: int, file: int) -> int:
    """What a piece likes about a place; the rank is counted from its own side."""
    centre = min(file, 7 - file) + min(rank, 7 - rank)  # 0 in a corner, 6 in the middle
    if kind == PAWN:
        return _RANK_PAWN[rank] + (10 if file in (3, 4) and rank in (3, 4) else 0)
    if kind == KNIGHT:
        return 8 * centre - (14 if rank == 0 else 0) - 20
    if kind == BISHOP:
        return 4 * centre - (14 if rank == 0 else 0) - 8
    if kind == KING:
        return (28 if file in (1, 2, 6) and rank == 0 else 0) - 26 * rank
    return 2 * centre - 6 if kind == QUEEN else 0


def _cell_table(values: list[int]) -> list[int]:
    """Worth on the board, by piece and cell."""
    table = [0] * (64 * CELL_COUNT)
    for piece in range(64):
        kind = piece & KIND
        if not PAWN <= kind <= KING or piece & (WHITE_BIT | BLACK_BIT) in (0, WHITE_BIT | BLACK_BIT):
            continue
        for square in range(64):
            rank, file = square >> 3, square & 7
            own_rank = 7 - rank if piece & BLACK_BIT else rank
            table[piece << 7 | rank << 4 | file] = values[kind] + _placed(kind, own_rank, file)
    return table


TANDEM_CELLS: Final[list[int]] = _cell_table(TANDEM_VALUES)
FOG_CELLS: Final[list[int]] = _cell_table(FOG_VALUES)


def _off(cell: int) -> bool:
    return cell < 0 or cell >= CELL_COUNT or bool(cell & 0x88)


def _around(distance: int) -> list[list[int]]:
    """By cell: the cells at this distance in king's steps."""
    found: list[list[int]] = []
    for cell in range(CELL_COUNT):
        ring: list[int] = []
        if not _off(cell):
            for rank in range(-distance, distance + 1):
                for file in range(-distance, distance + 1):
                    if max(abs(rank), abs(file)) == distance and not _off(cell + 16 * rank + file):
                        ring.append(cell + 16 * rank + file)
        found.append(ring)
    return found


BESIDE: Final[list[list[int]]] = _around(1)
NEAR: Final[list[list[int]]] = _around(2)
JUMPS: Final[list[list[int]]] = [
    [] if _off(cell) else [cell + step for step in KNIGHT_STEPS if not _off(cell + step)]
    for cell in range(CELL_COUNT)
]


def _closeness() -> list[int]:
    """By ``king << 7 | cell``: how close a cell is to a king, 0 far to 3 beside it; for ordering drops."""
    table = [0] * (CELL_COUNT * CELL_COUNT)
    for king in range(CELL_COUNT):
        for cell in range(CELL_COUNT):
            if not _off(king) and not _off(cell):
                distance = max(abs((king >> 4) - (cell >> 4)), abs((king & 7) - (cell & 7)))
                table[king << 7 | cell] = max(0, 4 - distance)
    return table


CLOSENESS: Final[list[int]] = _closeness()


def _less() -> list[int]:
    """By ``depth << 6 | number``: how many plies less deep a late quiet move is searched."""
    table = [0] * (64 * 64)
    for depth in range(1, 64):
        for number in range(1, 64):
            table[depth << 6 | number] = int(0.5 + log(depth) * log(number) / 1.6)
    return table


LESS: Final[list[int]] = _less()
