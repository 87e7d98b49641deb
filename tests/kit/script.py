"""A game by script: pawns meet so that hands fill, then knights go out and home, for as long as it takes."""

from __future__ import annotations

OPENINGS = {
    "tandem A": ("e2e4", "d7d5", "e4d5", "d8d5"),
    "tandem B": ("d2d4", "e7e5", "d4e5", "d7d6", "e5d6", "f8d6"),
    "fog A": ("e2e4", "d7d5"),
}
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def scripted(variant: str, board: str, ply: int) -> str:
    """The move of the script on board "A" or "B" after so many moves there."""
    opening = OPENINGS[f"{variant} {board}"]
    return opening[ply] if ply < len(opening) else SHUFFLE[(ply - len(opening)) % len(SHUFFLE)]
