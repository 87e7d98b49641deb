"""Words to the partner (RULES 1.3): what may be said, and how a line is kept. Pure."""

from __future__ import annotations

import unicodedata

from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.types.v1.types_pb2 import QUICK_MESSAGE_UNSPECIFIED, TalkLine
from libs.runtime.refusals import Refusal
from libs.wire.terms import QUICK_NAMES

TEXT_LIMIT = 200


def checked_line(seat: int, quick: types_pb2.QuickMessage.ValueType, text: str) -> TalkLine:
    """The line that a seat says: a quick message or a text.

    Raises Refusal: empty_text, text_too_long, or bad_request for both at once, an unknown quick message or
    a text with control characters.
    """
    if quick != QUICK_MESSAGE_UNSPECIFIED:
        if quick not in QUICK_NAMES or text:
            raise Refusal("bad_request")
        return TalkLine(seat=seat, quick=quick)
    words = text.strip()
    if not words:
        raise Refusal("empty_text")
    if len(words) > TEXT_LIMIT:
        raise Refusal("text_too_long")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in words):
        raise Refusal("bad_request", "A message has no control characters.")
    return TalkLine(seat=seat, text=words)


def talk_line(entry: bytes) -> TalkLine:
    """A line as the store keeps it: number and match time in microseconds, a line break, the line."""
    head, _, line = entry.partition(b"\n")
    number, at_us = head.split(b" ")
    message = TalkLine.FromString(line)
    message.number = int(number)
    message.at_ms = max(0, int(at_us)) // 1000
    return message
