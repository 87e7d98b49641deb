"""How fast a connection, an address or a guest may talk. Pure: time is an argument, in seconds."""

from __future__ import annotations

from collections import OrderedDict


class TokenBucket:
    """Holds up to `capacity` tokens, full at the start, and gains `per_second` of them."""

    def __init__(self, capacity: float, per_second: float, now_s: float) -> None:
        self._capacity = capacity
        self._per_second = per_second
        self._tokens = capacity
        self._filled_at_s = now_s

    def take(self, now_s: float, tokens: float = 1) -> bool:
        """Takes so many tokens; False, and nothing taken, when there are fewer."""
        gained = max(0.0, now_s - self._filled_at_s) * self._per_second
        self._tokens = min(self._capacity, self._tokens + gained)
        self._filled_at_s = max(self._filled_at_s, now_s)
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def is_full(self, now_s: float) -> bool:
        """Whether it is as if it had never been used."""
        return self._tokens + (now_s - self._filled_at_s) * self._per_second >= self._capacity


class TokenBuckets:
    """A bucket for each key, at most `most` of them: the one unused for longest gives way, as if full.

    One that is full again is forgotten, and its key with it: who has gone leaves no trace.
    """

    def __init__(self, capacity: float, per_second: float, most: int) -> None:
        self._capacity = capacity
        self._per_second = per_second
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, now_s: float, tokens: float = 1) -> bool:
        """Takes so many tokens from the key's bucket; False, and nothing taken, when there are fewer."""
        self._forget_full(now_s)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._capacity, self._per_second, now_s)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take(now_s, tokens)

    def _forget_full(self, now_s: float) -> None:
        """The one unused for longest comes first."""
        while self._buckets:
            key, bucket = next(iter(self._buckets.items()))
            if not bucket.is_full(now_s):
                return
            del self._buckets[key]
