"""The way of a command: load, decide, commit; again when the match has moved on meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.game.caches import MatchCache
from services.game.commands import Command, DeadlineCommand, DeadlineName, PresenceCommand
from services.game.decide import Decision, Limits, decide
from services.game.keys import match_keys
from services.game.match import Match, match_of
from services.game.metrics import GameMetrics
from services.game.stamps import read_stamp, stamped_state
from services.game.store import GAME_ITSELF, Reading, Request, Store

ATTEMPTS = 5
log = get_logger()


class Conflict(Exception):
    """What the decision was made on is not so any more."""


class Referee:
    """Carries out commands. Several replicas may do so for the same match at once.

    ``expect`` is told of each next deadline that a commit has set: the match, and when by this process'
    monotonic clock.
    """

    def __init__(
        self,
        store: Store,
        cache: MatchCache,
        limits: Limits,
        metrics: GameMetrics,
        expect: Callable[[str, float], None],
        is_anybody_there: Callable[[float], Awaitable[bool]],
    ) -> None:
        self._expect = expect
        self._is_anybody_there = is_anybody_there
        self._store = store
        self._cache = cache
        self._limits = limits
        self._metrics = metrics
        # Commands of one match take turns: decided at the same time, all but one would be decided in vain.
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def act(self, match_id: str, request: Request, command: Command) -> tuple[int, bool]:
        """Carry out a seat's command: the match's version after it, and whether it had been done before.

        Raises Refusal with the rule's reason, or "busy" when others were faster every time.
        """
        turn = self._turns.setdefault(match_id, asyncio.Lock())
        async with turn:
            for _ in range(ATTEMPTS):
                match = await self.match(match_id)
                try:
                    return await self._attempt(match, request, command)
                except Conflict:
                    self._metrics.conflicts.inc()
        raise Refusal("busy")

    async def _attempt(self, match: Match, request: Request, command: Command) -> tuple[int, bool]:
        try:
            decision = decide(match, command, self._limits)
        except Refusal as refusal:
            answer = await self._store.refuse(match, request, refusal)
            if answer[0] == b"refused":
                raise
        else:
            asked_at = time.monotonic()
            answer = await self._store.commit(match_keys(match.match_id), request, decision)
            if answer[0] == b"done":
                self._committed(decision, answer, asked_at)
                return decision.match.version, False
        return await self._otherwise(match, answer)

    async def _otherwise(self, match: Match, answer: list[bytes]) -> tuple[int, bool]:
        """What the store found before it came to the decision."""
        kind = answer[0].decode()
        if kind == "known":
            self._metrics.duplicates.inc()
            return version_of(answer[1]), True
        if kind == "deadline":
            await self.settle(match.match_id)
            raise Conflict
        self._cache.drop(match)
        if kind == "conflict":
            raise Conflict
        raise Refusal("unknown_match" if kind == "unknown" else kind)

    async def settle(self, match_id: str) -> bool:
        """End the match if one of its deadlines has passed, at that instant; whether it is over now.

        Raises Refusal busy while no gateway takes moves: whoever should have moved cannot (T-outage).
        """
        for _ in range(ATTEMPTS):
            match = await self.match(match_id)
            if match.outcome is not None:
                return True
            asked_at = time.monotonic()
            answer = await self._store.find_deadline(match)
            if answer[0] == b"deadline":
                if not await self._is_anybody_there(asked_at):
                    raise Refusal("busy")
                kind, seat = deadline_name(answer[1]), int(answer[2])
                decision = decide(match, DeadlineCommand(kind, seat), self._limits)
                answer = await self._store.expire(match_keys(match_id), decision, f"{kind} {seat}")
            if answer[0] == b"done":
                self._committed(decision, answer, time.monotonic())
                return True
            if answer[0] == b"not_due":
                return False
            self._cache.drop(match)
        raise Refusal("busy")

    async def note_presence(self, match_id: str, seat: int, online: bool, reports: str) -> None:
        """Record that a person came or went; Conflict when a newer report or event has come in between."""
        match = await self.match(match_id)
        if match.outcome is not None or match.lifts is not None or match.players[seat].online == online:
            return  # on one device nobody is away from the other: the idle limit alone ends such a match
        decision = decide(match, PresenceCommand(seat, online), self._limits)
        asked_at = time.monotonic()
        answer = await self._store.commit(match_keys(match_id), GAME_ITSELF, decision, reports=reports)
        if answer[0] == b"done":
            self._committed(decision, answer, asked_at)
        elif answer[0] == b"deadline":
            await self.settle(match_id)
        else:
            self._cache.drop(match)
            raise Conflict

    async def match(self, match_id: str) -> Match:
        """The match as this replica knows it, loaded when it does not; Refusal("unknown_match")."""
        match = self._cache.get(match_id)
        if match is None:
            self._metrics.cache_misses.inc()
            reading = await self._store.read(match_id, whole=False)
            match = match_of(stamped_state(reading.state, read_stamp(reading.stamp)))
            self._cache.put(match)
        return match

    async def read(self, match_id: str, whole: bool) -> Reading:
        """The match at this instant; one whose deadline has passed is ended first."""
        reading = await self._store.read(match_id, whole)
        while reading.is_past:
            await self.settle(match_id)
            reading = await self._store.read(match_id, whole)
        return reading

    async def create(self, match: Match, event: bytes) -> int:
        """Start a match, unless it has been started before; its version."""
        version, is_new = await self._store.create(match, event)
        if is_new:
            self._cache.put(match)
            self._metrics.commits.labels("started").inc()
            log.info("match_started", match_id=match.match_id)
        return version

    def _committed(self, decision: Decision, answer: list[bytes], asked_at: float) -> None:
        match = decision.match
        if answer[2]:
            self._expect(match.match_id, asked_at + int(answer[2]) / 1e6)
        self._cache.put(match)
        self._metrics.commits.labels(decision.event.WhichOneof("what")).inc()
        if match.outcome is not None:
            self._metrics.endings.labels(match.outcome.reason).inc()
            log.info("match_ended", match_id=match.match_id, reason=match.outcome.reason)


def version_of(answer: bytes) -> int:
    """What was answered to a request before: the number, or the same Refusal raised again."""
    word, _, rest = answer.decode().partition(" ")
    if word == "ok":
        return int(rest)
    reason, _, detail = rest.partition(" ")
    raise Refusal(reason, detail)


def deadline_name(name: bytes) -> DeadlineName:
    """A deadline's kind in the rules' words."""
    return "flag" if name == b"flag" else "leave" if name == b"leave" else "idle"
