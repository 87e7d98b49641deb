"""What a bot makes of its partner's words, and what it answers (RULES 1.3). Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from gen.tandemfog.types.v1 import types_pb2

_WANTED = 150
_FORBIDDEN = -400
_NEEDS = {
    types_pb2.QUICK_MESSAGE_NEED_PAWN: "P",
    types_pb2.QUICK_MESSAGE_NEED_KNIGHT: "N",
    types_pb2.QUICK_MESSAGE_NEED_BISHOP: "B",
    types_pb2.QUICK_MESSAGE_NEED_ROOK: "R",
    types_pb2.QUICK_MESSAGE_NEED_QUEEN: "Q",
}
_FORBIDS = {
    types_pb2.QUICK_MESSAGE_NO_PAWN: "P",
    types_pb2.QUICK_MESSAGE_NO_KNIGHT: "N",
    types_pb2.QUICK_MESSAGE_NO_BISHOP: "B",
    types_pb2.QUICK_MESSAGE_NO_ROOK: "R",
    types_pb2.QUICK_MESSAGE_NO_QUEEN: "Q",
}
_ALL_KINDS = "PNBRQ"
_TRADES = {types_pb2.QUICK_MESSAGE_TRADES_GOOD: 40, types_pb2.QUICK_MESSAGE_TRADES_BAD: -60}

Quick: TypeAlias = types_pb2.QuickMessage.ValueType


@dataclass(frozen=True, slots=True)
class Mood:
    """What the partner asked for. ``sit_until_ms`` is when sitting ends by itself, 0 when nobody asked.

    ``wishes``: see ``Situation``. ``heard`` is the number of the last line that was read.
    """

    wishes: dict[str, int] = field(default_factory=dict)
    sit_until_ms: float = 0.0
    heard: int = 0


def hear(
    mood: Mood, line: types_pb2.TalkLine, takes: frozenset[str], now_ms: float, sit_ms: int
) -> tuple[Mood, Quick | None]:
    """Return the mood after a line of the partner's and the quick message to answer, if any.

    ``takes`` are the kinds that the bot could capture now, ``sit_ms`` how long it would sit at the most.
    Lines that were read before change nothing.
    """
    if line.number <= mood.heard:
        return mood, None
    mood = replace(mood, heard=line.number)
    quick = line.quick
    if quick in _NEEDS:
        kind = _NEEDS[quick]
        answer = types_pb2.QUICK_MESSAGE_YES if kind in takes else types_pb2.QUICK_MESSAGE_NO
        return replace(mood, wishes={**mood.wishes, kind: _WANTED}), answer
    if quick in _FORBIDS:
        return replace(mood, wishes={**mood.wishes, _FORBIDS[quick]: _FORBIDDEN}), types_pb2.QUICK_MESSAGE_YES
    if quick in _TRADES:
        return replace(mood, wishes=dict.fromkeys(_ALL_KINDS, _TRADES[quick])), None
    if quick == types_pb2.QUICK_MESSAGE_SIT:
        return replace(mood, sit_until_ms=now_ms + sit_ms), types_pb2.QUICK_MESSAGE_YES
    if quick == types_pb2.QUICK_MESSAGE_GO:
        return replace(mood, sit_until_ms=0.0), None
    return mood, None
