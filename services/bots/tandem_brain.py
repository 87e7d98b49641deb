"""A move of tandem chess: the move itself, the best answer to it by exchange, and mates in one. Pure."""

from __future__ import annotations

from random import Random

from libs.rules.board import (
    BLACK_BIT,
    CASTLE,
    DROP,
    EN_PASSANT,
    FROM_SHIFT,
    KIND,
    KIND_SHIFT,
    KING,
    PAWN,
    PROMOTED,
    QUEEN,
    ROOK,
    TO,
    WHITE_BIT,
    Board,
)
from libs.rules.generate import find_checks, legal_moves
from libs.rules.position import Position, Profile
from libs.rules.uci import KIND_LETTERS, move_text
from services.bots.sense import attacks_on, placed_well, pressure, worst_losses
from services.bots.situation import Situation

VALUES = (0, 100, 320, 330, 430, 800, 5_000)
"""Worth by kind. Pieces come back as drops, so the big ones are worth less than in chess."""
_HAND_WORTH = (0, 70, 300, 280, 330, 650, 0)
"""Worth of a piece that may still be dropped, the next move apart."""
_MATE = 100_000
_CHECK = 25
_STUCK = 250
"""They are in check and can only wait for a piece, their clock running (T-wait)."""
_DROP_COST = 10
_PRESSURE = 15
"""Worth of one attack on or around a king. Both numbers won their matches against their neighbours."""
_CLOSELY_LOOKED_AT = 8


def choose(situation: Situation, noise: float, dice: Random) -> str:
    """Return the move that looks best, of those that do not allow a mate at once if there are any."""
    board = Position.from_fen(situation.fen, "tandem").board(situation.profile)
    allowed = frozenset(situation.moves)
    scored = []
    for move in legal_moves(board):
        if move_text(move) not in allowed:
            continue
        score = _worth(board, move, situation)
        if score >= _MATE:
            return move_text(move)
        scored.append((score + dice.gauss(0.0, noise), move))
    if not scored:  # what we make of the FEN is not what the server does: any legal move will do
        return dice.choice(situation.moves)
    scored.sort(reverse=True)
    for _, move in scored[:_CLOSELY_LOOKED_AT]:
        board.make(move)
        mated = can_mate(board, situation.profile)
        board.unmake(move)
        if not mated:
            return move_text(move)
    return move_text(scored[0][1])


def can_mate(board: Board, profile: Profile) -> bool:
    """Tell whether the side to move has a mate in one (T-mate, T-club-mate)."""
    them = 1 - board.turn
    for move in legal_moves(board):
        board.make(move)
        mate = board.attacked(board.kings[them], 1 - them) and is_mate(board, profile)
        board.unmake(move)
        if mate:
            return True
    return False


def is_mate(board: Board, profile: Profile) -> bool:
    """Tell whether the side to move, which is in check, is mated."""
    if legal_moves(board):
        return False
    pinned: list[int] = []
    checks = find_checks(board, pinned)
    for cell in pinned:
        board.pins[cell] = 0
    return profile == "club" or not checks.between


def _worth(board: Board, move: int, situation: Situation) -> float:
    """Return what a move is worth to the one who makes it, in hundredths of a pawn."""
    side = board.turn
    own = BLACK_BIT if side else WHITE_BIT
    to, kind = move & TO, (move >> KIND_SHIFT) & KIND
    captured = board.cells[to]
    worth = 0.0
    if move & DROP:
        worth += 0.4 * placed_well(kind, side, to) + VALUES[kind] - _HAND_WORTH[kind] - _DROP_COST
        if kind in (ROOK, QUEEN):
            worth -= 20
    else:
        start = (move >> FROM_SHIFT) & TO
        piece = board.cells[start]
        moved = piece & KIND
        worth += placed_well(kind or moved, side, to) - placed_well(moved, side, start)
        if kind:
            worth += 0.6 * (VALUES[kind] - VALUES[PAWN])  # it falls as a pawn again
        if move & CASTLE:
            worth += 45
        elif moved == KING or (moved == QUEEN and board.fullmove < 6):
            worth -= 20
    if move & EN_PASSANT:
        captured = PAWN
    if captured:
        fallen = PAWN if captured & PROMOTED else captured & KIND
        # What it did on the board, and what it is to the partner's hand.
        worth += 0.5 * VALUES[captured & KIND] + 0.5 * VALUES[fallen]
        worth += max(0, situation.wishes.get(KIND_LETTERS[fallen], 0))
    board.make(move)
    try:
        cells, them = board.cells, 1 - side
        if board.attacked(board.kings[them], side):
            if not legal_moves(board):
                worth += _MATE if is_mate(board, situation.profile) else _STUCK
            worth += _CHECK
        attacks = attacks_on(cells, VALUES)
        first, second = worst_losses(cells, attacks, side, VALUES)
        threat, other = worst_losses(cells, attacks, them, VALUES)
        worth += 0.12 * threat + 0.10 * other - 0.95 * first - 0.25 * second
        worth += _PRESSURE * pressure(attacks, board.kings[them], side, cells)
        worth -= _PRESSURE * pressure(attacks, board.kings[side], them, cells)
        if situation.wishes and cells[to] & own and attacks.count[them][to]:
            worth += min(0, situation.wishes.get(KIND_LETTERS[cells[to] & KIND], 0))
    finally:
        board.unmake(move)
    return worth
