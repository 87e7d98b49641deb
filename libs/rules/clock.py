"""Clocks and deadlines of a match (T-clock, T-lag, T-leave): plain arithmetic, the time is an argument.

All times are whole microseconds of match time, which starts with the match at 0 and stands still while the
service does (T-outage). The store's commit step does the same arithmetic; one test drives both.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple


class DeadlineKind(IntEnum):
    """What ends a match at an instant, in the order that decides an exact tie on one board."""

    FLAG = 0
    LEAVE = 1
    IDLE = 2


class Deadline(NamedTuple):
    """An instant at which the match is over. The order of deadlines is the order in which they decide.

    Of two at the same microsecond board A's decides (T-clock), then the kind, then the lower seat. An idle
    limit belongs to no seat: -1.
    """

    at_us: int
    board: int
    kind: DeadlineKind
    seat: int


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of all seats. On each board the clock of one seat runs, until all are stopped.

    ``remaining_us`` per seat: what was left when that clock last started or stopped; ``running`` per board:
    the seat whose clock runs, or None; ``since_us`` per board: when that clock started. ``curtain``: a press
    starts nobody's clock, the lift of the curtain does (F-curtain).
    """

    remaining_us: tuple[int, ...]
    running: tuple[int | None, ...]
    since_us: tuple[int, ...]
    increment_us: int
    curtain: bool = False

    @staticmethod
    def start(boards: int, initial_us: int, increment_us: int) -> "Clock":
        """The clocks at match time 0: White's runs on each board (T-clock)."""
        return Clock(
            (initial_us,) * (2 * boards),
            tuple(2 * board for board in range(boards)),
            (0,) * boards,
            increment_us,
        )

    @staticmethod
    def behind_curtain(initial_us: int, increment_us: int) -> "Clock":
        """The clocks of two people on one device at match time 0: none runs (F-curtain)."""
        return Clock((initial_us,) * 2, (None,), (0,), increment_us, curtain=True)

    def read(self, at_us: int) -> tuple[int, ...]:
        """What each seat has left at an instant; below zero when its flag has fallen by then."""
        left = list(self.remaining_us)
        for board, seat in enumerate(self.running):
            if seat is not None:
                left[seat] -= at_us - self.since_us[board]
        return tuple(left)

    def press(self, board: int, at_us: int, lag_us: int = 0) -> "Clock":
        """The clocks after a move on ``board``: the mover is charged, the other side's clock starts unless
        there is a curtain to be lifted first.

        The mover gets the increment and of ``lag_us`` (T-lag) at most the time that the move took. Raises
        ValueError when no clock runs there or the instant lies before its start.
        """
        seat = self.running[board]
        spent_us = at_us - self.since_us[board]
        if seat is None or spent_us < 0 or lag_us < 0:
            raise ValueError(f"nobody's clock can be pressed on board {board} at {at_us}")
        remaining, running, since = list(self.remaining_us), list(self.running), list(self.since_us)
        remaining[seat] += self.increment_us - spent_us + min(lag_us, spent_us)
        running[board] = None if self.curtain else seat ^ 1
        since[board] = at_us
        return replace(self, remaining_us=tuple(remaining), running=tuple(running), since_us=tuple(since))

    def lift(self, seat: int, at_us: int) -> "Clock":
        """The clocks once ``seat`` has lifted the curtain: its own runs (F-curtain).

        Raises ValueError without a curtain, or while some clock runs.
        """
        if not self.curtain or self.running != (None,):
            raise ValueError(f"there is no curtain to be lifted at {at_us}")
        return replace(self, running=(seat,), since_us=(at_us,))

    def stop(self, at_us: int) -> "Clock":
        """The clocks when the match ends at an instant: all stand as they were then (T-end)."""
        return replace(self, remaining_us=self.read(at_us), running=(None,) * len(self.running))

    def flags(self) -> tuple[Deadline, ...]:
        """When the running clocks run out."""
        return tuple(
            Deadline(self.since_us[board] + self.remaining_us[seat], board, DeadlineKind.FLAG, seat)
            for board, seat in enumerate(self.running)
            if seat is not None
        )


def earliest(clock: Clock | None, leaves_us: Mapping[int, int], idle_us: int | None) -> Deadline | None:
    """The deadline that decides: the earliest, on a tie by the order of ``Deadline``; None without any.

    ``leaves_us``: by seat, when being offline counts as leaving (T-leave). ``idle_us``: when a match without
    a clock is given up (F-win). A deadline has passed at its instant: a move then is too late.
    """
    deadlines = list(clock.flags()) if clock is not None else []
    deadlines += [Deadline(at, seat // 2, DeadlineKind.LEAVE, seat) for seat, at in leaves_us.items()]
    if idle_us is not None:
        deadlines.append(Deadline(idle_us, 0, DeadlineKind.IDLE, -1))
    return min(deadlines, default=None)


@dataclass(frozen=True, slots=True)
class LagTracker:
    """How much measured network delay one player may still be credited (T-lag).

    Each move gives at most ``per_move_us``, all of them together what the quota holds; the quota refills by
    ``refill_us`` with each move, up to ``ceiling_us``. A player with a good line so never notices it, and a
    bad line cannot be turned into thinking time.
    """

    quota_us: int = 1_000_000
    ceiling_us: int = 1_000_000
    per_move_us: int = 500_000
    refill_us: int = 50_000

    def credit(self, measured_us: int | None) -> tuple[int, "LagTracker"]:
        """The credit for one move, and the tracker after it.

        ``measured_us`` is what the server itself has measured; None, no measurement, gives nothing. What a
        client says about its delay has no way in here.
        """
        credit_us = max(0, min(measured_us or 0, self.per_move_us, self.quota_us))
        quota_us = min(self.ceiling_us, self.quota_us - credit_us + self.refill_us)
        return credit_us, replace(self, quota_us=quota_us)
