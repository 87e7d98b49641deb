"""The names of matchmaking's keys in the store. All keys of a shard carry its tag, so they share a slot."""

from __future__ import annotations

from libs.identity.ids import SHARD_COUNT, shard_of, shard_tag

SHARDS = range(SHARD_COUNT)


def table_key(table_id: str) -> str:
    """Hash: ``version``, ``body``, and ``heard:<seat>``, when that seat was last connected."""
    return f"{shard_tag(shard_of(table_id))}:table:{table_id}"


def due_key(shard: int) -> str:
    """Ordered set: table ids by the store's time in milliseconds at which to look at them."""
    return f"{shard_tag(shard)}:tables:due"


def open_key(shard: int) -> str:
    """Ordered set: public tables that have not started, by their birth."""
    return f"{shard_tag(shard)}:tables:open"


def running_key(shard: int) -> str:
    """Ordered set: public tables whose match runs, by their birth."""
    return f"{shard_tag(shard)}:tables:running"


def changes_key(shard: int) -> str:
    """Stream: ``id`` and ``body`` of each table that changed."""
    return f"{shard_tag(shard)}:tables:changes"


def counts_key(shard: int) -> str:
    """Hash: tables by "<variant>:<state>", and seats of running matches by "<variant>:<kind>"."""
    return f"{shard_tag(shard)}:tables:counts"


def census_key() -> str:
    """String: the replica that shows the counts."""
    return "tables:census"


def bots_key(shard: int) -> str:
    """Ordered set: bot seats of running matches ("<id>:<seat>") by the end of their lease."""
    return f"{shard_tag(shard)}:bots:until"


def leases_key(shard: int) -> str:
    """Hash: bot seat to "<level> <lease number> <worker>"."""
    return f"{shard_tag(shard)}:bots:leases"
