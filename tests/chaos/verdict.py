"""What a run of faults has shown: counts, those among them that must be zero, and the worst wait. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libs.rules.clock import LagTracker
from tests.chaos.tables import Acknowledged, Fall

MUST_BE_ZERO = (
    "moves_lost",
    "moves_twice",
    "unjust_flags",
    "left",
    "clients_apart",
    "boards_unequal",
    "gaps_untold",
    "refused",
    "crashed",
    "recovered_late",
)
# After the end of one process play goes on within it; an end of many at once is none of those.
RECOVERED_WITHIN_S = 3.0
KILL = "kill -9 "
"""How the end of one process is called."""
# How late a frame may be before a flag counts as unjust for it, and a board's clocks as unequal.
FRAME_LATE_S = 1.0
# The same for a flag that falls when a stop has just begun: the first frame of its match may have come late.
BEGAN_LATE_S = 0.5
# How much of a stop may be missing in the record.
UNTOLD_S = 1.0


@dataclass(frozen=True)
class Fault:
    """Something that was ended or stopped from `began` to `ended` (seconds of the monotonic clock).

    `closed_s` is how long nobody could move because of it for certain, 0.0 for the end of one process;
    `open_at` when somebody could move again for the first time: one replica of each kind was there.
    """

    what: str
    began: float
    ended: float
    closed_s: float = 0.0
    open_at: float = 0.0


def lost_and_twice(made: Iterable[Acknowledged], moves: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """Of one table: acknowledged moves that are not in the match as made, and places taken twice."""
    found = Counter((move["board"], move["ply"]) for move in moves)
    kept = {(move["board"], move["ply"] - 1, move["uci"]) for move in moves}
    lost = sum((move.board, move.ply, move.uci) not in kept for move in made)
    return lost, sum(times - 1 for times in found.values())


def are_unequal(clocks: dict[str, Any], initial_ms: int, moves: int) -> bool:
    """Whether the time used on the two boards differs: both have run since the start (T-clock).

    By so much as may have been credited for the delay of the lines (T-lag), it may.
    """
    lag = LagTracker()
    credit_ms = (4 * lag.quota_us + moves * lag.refill_us) / 1000
    used = [2 * initial_ms - sum(clocks["remaining_ms"][at : at + 2]) for at in (0, 2)]
    return bool(abs(used[0] - used[1]) > FRAME_LATE_S * 1000 + credit_ms)


def is_unjust(fall: Fall, faults: Iterable[Fault]) -> bool:
    """Whether a flag fell before its time, recorded gaps taken off, or while nobody could move."""
    if fall.seen_at + FRAME_LATE_S < fall.due_at + fall.gaps_s:
        return True
    fell_at = fall.due_at + fall.gaps_s
    return any(
        fault.closed_s and fault.began + BEGAN_LATE_S < fell_at < fault.open_at - FRAME_LATE_S
        for fault in faults
    )


def waits(made: Iterable[Acknowledged], faults: Sequence[Fault]) -> dict[str, float]:
    """By fault, the longest that a move had to wait for its acknowledgement once the fault was over.

    A move counts to the last fault that had begun before it was acknowledged.
    """
    worst: dict[str, float] = {}
    for move in made:
        fault = next((fault for fault in reversed(faults) if fault.began < move.at), None)
        if fault is not None and move.at > fault.ended:
            waited_s = move.at - max(move.asked_at, fault.ended)
            worst[fault.what] = max(worst.get(fault.what, 0.0), waited_s)
    return worst


def recovered_late(worst: Mapping[str, float]) -> int:
    """How many kinds of one process' end a move had to wait too long after; ``worst`` as from ``waits``."""
    return sum(what.startswith(KILL) and waited_s > RECOVERED_WITHIN_S for what, waited_s in worst.items())


def is_well(counts: Mapping[str, int]) -> bool:
    """Nothing is wrong, and there was something that could have been."""
    return not any(counts[name] for name in MUST_BE_ZERO) and counts["moves_acknowledged"] > 0
