"""How fast a connection may talk. Pure: time is an argument, in seconds."""

from __future__ import annotations


class TokenBucket:
    """Holds up to `capacity` tokens, full at the start, and gains `per_second` of them."""

    def __init__(self, capacity: float, per_second: float, now_s: float) -> None:
        self._capacity = capacity
        self._per_second = per_second
        self._tokens = capacity
        self._filled_at_s = now_s

    def take(self, now_s: float) -> bool:
        """Takes one token; False, and nothing taken, when there is none."""
        gained = max(0.0, now_s - self._filled_at_s) * self._per_second
        self._tokens = min(self._capacity, self._tokens + gained)
        self._filled_at_s = max(self._filled_at_s, now_s)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
