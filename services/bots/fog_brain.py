"""A move of fog of war, from the squares that the seat sees and from nothing else. Pure."""

from __future__ import annotations

from random import Random

from libs.rules.board import (
    ALL_STEPS,
    BLACK_BIT,
    KIND,
    KING,
    OUTSIDE,
    PAWN,
    QUEEN,
    WHITE_BIT,
    cell_of,
)
from libs.rules.squares import parse_square
from libs.rules.uci import KIND_LETTERS
from services.bots.sense import CELLS, attacks_on, placed_well, pressure, worst_losses
from services.bots.situation import Situation

VALUES = (0, 100, 300, 320, 500, 900, 5_000)
_KING = 100_000
_UNKNOWN = "?"


def choose(situation: Situation, noise: float, dice: Random) -> str:
    """Return the move that looks best; a king in reach is always taken (F-win)."""
    cells, dark = read_board(situation.pieces)
    best, best_worth = situation.moves[0], float("-inf")
    for uci in situation.moves:
        worth = _worth(cells, dark, uci, situation.side)
        if worth < _KING:
            worth += dice.gauss(0.0, noise)
        if worth > best_worth:
            best, best_worth = uci, worth
    return best


def read_board(pieces: str) -> tuple[list[int], frozenset[int]]:
    """Return the cells with the visible pieces, and the cells in the fog, of a view's 64 characters."""
    cells = ([0] * 8 + [OUTSIDE] * 8) * 8 + [OUTSIDE] * 48
    dark = set()
    for index, letter in enumerate(pieces):
        cell = (7 - index // 8) * 16 + index % 8
        if letter == _UNKNOWN:
            dark.add(cell)
        elif letter.isalpha():
            cells[cell] = KIND_LETTERS.index(letter.upper()) + (WHITE_BIT if letter.isupper() else BLACK_BIT)
    return cells, frozenset(dark)


def _worth(cells: list[int], dark: frozenset[int], uci: str, side: int) -> float:
    """Return what a move is worth, in hundredths of a pawn."""
    start, to = cell_of(parse_square(uci[:2])), cell_of(parse_square(uci[2:4]))
    own = BLACK_BIT if side else WHITE_BIT
    piece, captured = cells[start], cells[to]
    kind = piece & KIND
    if captured & KIND == KING:
        return _KING
    worth = float(VALUES[captured & KIND])
    after = cells.copy()
    after[start] = 0
    after[to] = KIND_LETTERS.index(uci[4].upper()) + own if len(uci) == 5 else piece
    if kind == PAWN and (start - to) & 7 and not captured:
        after[(start & 0x70) | (to & 7)] = 0  # en passant
        worth += VALUES[PAWN]
    if len(uci) == 5:
        worth += VALUES[after[to] & KIND] - VALUES[PAWN]
    castles = kind == KING and abs((start & 7) - (to & 7)) == 2
    if castles:
        worth += 40
    elif kind == KING or (kind == QUEEN and not captured):
        worth -= 20
    attacks = attacks_on(after, VALUES)
    king = next((cell for cell in CELLS if after[cell] == KING + own), -1)
    them = 1 - side
    if king >= 0 and attacks.count[them][king]:
        worth -= 4_000  # they take it and win
    first, second = worst_losses(after, attacks, side, VALUES)
    threat, _ = worst_losses(after, attacks, them, VALUES)
    worth += 0.15 * threat - 0.95 * first - 0.25 * second
    worth += placed_well(after[to] & KIND, side, to) - placed_well(kind, side, start)
    worth += 1.5 * attacks.reach(side) - 6 * pressure(attacks, king, them, after)
    # The further out in the dark, the likelier it is that something unseen takes it.
    nearby = sum(1 for step in ALL_STEPS if to + step in dark)
    return worth - 0.012 * nearby * VALUES[after[to] & KIND] * (0.4 if kind == PAWN else 1.0)


def accepts_draw(pieces: str, side: int, captures: int, plies: int) -> bool:
    """Tell whether a bot agrees to a draw in fog, by its own judgement of who is ahead (F-draw).

    ``captures`` is how many pieces it has taken: their usual worth is all it knows of the other side.
    """
    own = sum(
        VALUES[KIND_LETTERS.index(letter.upper())]
        for letter in pieces
        if letter.isalpha() and letter.upper() != "K" and letter.isupper() == (side == 0)
    )
    other = 3_920 - 260 * captures
    return plies >= 40 and own < other - 150
