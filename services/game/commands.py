"""What may be asked of a match, in the rules' words. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GestureName = Literal["resign", "offer_draw", "accept_draw", "decline_draw", "abort", "leave"]
DeadlineName = Literal["flag", "leave", "idle"]


@dataclass(frozen=True, slots=True)
class MoveCommand:
    """A move or drop by a seat; ``ply`` is the number of moves on the board that it answers (B-stale)."""

    seat: int
    is_bot: bool
    board: int
    ply: int
    uci: str


@dataclass(frozen=True, slots=True)
class GestureCommand:
    """Anything else that a seat may do."""

    seat: int
    is_bot: bool
    gesture: GestureName


@dataclass(frozen=True, slots=True)
class LiftCommand:
    """A seat lifts the curtain; ``ply`` is the number of moves made that it answers (F-curtain)."""

    seat: int
    is_bot: bool
    ply: int


@dataclass(frozen=True, slots=True)
class PresenceCommand:
    """Game itself has found that a person came or went."""

    seat: int
    online: bool


@dataclass(frozen=True, slots=True)
class DeadlineCommand:
    """A deadline has passed. ``seat`` is -1 for the idle limit."""

    kind: DeadlineName
    seat: int


@dataclass(frozen=True, slots=True)
class CloseCommand:
    """The operator ends the match without a result."""


Command = MoveCommand | GestureCommand | LiftCommand | PresenceCommand | DeadlineCommand | CloseCommand
