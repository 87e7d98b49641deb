"""Words to the partner (RULES 1.3): what may be said, and how a line is kept. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.types.v1.types_pb2 import QUICK_MESSAGE_UNSPECIFIED, TalkLine
from libs.runtime.refusals import Refusal
from libs.wire.terms import QUICK_NAMES
from libs.wire.typed import is_honest, is_visible

TEXT_LIMIT = 200


def checked_line(seat: int, quick: types_pb2.QuickMessage.ValueType, text: str) -> TalkLine:
    """The line that a seat says: a quick message or a text.

    Raises Refusal: empty_text, text_too_long, bad_text, or bad_request for both at once and for an unknown
    quick message.
    """
    if quick != QUICK_MESSAGE_UNSPECIFIED:
        if quick not in QUICK_NAMES or text:
            raise Refusal("bad_request")
        return TalkLine(seat=seat, quick=quick)
    words = checked_words(text, TEXT_LIMIT)
    if not words:
        raise Refusal("empty_text")
    return TalkLine(seat=seat, text=words)


def checked_words(text: str, limit: int) -> str:
    """A text without the spaces around it, "" for nothing visible.

    Raises Refusal: text_too_long, bad_text.
    """
    words = text.strip()
    if len(words) > limit:
        raise Refusal("text_too_long", f"A message has at most {limit} characters.")
    if not is_honest(words):
        raise Refusal("bad_text")
    return words if is_visible(words) else ""


@dataclass(frozen=True, slots=True)
class Told:
    """A line, and whether the partner had muted who said it: then the partner is never shown it."""

    line: TalkLine
    muted: bool


def talk_line(entry: bytes) -> Told:
    """A line as the store keeps it: number, match time in microseconds and, when muted, an "m"; a line break,
    the line."""
    head, _, line = entry.partition(b"\n")
    number, at_us, *muted = head.split(b" ")
    message = TalkLine.FromString(line)
    message.number = int(number)
    message.at_ms = max(0, int(at_us)) // 1000
    return Told(message, bool(muted))
