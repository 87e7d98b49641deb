"""The names of the queue's keys in the store. All keys of a pool carry its tag, so they share a slot."""

from __future__ import annotations

from services.matchmaking.ticket import Pool


def _tag(pool: Pool) -> str:
    return f"{{queue-{pool.letter}}}"


def ticket_key(pool: Pool, ticket_id: str) -> str:
    """Hash: ``version``, ``body``, and ``heard:<guest>``, when that member was last connected."""
    return f"{_tag(pool)}:ticket:{ticket_id}"


def guest_key(pool: Pool, guest_id: str) -> str:
    """The guest's ticket."""
    return f"{_tag(pool)}:guest:{guest_id}"


def singles_key(pool: Pool) -> str:
    """Ordered set: waiting tickets of one person, by since when."""
    return f"{_tag(pool)}:singles"


def pairs_key(pool: Pool) -> str:
    """Ordered set: waiting tickets of two people, by since when."""
    return f"{_tag(pool)}:pairs"


def due_key(pool: Pool) -> str:
    """Ordered set: tickets to be looked at though they do not wait (pairs to be, tables being made)."""
    return f"{_tag(pool)}:due"


def lease_key(pool: Pool) -> str:
    """The replica that pairs in this pool now."""
    return f"{_tag(pool)}:lease"


def lock_key(guest_id: str) -> str:
    """The replica that is about to seat a guest who waits in several pools."""
    return f"queue:seating:{guest_id}"
