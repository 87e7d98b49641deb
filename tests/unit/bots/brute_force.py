"""Mates by trying everything, on the referee's own values: no search, no tables, nothing of the bots'."""

from __future__ import annotations

from libs.rules.position import Position


def mates(position: Position, moves: int) -> set[str]:
    """The first moves of all forced mates in at most so many moves, each of the mating side's a check.

    The other side may answer with anything legal from its hand as it is; when it can only wait for a piece
    (T-wait) it is not mated, and no more is asked of the line.
    """
    found = set()
    for move in position.legal_moves():
        after = position.play(move).position
        if not after.in_check():
            continue
        verdict = after.verdict()
        if verdict == "mate" or (moves > 1 and verdict == "check" and _lost(after, moves - 1)):
            found.add(move)
    return found


def _lost(position: Position, moves: int) -> bool:
    """Whether every answer runs into a mate in so many moves."""
    return all(_mated_after(position.play(move).position, moves) for move in position.legal_moves())


def _mated_after(position: Position, moves: int) -> bool:
    return any(
        after.in_check()
        and (
            after.verdict() == "mate"
            or (moves > 1 and after.verdict() == "check" and _lost(after, moves - 1))
        )
        for after in (position.play(move).position for move in position.legal_moves())
    )


def safe(position: Position, moves: int) -> set[str]:
    """The moves after which the other side has no forced mate in at most so many moves."""
    return {move for move in position.legal_moves() if not mates(position.play(move).position, moves)}


def king_hunts(position: Position, moves: int) -> set[str]:
    """The moves in fog that take the king in at most so many moves, whatever is answered (F-win)."""
    found = set()
    for move in position.legal_moves():
        after = position.play(move).position
        if after.verdict() == "king_captured" or (moves > 1 and _hunted(after, moves - 1)):
            found.add(move)
    return found


def _hunted(position: Position, moves: int) -> bool:
    """Whether there is an answer, and every one leaves the other king alone and lets the own one be taken."""
    answers = [position.play(move).position for move in position.legal_moves()]
    return bool(answers) and all(
        after.verdict() == "normal" and king_hunts(after, moves) for after in answers
    )
