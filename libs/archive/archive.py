"""Finished matches for as long as they are wanted, behind four questions; a URL says where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class ArchiveError(Exception):
    """The archive does not answer, or cannot take what it is given."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished match. `ended_at_ms` is Unix time; `named`: `body` still has its players' names."""

    match_id: str
    ended_at_ms: int
    named: bool
    body: bytes


class Archive(Protocol):
    """What an archive can do. Every method raises ArchiveError when it cannot."""

    async def put(self, entry: Entry) -> None:
        """Keeps the entry, in place of one with the same id."""

    async def get(self, match_id: str) -> Entry | None:
        """The entry, if there is one."""

    async def named_before(self, ended_at_ms: int, most: int) -> list[Entry]:
        """The oldest entries that ended before then and still have their names."""

    async def forget_before(self, ended_at_ms: int) -> int:
        """Drops all entries that ended before then; how many there were."""

    async def scrub(self) -> None:
        """Lets nothing that was replaced or dropped stay in files of ours."""

    async def close(self) -> None:
        """Lets go of it."""
