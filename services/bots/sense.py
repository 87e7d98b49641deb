"""What stands where and what attacks what, on the cells of the rules' mailbox. Pure.

Cells are those of ``libs.rules.board``: 16 * rank + file, with pieces, 0 for empty and OUTSIDE around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libs.rules.board import (
    ALL_STEPS,
    BISHOP,
    BLACK_BIT,
    DIAGONAL,
    KIND,
    KING,
    KNIGHT,
    KNIGHT_STEPS,
    ORTHOGONAL,
    OUTSIDE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE_BIT,
)

CELLS = tuple(row + file for row in range(0, 128, 16) for file in range(8))
_NOBODY = 1_000_000
_SLIDES = {BISHOP: DIAGONAL, ROOK: ORTHOGONAL, QUEEN: ALL_STEPS}
_STEPS = {KNIGHT: KNIGHT_STEPS, KING: ALL_STEPS}
_PAWN_STEPS = ((15, 17), (-15, -17))


@dataclass(frozen=True, slots=True)
class Attacks:
    """By side and cell: how many pieces attack it, and the value of the cheapest of them."""

    count: tuple[list[int], list[int]]
    cheapest: tuple[list[int], list[int]]

    def reach(self, side: int) -> int:
        """How many attacks a side has in all: a measure of its freedom."""
        return sum(self.count[side])


def attacks_on(cells: list[int], values: Sequence[int]) -> Attacks:
    """Return who attacks which cell; ``values`` are the worth of a piece by its kind."""
    counts = ([0] * 128, [0] * 128)
    cheapest = ([_NOBODY] * 128, [_NOBODY] * 128)
    for cell in CELLS:
        piece = cells[cell]
        if not piece:
            continue
        kind = piece & KIND
        side = 1 if piece & BLACK_BIT else 0
        count, cheap, value = counts[side], cheapest[side], values[kind]
        slides = _SLIDES.get(kind)
        if slides is None:
            for step in _PAWN_STEPS[side] if kind == PAWN else _STEPS[kind]:
                to = cell + step
                if not cells[to] & OUTSIDE:
                    count[to] += 1
                    if value < cheap[to]:
                        cheap[to] = value
            continue
        for step in slides:
            to = cell + step
            target = cells[to]
            while not target & OUTSIDE:
                count[to] += 1
                if value < cheap[to]:
                    cheap[to] = value
                if target:
                    break
                to += step
                target = cells[to]
    return Attacks(counts, cheapest)


def worst_losses(cells: list[int], attacks: Attacks, side: int, values: Sequence[int]) -> tuple[int, int]:
    """Return the two largest values that ``side`` may lose if the other one captures next; its king apart."""
    own = BLACK_BIT if side else WHITE_BIT
    them = 1 - side
    hits, guards, cheapest = attacks.count[them], attacks.count[side], attacks.cheapest[them]
    first = second = 0
    for cell in CELLS:
        piece = cells[cell]
        if not piece & own or not hits[cell] or piece & KIND == KING:
            continue
        value = values[piece & KIND]
        loss = value
        if guards[cell]:
            # One capture and one recapture; a piece attacked more often than guarded is lost all the same.
            loss = value - cheapest[cell]
            if hits[cell] > guards[cell]:
                loss = max(loss, value // 3)
        if loss > first:
            first, second = loss, first
        elif loss > second:
            second = loss
    return first, second


def pressure(attacks: Attacks, king: int, by_side: int, cells: list[int]) -> int:
    """Return how many attacks ``by_side`` has on the king's cell and those around it."""
    if king < 0:
        return 0
    count = attacks.count[by_side]
    total = count[king]
    for step in ALL_STEPS:
        if not cells[king + step] & OUTSIDE:
            total += count[king + step]
    return total


def placed_well(kind: int, side: int, cell: int) -> int:
    """Return what a piece of this kind likes about a cell, in hundredths of a pawn."""
    rank = cell >> 4 if side == 0 else 7 - (cell >> 4)
    file = cell & 7
    centre = min(file, 7 - file) + min(rank, 7 - rank)  # 0 in a corner, 6 in the middle
    if kind == PAWN:
        return (0, 0, 4, 16, 22, 30, 45, 0)[rank] + (6 if file in (3, 4) and rank == 3 else 0)
    if kind == KNIGHT:
        return 11 * centre - (18 if rank == 0 else 0)
    if kind == BISHOP:
        return 5 * centre - (18 if rank == 0 else 0)
    if kind == KING:
        return (24 if file in (1, 2, 6) else 0) - 22 * rank
    return 2 * centre if kind == QUEEN else 0
