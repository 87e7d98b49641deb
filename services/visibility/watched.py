"""One match with viewers: how far the feed has told it, and which full views are owed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchResponse
from services.visibility.outlet import Watcher


@dataclass(slots=True, eq=False)
class Watched:
    """A match with viewers. ``seen`` is the latest (epoch, version) of the feed and ``heard`` the latest line
    of each team's talk; ``tickets`` counts the times that full views became owed, so that each is made from
    what was asked of game after that moment; ``heard_at_s`` is when the match was last told of."""

    match_id: str
    watchers: set[Watcher] = field(default_factory=set)
    seen: tuple[int, int] = (0, 0)
    heard: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})
    tickets: int = 0
    heard_at_s: float = 0.0
    task: asyncio.Task[None] | None = None

    def is_ahead_of(self, response: GetMatchResponse) -> bool:
        """Whether the feed has told more of the match already than game answered."""
        state = response.state
        talk_told = all(lines_told(response, team) >= number for team, number in self.heard.items())
        return not talk_told or (state.epoch, state.version) < self.seen

    def moved_from(self, seat: int) -> list[Watcher]:
        """Those who have just lost the hold of a seat to a later connection; each is named once."""
        holders = [
            watcher
            for watcher in self.watchers
            if watcher.viewer.seat == seat and watcher.taken_at_us and not watcher.owed
        ]
        latest_us = max((watcher.taken_at_us for watcher in holders), default=0)
        moved = [watcher for watcher in holders if watcher.taken_at_us < latest_us and not watcher.moved]
        for watcher in moved:
            watcher.moved = True
        return moved


def lines_told(response: GetMatchResponse, team: int) -> int:
    """The number of the latest line of a team's talk."""
    lines = response.talk_one if team == 1 else response.talk_two
    return lines[-1].number if lines else 0
