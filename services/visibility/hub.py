"""Who watches what: the viewers of each match, what each has been told, and the full views that are owed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable

from gen.tandemfog.feed.v1.feed_pb2 import EventWithState, FeedItem, GetMatchResponse, RawState, TeamTalk
from gen.tandemfog.types.v1.types_pb2 import SEAT_KIND_BOT
from gen.tandemfog.view.v1.view_pb2 import Frame, Moved
from libs.identity.ids import shard_of
from libs.rules.tandem import team_of
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from libs.wire.raw import is_readable
from services.visibility.metrics import VisibilityMetrics
from services.visibility.outlet import NO_ROOM, Outlet, Watcher
from services.visibility.truth import is_fog
from services.visibility.view import (
    Viewer,
    fog_lifts,
    full_view,
    is_curtained,
    tandem_views_of_event,
    view_of_event,
)
from services.visibility.watched import Watched, lines_told

log = get_logger()

PAUSE_FIRST_S = 0.02
PAUSE_LAST_S = 0.25
STALE_ANSWERS = 10
"""How often in a row game may tell an older match than the feed did; then its word is taken."""


class Hub:
    """All matches watched through this process.

    ``fetch`` asks game for a whole match (raises Refusal); ``want`` is told the shards with viewers;
    ``has_joined`` says whether a shard's events arrive; ``clock`` gives seconds. Only one thread uses it.
    """

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[GetMatchResponse]],
        want: Callable[[frozenset[int]], None],
        has_joined: Callable[[int], bool],
        clock: Callable[[], float],
        metrics: VisibilityMetrics,
    ) -> None:
        self._fetch = fetch
        self._want = want
        self._has_joined = has_joined
        self._clock = clock
        self._metrics = metrics
        self._matches: dict[str, Watched] = {}
        self._shards: Counter[int] = Counter()

    def join(self, watcher: Watcher) -> None:
        """A viewer comes: it gets a full view as soon as nothing after that can be missed."""
        watcher.outlet.watchers[watcher.number] = watcher
        match = self._matches.get(watcher.match_id)
        if match is None:
            match = self._matches[watcher.match_id] = Watched(watcher.match_id)
            self._count_match(watcher.match_id, 1)
        match.watchers.add(watcher)
        self._metrics.viewers.inc()
        self.owe([watcher], "join")

    def leave(self, watcher: Watcher) -> None:
        """A viewer goes; no frame for it is sent any more."""
        watcher.void()
        self._remove(watcher)

    def close(self) -> None:
        """Every viewer goes."""
        for match in list(self._matches.values()):
            for watcher in list(match.watchers):
                self.leave(watcher)

    def owe(self, watchers: Iterable[Watcher], why: str) -> None:
        """These viewers get a full view instead of what they missed."""
        for watcher in watchers:
            match = self._matches.get(watcher.match_id)
            if match is None or watcher not in match.watchers:  # it has left in the meantime
                continue
            if watcher.owed == NO_ROOM and why != "slow":
                continue
            if watcher.owed <= 0:
                self._metrics.owed.labels(why).inc()
            match.tickets += 1
            watcher.owed = match.tickets
            self._start(match)

    def quiet(self, for_s: float) -> list[str]:
        """The matches of which nothing was heard for so long, though nothing is owed to their viewers."""
        before_s = self._clock() - for_s
        return [
            match.match_id
            for match in self._matches.values()
            if match.task is None and match.heard_at_s <= before_s
        ]

    def catch_up(self, match_id: str, told: tuple[int, int]) -> None:
        """Game had come so far with a match a while ago: who has not heard of it gets a full view."""
        match = self._matches.get(match_id)
        if match is not None and match.task is None and match.seen < told:
            log.warning("events_missed", match_id=match_id)
            self.owe(list(match.watchers), "missed")

    def on_joined(self, shard: int) -> None:
        """The feed of a shard begins, anew perhaps: what was missed before needs full views."""
        for match in list(self._matches.values()):
            if shard_of(match.match_id) == shard:
                self.owe(list(match.watchers), "feed")

    def on_item(self, item: FeedItem) -> None:
        """An event or a line of talk from the feed."""
        if item.WhichOneof("item") == "talk":
            self._metrics.events.labels("talk").inc()
            self._on_talk(item.talk, item.committed_at_us)
        else:
            self._metrics.events.labels(item.event.event.WhichOneof("what") or "start").inc()
            with self._metrics.view_seconds.time():
                self._on_event(item.event, item.committed_at_us)

    def _on_event(self, item: EventWithState, committed_at_us: int) -> None:
        state = item.state
        match = self._matches.get(state.match_id)
        if match is None:
            return
        match.seen, match.heard_at_s = max(match.seen, (state.epoch, state.version)), self._clock()
        if not is_readable(state):  # a newer replica of ours shows it, and takes over its viewers
            self.owe(list(match.watchers), "newer")
            return
        due: dict[Viewer, list[Watcher]] = {}
        missed: list[Watcher] = []
        for watcher in match.watchers:
            if watcher.owed or (state.epoch, state.version) <= (watcher.epoch, watcher.version):
                continue
            if (watcher.epoch, watcher.version + 1) != (state.epoch, state.version):
                missed.append(watcher)
                continue
            watcher.version = state.version
            due.setdefault(watcher.viewer, []).append(watcher)
        self.owe(missed, "gap")
        if fog_lifts(state):
            for watchers in due.values():
                self.owe(watchers, "end")
            return
        self._show_event(item, due, committed_at_us)

    def _show_event(
        self, item: EventWithState, due: dict[Viewer, list[Watcher]], committed_at_us: int
    ) -> None:
        """Tells each viewer what it may see of an event."""
        event, state, now_s = item.event, item.state, self._clock()
        if not is_fog(state):
            for view, viewers in tandem_views_of_event(event, state, due):
                watchers = [watcher for viewer in viewers for watcher in due[viewer]]
                _put(Frame(view=view), watchers, now_s, committed_at_us)
            return
        for viewer, watchers in due.items():
            own = view_of_event(event, state, viewer)
            if own is not None:
                _put(Frame(view=own), watchers, now_s, committed_at_us)
            if is_curtained(state, viewer):
                self._refuse(watchers, "curtain_down")

    def _on_talk(self, talk: TeamTalk, committed_at_us: int) -> None:
        """What was said goes to the seats of the team, but for a partner who mutes it, and to nobody else."""
        match = self._matches.get(talk.match_id)
        if match is None:
            return
        match.heard[talk.team] = max(match.heard[talk.team], talk.line.number)
        due = []
        for watcher in match.watchers:
            seat = watcher.viewer.seat
            if seat is None or team_of(seat) != talk.team or watcher.owed or talk.line.number <= watcher.talk:
                continue
            if talk.line.number != watcher.talk + 1:
                self.owe([watcher], "gap")
                continue
            watcher.talk = talk.line.number
            if seat == talk.line.seat or not talk.muted:
                due.append(watcher)
        _put(Frame(talk=talk.line), due, self._clock(), committed_at_us)

    def _start(self, match: Watched) -> None:
        """Sees to it that the owed views of the match are made, once its events arrive."""
        if match.task is None and self._has_joined(shard_of(match.match_id)):
            match.task = asyncio.create_task(self._settle(match), name=f"settle {match.match_id}")

    async def _settle(self, match: Watched) -> None:
        """Asks game for the match until every owed viewer has a full view of it."""
        stale = failed = 0
        try:
            while any(watcher.owed > 0 for watcher in match.watchers):
                ticket = match.tickets
                try:
                    response = await self._fetch(match.match_id)
                except Refusal as refusal:
                    if refusal.reason == "unknown_match":
                        self._refuse([watcher for watcher in match.watchers if watcher.owed], refusal.reason)
                        continue
                    failed += 1
                    await asyncio.sleep(min(PAUSE_FIRST_S * 2**failed, PAUSE_LAST_S))
                    continue
                if stale < STALE_ANSWERS and match.is_ahead_of(response):
                    stale += 1
                    await asyncio.sleep(PAUSE_FIRST_S)
                    continue
                match.seen = (response.state.epoch, response.state.version)
                match.heard_at_s = self._clock()
                self._show(match, response, ticket)
        except Exception:  # a match that cannot be shown must not go unnoticed, nor hold up others
            log.exception("match_not_shown", match_id=match.match_id)
            self._refuse(match.watchers, "unavailable")
        finally:
            match.task = None

    def _show(self, match: Watched, response: GetMatchResponse, ticket: int) -> None:
        """Gives the full view to those who were owed it when game was asked."""
        state, now_s = response.state, self._clock()
        due: dict[Viewer, list[Watcher]] = {}
        for watcher in list(match.watchers):
            if 0 < watcher.owed <= ticket:
                if not _proved(watcher, state):
                    self._refuse([watcher], "bad_token")
                    continue
                if is_curtained(state, watcher.viewer):
                    self._refuse([watcher], "curtain_down")
                    continue
                due.setdefault(watcher.viewer, []).append(watcher)
        for viewer, watchers in due.items():
            for watcher in watchers:
                watcher.owed, watcher.epoch, watcher.version = 0, state.epoch, state.version
                if viewer.seat is not None:
                    watcher.talk = lines_told(response, team_of(viewer.seat))
            _put(Frame(view=full_view(response, viewer)), watchers, now_s)
            if viewer.seat is not None:
                _put(Frame(moved=Moved()), match.moved_from(viewer.seat), now_s)

    def _refuse(self, watchers: Iterable[Watcher], reason: str) -> None:
        """There is nothing to show to these viewers: they are told so and forgotten."""
        for watcher in list(watchers):
            self._remove(watcher)
            _put(Frame(refused=reason), [watcher], self._clock())

    def _remove(self, watcher: Watcher) -> None:
        match = self._matches.get(watcher.match_id)
        if match is None or watcher not in match.watchers:
            return
        del watcher.outlet.watchers[watcher.number]
        match.watchers.remove(watcher)
        self._metrics.viewers.dec()
        if not match.watchers:
            del self._matches[watcher.match_id]
            self._count_match(watcher.match_id, -1)

    def _count_match(self, match_id: str, change: int) -> None:
        self._metrics.matches.inc(change)
        self._shards[shard_of(match_id)] += change
        self._want(frozenset(shard for shard, matches in self._shards.items() if matches))


def _proved(watcher: Watcher, state: RawState) -> bool:
    """Whether the viewer's token is that of who holds the seat: a person who gave it back sees nothing."""
    token = watcher.token
    if token is None:
        return True
    if token.seat >= len(state.seats) or token.is_bot != (state.seats[token.seat].kind == SEAT_KIND_BOT):
        return False
    held = state.leases[token.seat] if token.seat < len(state.leases) else 0
    return token.is_bot or token.lease >= held


def _put(body: Frame, watchers: Iterable[Watcher], read_at_s: float, committed_at_us: int = 0) -> None:
    """One frame for each stream that has some of the viewers."""
    outlets: dict[Outlet, list[Watcher]] = {}
    for watcher in watchers:
        outlets.setdefault(watcher.outlet, []).append(watcher)
    for outlet, own in outlets.items():
        outlet.put(body, own, read_at_s, committed_at_us)
