"""The policy over two boards: when to sit, what to ask the partner for, what to warn of. Pure.

It stands above any engine: all it knows of one are scores, in hundredths of a pawn for the seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from libs.rules.uci import KIND_LETTERS
from services.bots.search.engine import MATED
from services.bots.search.tables import HAND_VALUES

SIT_LONGEST_MS = 20_000
SIT_SHARE = 0.15
"""The most of its own clock that a bot sits away."""
SIT_MARGIN_MS = 3_000
"""So much more than the diagonal clock the own one must have before a bot sits by itself."""
ASKED_MARGIN_MS = -5_000
"""When the partner asks for it, it may even have that much less."""

NICE, NEED = 150, 400
_LOST = -900
_SAVED = 500
"""A piece saves when it makes so much of a lost position."""

Strength: TypeAlias = Literal["nice", "need", "mates"]
_RANK = {"nice": 1, "need": 2, "mates": 3}


def partner_of(seat: int) -> int:
    """The seat's partner (T-seats)."""
    return 3 - seat


def diagonal_of(seat: int) -> int:
    """The partner's opponent: whoever has less time of these two loses when both of them sit."""
    return partner_of(seat) ^ 1


def sit_ms(remaining_ms: int | None) -> int:
    """Return how long a bot sits at the most."""
    if remaining_ms is None:
        return SIT_LONGEST_MS
    return min(SIT_LONGEST_MS, int(SIT_SHARE * remaining_ms))


def may_sit(own_ms: int | None, diagonal_ms: int | None, margin_ms: int) -> bool:
    """Tell whether the clocks allow to sit: it is always the diagonal one that decides."""
    if own_ms is None or diagonal_ms is None:
        return True
    return own_ms >= diagonal_ms + margin_ms


def strength_of(letter: str, base: int, with_piece: int) -> Strength | None:
    """Return what a piece in hand would do beyond its usual worth, by the scores without and with it."""
    if with_piece > MATED > base:
        return "mates"
    more = with_piece - base - HAND_VALUES[KIND_LETTERS.index(letter)]
    if more >= NEED:
        return "need"
    return "nice" if more >= NICE else None


def wish(base: int, scores: Mapping[str, int]) -> tuple[str, Strength] | None:
    """Return the kind to ask for and how much it is wanted; of equal strengths the cheapest kind.

    ``scores`` are by kind letter, the cheapest first; what costs the partner less is likelier to come.
    """
    best: tuple[str, Strength] | None = None
    for letter, score in scores.items():
        strength = strength_of(letter, base, score)
        if strength is not None and (best is None or _RANK[strength] > _RANK[best[1]]):
            best = letter, strength
    return best


def sits_for(base: int, scores: Mapping[str, int]) -> bool:
    """Tell whether waiting for a piece is worth it: it mates, or nothing else saves."""
    wanted = wish(base, scores)
    if wanted is None:
        return False
    return wanted[1] == "mates" or (base <= _LOST and scores[wanted[0]] >= base + _SAVED)


def warnings(base: int, scores: Mapping[str, int]) -> tuple[str, ...]:
    """Return the kinds that would mate in the other side's hand, by its scores without and with them."""
    return tuple(letter for letter, score in scores.items() if score > MATED > base)
