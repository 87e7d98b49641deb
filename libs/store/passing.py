"""Failures of the store that pass by themselves: who asks again later may be answered."""

from __future__ import annotations

from redis.exceptions import (
    AskError,
    ClusterError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import TimeoutError as StoreTimeoutError

_CLASSES = (
    OSError,  # TimeoutError, too
    StoreConnectionError,
    StoreTimeoutError,
    ReadOnlyError,
    OutOfMemoryError,
    MasterDownError,
    ClusterError,
    AskError,  # MovedError, too: the slot is moving right now
    TryAgainError,
)
# The client has no names for these, and a script's error keeps the store's own word.
_WORDS = ("OOM", "NOREPLICAS", "READONLY", "MISCONF", "MASTERDOWN", "CLUSTERDOWN", "LOADING", "TRYAGAIN")


def is_passing(error: BaseException) -> bool:
    """Whether the store is gone, full, without its replicas, starting, or not the master any more."""
    return isinstance(error, _CLASSES) or str(error).startswith(_WORDS)
