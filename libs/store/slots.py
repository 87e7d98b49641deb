"""Which node of a cluster has which slot, and what of a command names the slot. No I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redis.crc import key_slot

Address = tuple[str, int]
Word = str | bytes | int | float
_SCRIPTS = ("EVAL", "EVALSHA")
_KEYLESS = ("WAIT", "TIME", "PING", "SCRIPT LOAD", "INFO")


def slot_of(words: Sequence[Word]) -> int | None:
    """The slot of a command's first key; None for a command without keys, which any node may answer.

    A command's keys must all share the slot: nobody else can tell (CROSSSLOT is the store's answer).
    """
    name = str(words[0]).upper()
    if name in _KEYLESS:
        return None
    if name in _SCRIPTS:
        return _slot(words[3]) if int(words[2]) else None
    if name == "XREAD":
        upper = [word.upper() if isinstance(word, str | bytes) else word for word in words]
        return _slot(words[next(at for at, word in enumerate(upper) if word in ("STREAMS", b"STREAMS")) + 1])
    return _slot(words[1])


def _slot(key: Word) -> int:
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


class SlotMap:
    """The masters as they were last heard of."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int, Address]] = []
        self._moved: dict[int, Address] = {}

    @property
    def masters(self) -> tuple[Address, ...]:
        """Every master, the one of the lowest slot first."""
        return tuple(dict.fromkeys(address for _, _, address in sorted(self._ranges)))

    def learn(self, answer: Sequence[Sequence[Any]], asked: Address) -> None:
        """Take what CLUSTER SLOTS answers: first and last slot, master, replicas.

        A node that does not know its own name is the one asked.
        """
        self._ranges = [
            (int(first), int(last), ((master[0] or b"").decode() or asked[0], int(master[1])))
            for first, last, master, *_ in answer
        ]
        self._moved = {}

    def move(self, slot: int, address: Address) -> None:
        """One slot is elsewhere, as a node has just said."""
        self._moved[slot] = address

    def find(self, slot: int | None) -> Address | None:
        """The master of a slot (any for None); None when nobody is known to have it."""
        if slot is None:
            return next(iter(self.masters), None)
        if slot in self._moved:
            return self._moved[slot]
        return next((address for first, last, address in self._ranges if first <= slot <= last), None)
