"""Ids of tables (which are the ids of their matches), and the shard each one names."""

from __future__ import annotations

import re
from base64 import b32encode

SHARD_COUNT = 16
"""Shards of the store. Fixed: a table id carries its shard, so it may not change while tables live."""

_RANDOM_BYTES = 15  # 120 bits: the id is the secret of a private table's link.
_TAGS = tuple(f"{{s{shard:02x}}}" for shard in range(SHARD_COUNT))  # made once: thousands hold on to one
_TABLE_ID = re.compile(r"[0-9a-f]{2}[a-z2-7]{24}")


def new_table_id(shard: int, dice: bytes) -> str:
    """Return a table id in ``shard``: two hex digits and 24 letters made of 15 random bytes.

    Raises ValueError for a shard outside the range or too few bytes.
    """
    if not 0 <= shard < SHARD_COUNT:
        raise ValueError(f"shard {shard} is outside 0..{SHARD_COUNT - 1}")
    if len(dice) < _RANDOM_BYTES:
        raise ValueError(f"{_RANDOM_BYTES} random bytes are needed")
    return f"{shard:02x}" + b32encode(dice[:_RANDOM_BYTES]).decode().lower()


def is_table_id(text: str) -> bool:
    """Tell whether ``text`` could be a table id: its form and its shard, not whether it exists."""
    return _TABLE_ID.fullmatch(text) is not None and int(text[:2], 16) < SHARD_COUNT


def shard_of(table_id: str) -> int:
    """Return the shard that a well-formed table id names. Raises ValueError for any other text."""
    if not is_table_id(table_id):
        raise ValueError("not a table id")
    return int(table_id[:2], 16)


def shard_tag(shard: int) -> str:
    """Return the hash tag that every key of the shard begins with: ``{s07}``."""
    return _TAGS[shard]
