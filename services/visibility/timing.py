"""When the moves of a text were made: told by it, or worked out from the clocks that it gives. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libs.rules.movetext import read_seconds
from libs.rules.position import Position
from libs.rules.record import MatchRecord
from libs.rules.tandem import board_of, seat_of

STEP_MS = 1_000
"""Between two moves of a text without clocks."""
LONGEST_MS = 2**31 - 1
_CONTROL = re.compile(r"([0-9.]+)(?:\+([0-9.]+))?")


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of a game, in milliseconds.

    control: base time and increment, None where the text has none. start_ms, left_ms: each seat's clock at
    first and at last, both empty when they are not known. at_ms: when each move was made, counted from the
    start; end_ms: when the game was over.
    """

    control: tuple[int, int] | None
    start_ms: tuple[int, ...]
    left_ms: tuple[int, ...]
    at_ms: tuple[int, ...]
    end_ms: int


def timing_of(record: MatchRecord, flagged: int | None) -> Timing:
    """The record's times; `flagged` is the seat whose flag fell at the end, if one did.

    Where nothing else is told, time on a board goes by as its two clocks go down (T-clock).
    """
    control = _control(record)
    turns = [Position.from_fen(fen, record.variant).turn for fen in record.start_fens]
    left = _starts(record, control, turns)
    start_ms = tuple(left)
    increment_ms = control[1] if control else 0
    passed_ms = [0] * len(turns)
    at_ms: list[int] = []
    for move in record.moves:
        seat = seat_of(move.board, turns[move.board])
        turns[move.board] = 1 - turns[move.board]
        latest_ms = at_ms[-1] if at_ms else 0
        if move.clock_ms is not None and left:
            clock_ms = _bounded(move.clock_ms)
            passed_ms[move.board] += max(0, left[seat] + increment_ms - clock_ms)
            left[seat] = clock_ms
        if move.at_ms is not None:
            passed_ms[move.board] = _bounded(move.at_ms)
        elif not left:
            passed_ms[move.board] = latest_ms + STEP_MS
        at_ms.append(max(latest_ms, passed_ms[move.board]))
    end_ms = at_ms[-1] if at_ms else 0
    if left and flagged is not None:
        end_ms = max(end_ms, passed_ms[board_of(flagged)] + left[flagged])
        left[flagged] = 0
    return Timing(control, start_ms, tuple(left), tuple(at_ms), end_ms)


def _control(record: MatchRecord) -> tuple[int, int] | None:
    found = _CONTROL.fullmatch(record.tags.get("TimeControl", ""))
    if found is None:
        return None
    initial_ms, increment_ms = read_seconds(found[1]), read_seconds(found[2] or "0")
    if initial_ms is None or increment_ms is None:
        return None
    return _bounded(initial_ms), _bounded(increment_ms)


def _starts(record: MatchRecord, control: tuple[int, int] | None, turns: list[int]) -> list[int]:
    """Each seat's clock at first: the set-up's, else the time control's, if there are clocks at all.

    A text with clocks and without a time control does not tell it: then each seat's first reading stands for
    it, and for a seat without one the largest of the others'.
    """
    if record.start_clocks_ms is not None:
        return [_bounded(clock_ms) for clock_ms in record.start_clocks_ms]
    first_ms = _first_readings(record, turns)
    if not first_ms:
        return []
    seats = range(2 * len(turns))
    if control is not None:
        return [control[0] for _ in seats]
    return [first_ms.get(seat, max(first_ms.values())) for seat in seats]


def _first_readings(record: MatchRecord, turns: list[int]) -> dict[int, int]:
    """By seat the first clock that the text gives; `turns` is each board's side to move at the start."""
    turns = list(turns)
    first_ms: dict[int, int] = {}
    for move in record.moves:
        seat = seat_of(move.board, turns[move.board])
        turns[move.board] = 1 - turns[move.board]
        if move.clock_ms is not None:
            first_ms.setdefault(seat, _bounded(move.clock_ms))
    return first_ms


def _bounded(time_ms: int) -> int:
    return min(max(0, time_ms), LONGEST_MS)
