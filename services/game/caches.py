"""Matches held in memory: only for speed, the commit finds out when one is not the newest."""

from __future__ import annotations

from collections import OrderedDict

from services.game.match import Match
from services.game.metrics import GameMetrics


class MatchCache:
    """The matches used last. When full, the one that was not used for longest goes."""

    def __init__(self, size: int, metrics: GameMetrics) -> None:
        self._size = size
        self._metrics = metrics
        self._matches: OrderedDict[str, Match] = OrderedDict()

    def get(self, match_id: str) -> Match | None:
        """The match as it was last seen here."""
        match = self._matches.get(match_id)
        if match is not None:
            self._matches.move_to_end(match_id)
        return match

    def put(self, match: Match) -> None:
        """Keep the match unless a newer one is here."""
        held = self._matches.get(match.match_id)
        if held is None or held.version < match.version:
            self._matches[match.match_id] = match
            self._matches.move_to_end(match.match_id)
        if len(self._matches) > self._size:
            self._matches.popitem(last=False)
            self._metrics.cache_evictions.inc()

    def drop(self, match: Match) -> None:
        """Forget this value, which turned out not to be the newest; another one that came since may stay."""
        if self._matches.get(match.match_id) is match:
            del self._matches[match.match_id]
