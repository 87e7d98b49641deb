"""Rendezvous hashing: every caller names the same member for a key without talking to anyone.

When a member comes or goes, only the keys that it wins or held move. Lists that differ between callers
cost a cold cache, never a wrong answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache


def weight(member: str, key: str) -> int:
    """How strongly `member` claims `key`: 64 bits, equal in every process on every machine."""
    claim = f"{member}\n{key}".encode()
    return int.from_bytes(hashlib.blake2b(claim, digest_size=8).digest(), "big")


@lru_cache(maxsize=1_000)
def ranked(members: tuple[str, ...], key: str) -> tuple[str, ...]:
    """The members in the order in which they should be asked about `key`, the preferred one first."""
    return tuple(sorted(set(members), key=lambda member: (weight(member, key), member), reverse=True))


def prefer(members: Iterable[str], key: str) -> str | None:
    """The member to ask about `key`; None when there are no members."""
    return max(set(members), key=lambda member: (weight(member, key), member), default=None)
