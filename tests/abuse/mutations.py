"""Frames and bytes that no honest client sends: made up, or spoiled from good ones. The dice are given."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text()
COMMANDS: list[dict[str, Any]] = [
    example
    for text in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    if "id" in (example := json.loads(text)) and example["t"] not in ("ok", "error")
]
ODD: list[Any] = [
    *(None, True, False, 0, -1, 1, 255, 2**31, 2**32, 2**63, 2**64, -(2**63) - 1, 1e308, -0.0, 0.5),
    *(
        "",
        "e2e4",
        "N@f3",
        "é",
        "\x00",
        "\U0001f600",
        "\ud83d",
        "a" * 300,
        "../../etc",
        "'; --",
        "{s07}",
        "t1.x.0.h0.1.x",
    ),
    *([], [[]], {}, {"t": "ping"}, [0] * 50),
]
ODD_TEXTS = [odd for odd in ODD if isinstance(odd, str) and odd != "\ud83d"]
"""Those that protobuf can carry: half a pair of UTF-16 is no text there."""


def frame(dice: Random) -> str | bytes:
    """One message: a known command with wrong parts, spoiled text, or noise (bytes are a binary message)."""
    kind = dice.random()
    if kind < 0.1:
        return dice.randbytes(dice.randrange(200))
    if kind < 0.2:
        return "".join(chr(dice.choice((dice.randrange(128), dice.randrange(0xD7FF)))) for _ in range(40))
    text = json.dumps(wrong_parts(dice))
    return text if kind < 0.8 else spoiled(text, dice)


def wrong_parts(dice: Random) -> dict[str, Any]:
    """A command of the protocol page with some fields changed, missing or added."""
    command = dict(dice.choice(COMMANDS))
    command["id"] = f"f{dice.getrandbits(40)}"
    for _ in range(dice.randrange(3)):
        name = dice.choice([*command, "extra", "time", "ply", "token"])
        if dice.random() < 0.25:
            command.pop(name, None)
        else:
            command[name] = dice.choice(ODD)
    return command


def spoiled(text: str, dice: Random) -> str:
    """The text with some characters cut out, doubled or replaced."""
    for _ in range(dice.randrange(1, 4)):
        at = dice.randrange(len(text) + 1)
        piece = text[at : at + dice.randrange(8)]
        new = dice.choice(
            ("", piece * 2, '"', "{", "[" * 50, "\\u0000", "1e999", chr(dice.randrange(0xD7FF)))
        )
        text = text[:at] + new + text[at + len(piece) :]
    return text


def spoiled_bytes(message: bytes, dice: Random) -> bytes:
    """The bytes with some of them changed, cut off or added."""
    spoilt = bytearray(message)
    for _ in range(dice.randrange(1, 5)):
        if spoilt and dice.random() < 0.7:
            spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
        else:
            spoilt[dice.randrange(len(spoilt) + 1) :] = dice.randbytes(dice.randrange(6))
    return bytes(spoilt)


def fill(message: Message, dice: Random, depth: int = 0) -> Message:
    """Gives some fields of a protobuf message odd values of the right type."""
    for field in message.DESCRIPTOR.fields:
        if dice.random() < 0.4:
            continue
        if field.message_type is not None:
            if depth < 3:
                inner = getattr(message, field.name)
                fill(inner.add() if field.is_repeated else inner, dice, depth + 1)
        elif field.is_repeated:
            getattr(message, field.name).extend(_value(field, dice) for _ in range(dice.randrange(6)))
        else:
            setattr(message, field.name, _value(field, dice))
    return message


def _value(field: Any, dice: Random) -> Any:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
            return dice.randbytes(dice.randrange(20))
        case FieldDescriptor.CPPTYPE_STRING:
            return dice.choice(ODD_TEXTS)
        case FieldDescriptor.CPPTYPE_BOOL:
            return dice.random() < 0.5
        case FieldDescriptor.CPPTYPE_ENUM:
            return dice.choice((0, 1, 2, 5, 99))
        case FieldDescriptor.CPPTYPE_INT32:
            return dice.choice((0, 1, -1, 2**31 - 1, -(2**31)))
        case FieldDescriptor.CPPTYPE_INT64:
            return dice.choice((0, 1, -1, 2**63 - 1, -(2**63)))
        case FieldDescriptor.CPPTYPE_UINT32:
            return dice.choice((0, 1, 3, 4, 2**31, 2**32 - 1))
        case FieldDescriptor.CPPTYPE_UINT64:
            return dice.choice((0, 1, 2**63, 2**64 - 1))
        case _:
            return dice.random()
