"""What a position is worth: its pieces, and the kings against what stands near and what may be dropped."""

from typing import Final

from mypy_extensions import i64

from libs.rules.board import (
    BISHOP,
    BLACK_BIT,
    CASTLE,
    DROP,
    EN_PASSANT,
    FROM_SHIFT,
    KIND,
    KIND_SHIFT,
    KING,
    KNIGHT,
    OUTSIDE,
    PAWN,
    PROMOTED,
    QUEEN,
    ROOK,
    TO,
    WHITE_BIT,
    Board,
)
from libs.rules.checks import find_checks
from services.bots.search.tables import (
    BESIDE,
    CELL_COUNT,
    GIVE_VALUES,
    HAND_THREAT,
    HAND_VALUES,
    JUMPS,
    NEAR,
    NEAR_THREAT,
)

KING_TAKEN: Final = 40_000
STUCK: Final = 250
STUCK_FOR_LONG: Final = 1_100
WAITING: Final = 60
CASTLED: Final = 30


class Outlook:
    """What the other board means for this one, by ``side * 8 + kind``.

    ``gives``: worth to a side's partner of a captured piece of the kind. ``supply``: chance in percent that
    the side gets a piece of the kind from its partner while it waits for one.
    """

    def __init__(self) -> None:
        self.gives: list[int] = GIVE_VALUES + GIVE_VALUES
        self.supply: list[int] = [30] * 16


def material(board: Board, table: list[int]) -> int:
    """White's pieces on the board and in hand minus Black's; ``table`` as in ``tables``."""
    total: i64 = 0
    piece: i64
    cell: i64
    kind: i64
    for cell in range(CELL_COUNT):
        piece = board.cells[cell]
        if piece == 0 or piece & OUTSIDE:
            continue
        total += table[piece << 7 | cell] if piece & WHITE_BIT else -table[piece << 7 | cell]
    for kind in range(PAWN, QUEEN + 1):
        total += HAND_VALUES[kind] * (board.hands[kind] - board.hands[8 + kind])
    return total


def danger(board: Board, side: i64) -> i64:  # noqa: C901 - one walk around the king
    """What the state of its own king costs a side, in hundredths of a pawn.

    Counted are the pieces around, holes where a piece could be dropped beside the king, *contact checks*
    (holes that the other side guards, so that the king cannot take what is dropped there), knight's jumps
    and pawn checks; all of it weighs the more the more the other hand holds.
    """
    king: i64 = board.kings[side]
    if king < 0:
        return 0
    cells = board.cells
    hands = board.hands
    own: i64 = BLACK_BIT if side else WHITE_BIT
    forward: i64 = -16 if side else 16
    them: i64 = 1 - side
    slot: i64 = them * 8
    held: i64 = 0
    kind: i64
    count: i64
    for kind in range(PAWN, QUEEN + 1):
        count = hands[slot + kind]
        if count:
            held += HAND_THREAT[kind] * (2 if count > 1 else 1)
    sliders: bool = hands[slot + QUEEN] + hands[slot + ROOK] + hands[slot + BISHOP] > 0
    threat: i64 = 0
    shield: i64 = 0
    cell: i64
    piece: i64
    for cell in BESIDE[king]:
        piece = cells[cell]
        if piece == 0:
            threat += 3
            if sliders and board.attacked(cell, them):
                threat += 9
        elif piece & own:
            shield += 7 if piece & KIND == PAWN else 3
        else:
            threat += 3 * NEAR_THREAT[piece & KIND]
    for cell in NEAR[king]:
        piece = cells[cell]
        if piece & own:
            shield += 1
        elif piece:
            threat += NEAR_THREAT[piece & KIND]
    if hands[slot + KNIGHT]:
        for cell in JUMPS[king]:
            if cells[cell] == 0:
                threat += 2
    if hands[slot + PAWN]:
        for cell in (king + forward - 1, king + forward + 1):
            if cells[cell] == 0:
                threat += 3
    if held > 14:
        held = 14
    return threat * (4 + held) // 5 - shield


def gain(board: Board, move: i64, table: list[int], gives: list[int]) -> i64:
    """What a move adds to the mover's score at once; KING_TAKEN for the king (F-win)."""
    side: i64 = board.turn
    own: i64 = BLACK_BIT if side else WHITE_BIT
    to: i64 = move & TO
    kind: i64 = (move >> KIND_SHIFT) & KIND
    if move & DROP:
        return table[(kind + own) << 7 | to] - HAND_VALUES[kind]
    start: i64 = (move >> FROM_SHIFT) & TO
    piece: i64 = board.cells[start]
    captured: i64 = board.cells[to]
    total: i64 = table[(kind + own if kind else piece) << 7 | to] - table[piece << 7 | start]
    if move & EN_PASSANT:
        to += 16 if side else -16
        captured = board.cells[to]
    if captured:
        if captured & KIND == KING:
            return KING_TAKEN
        fallen: i64 = PAWN if captured & PROMOTED else captured & KIND
        total += table[captured << 7 | to] + gives[side * 8 + fallen]
    elif move & CASTLE:
        total += CASTLED
    return total


def stuck(board: Board, supply: list[int], checked: bool) -> i64:
    """What it costs to have no move now and to wait for a piece (T-wait), in hundredths of a pawn.

    What could be dropped decides it: pawns cannot block on rank 1 or 8, and a piece that the partner is not
    likely to send does not help. Not in check, more squares are open and less is at stake.
    """
    pinned: list[int] = []
    checks = find_checks(board, pinned)
    cell: i64
    for cell in pinned:
        board.pins[cell] = 0
    pawns: bool = not checked
    for cell in checks.between:
        if 16 <= cell < 112:
            pawns = True
    slot: i64 = board.turn * 8
    none: i64 = 100  # chance in percent that nothing comes
    kind: i64
    for kind in range(PAWN, KING):
        if kind != PAWN or pawns:
            none = none * (100 - supply[slot + kind]) // 100
    return (STUCK if checked else WAITING) + STUCK_FOR_LONG * none // (100 if checked else 300)
