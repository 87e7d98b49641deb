"""What a bot makes of its partner's words, and what it answers (RULES 1.3). Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from gen.tandemfog.types.v1 import types_pb2
from services.bots.two_boards import ASKED_MARGIN_MS, may_sit, sit_ms

_WANTED = 150
_FORBIDDEN = -400
_HELP = 80
WISH_MS = 60_000
"""What the partner asked for is forgotten after so long: the board it was said about is another by then."""
_MATING_MS = 5_000
NEEDS = {
    types_pb2.QUICK_MESSAGE_NEED_PAWN: "P",
    types_pb2.QUICK_MESSAGE_NEED_KNIGHT: "N",
    types_pb2.QUICK_MESSAGE_NEED_BISHOP: "B",
    types_pb2.QUICK_MESSAGE_NEED_ROOK: "R",
    types_pb2.QUICK_MESSAGE_NEED_QUEEN: "Q",
}
FORBIDS = {
    types_pb2.QUICK_MESSAGE_NO_PAWN: "P",
    types_pb2.QUICK_MESSAGE_NO_KNIGHT: "N",
    types_pb2.QUICK_MESSAGE_NO_BISHOP: "B",
    types_pb2.QUICK_MESSAGE_NO_ROOK: "R",
    types_pb2.QUICK_MESSAGE_NO_QUEEN: "Q",
}
_ALL_KINDS = "PNBRQ"
_TRADES = {types_pb2.QUICK_MESSAGE_TRADES_GOOD: 40, types_pb2.QUICK_MESSAGE_TRADES_BAD: -60}
_YES, _NO = types_pb2.QUICK_MESSAGE_YES, types_pb2.QUICK_MESSAGE_NO

Quick: TypeAlias = types_pb2.QuickMessage.ValueType


@dataclass(frozen=True, slots=True)
class Clocks:
    """The own clock and that of the partner's opponent, in milliseconds; None without clocks."""

    own_ms: int | None = None
    diagonal_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Mood:
    """What the partner asked for.

    ``sit_until_ms`` is when sitting ends by itself, 0 when not sitting; after "go" it may not begin again
    before ``gone_ply`` is over. ``wished`` holds the wishes with the time of their end. ``heard`` is the
    number of the last line that was read.
    """

    wished: dict[str, tuple[int, float]] = field(default_factory=dict)
    sit_until_ms: float = 0.0
    gone_ply: int = -1
    heard: int = 0

    def wishes(self, now_ms: float) -> dict[str, int]:
        """What is wished for now: see ``Situation``."""
        return {kind: worth for kind, (worth, until_ms) in self.wished.items() if now_ms < until_ms}


def hear(
    mood: Mood, line: types_pb2.TalkLine, takes: frozenset[str], now_ms: float, clocks: Clocks, ply: int
) -> tuple[Mood, Quick | None]:
    """Return the mood after a line of the partner's and the quick message to answer, if any.

    ``takes`` are the kinds that the bot could capture now. Lines that were read before change nothing. What
    is itself an answer is not answered, or two bots would never be quiet.
    """
    if line.number <= mood.heard:
        return mood, None
    mood = replace(mood, heard=line.number)
    quick = line.quick
    if quick in NEEDS:
        kind = NEEDS[quick]
        return _wish(mood, {kind: _WANTED}, now_ms), _YES if kind in takes else _NO
    if quick in FORBIDS:
        return _wish(mood, {FORBIDS[quick]: _FORBIDDEN}, now_ms), _YES
    if quick in _TRADES:
        return _wish(mood, dict.fromkeys(_ALL_KINDS, _TRADES[quick]), now_ms), _YES
    if quick in (types_pb2.QUICK_MESSAGE_SIT, types_pb2.QUICK_MESSAGE_I_MATE):
        if not may_sit(clocks.own_ms, clocks.diagonal_ms, ASKED_MARGIN_MS):
            return mood, _NO
        longest_ms = sit_ms(clocks.own_ms)
        if quick == types_pb2.QUICK_MESSAGE_I_MATE:  # it is over in a moment
            longest_ms = min(longest_ms, _MATING_MS)
        return replace(mood, sit_until_ms=now_ms + longest_ms), _YES
    if quick == types_pb2.QUICK_MESSAGE_GO:
        return replace(mood, sit_until_ms=0.0, gone_ply=ply), _YES
    if quick == types_pb2.QUICK_MESSAGE_THEY_MATE:
        # It sits for as long as it can: now every piece helps, and soon.
        mood = replace(mood, sit_until_ms=0.0, gone_ply=ply)
        return _wish(mood, dict.fromkeys(_ALL_KINDS, _HELP), now_ms), _YES
    return mood, None


def _wish(mood: Mood, wishes: dict[str, int], now_ms: float) -> Mood:
    until_ms = now_ms + WISH_MS
    return replace(
        mood, wished={**mood.wished, **{kind: (worth, until_ms) for kind, worth in wishes.items()}}
    )
