"""What one viewer was sent, as bytes, with identifiers and the age of clock readings made equal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(rb"t1\.#{26}\.[0-9A-Za-z_.-]+")
_AGE = re.compile(rb'"(age_ms|starts_in_ms)":\d+')
CHANNELS = ("answers", "match", "table", "other", "http", "stream")


@dataclass(frozen=True)
class Difference:
    """Where two viewers who may see the same were not sent the same."""

    viewer: str
    channel: str
    number: int
    first: bytes | None
    second: bytes | None

    def __str__(self) -> str:
        return f"{self.viewer}, {self.channel} {self.number}:\n  {self.first!r}\n  {self.second!r}"


@dataclass
class Record:
    """Everything that one viewer was sent about one game, by where it came from.

    What came first between two channels is a matter of time alone: they are different services' words.
    Nothing is added once the game is over.
    """

    table: str
    channels: dict[str, list[bytes]] = field(default_factory=lambda: {name: [] for name in CHANNELS})
    over: bool = False

    def add(self, channel: str, message: bytes) -> None:
        """Keeps a message. Its length counts, so what is made equal keeps its width."""
        if not self.over:
            self.channels[channel].append(message)


def equal_for_all(message: bytes, table: str) -> bytes:
    """The message without what may differ: the table's id and tokens of it, how old a reading is."""
    message = message.replace(table.encode(), b"#" * len(table))
    message = _TOKEN.sub(lambda found: b"*" * len(found.group()), message)
    return _AGE.sub(rb'"\1":0', message)


def compare(viewer: str, first: Record, second: Record) -> Iterator[Difference]:
    """Each channel's first difference; a message too many is one, too."""
    for channel in CHANNELS:
        one, other = (
            [equal_for_all(message, record.table) for message in record.channels[channel]]
            for record in (first, second)
        )
        for number in range(max(len(one), len(other))):
            pair = [messages[number] if number < len(messages) else None for messages in (one, other)]
            if pair[0] != pair[1]:
                yield Difference(viewer, channel, number, *pair)
                break
