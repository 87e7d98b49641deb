"""The only one who speaks to the store. What must happen at one stroke is a script (lua/)."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from libs.runtime.refusals import Refusal
from libs.store.answers import answered
from libs.store.connect import StoreClient
from libs.store.scripts import Argument
from services.game.decide import Decision
from services.game.keys import SHARDS, MatchKeys, ShardKeys, match_keys, shard_keys
from services.game.match import Match, raw_state
from services.game.metrics import GameMetrics
from services.game.scripts import ANSWER_WITHIN_S, Scripts, open_store_client
from services.game.settings import GameSettings

FORGOTTEN_AFTER_MS = 24 * 3_600_000
# At a club one speaks calmly (RULES 1.3): so many lines of one seat in so long; so many of a team are kept.
TALK_LINES, TALK_WINDOW_US, TALK_KEPT = 5, 10_000_000, 500


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks and under which name, so that the same request is answered once; seat None: game itself.

    ``lag_us``: the network delay of who asks, as the server has measured it (T-lag).
    """

    seat: int | None
    request_id: str
    lease: int = 0
    lag_us: int = 0


GAME_ITSELF = Request(None, "")


@dataclass(frozen=True, slots=True)
class Reading:
    """A match as the store has it at an instant, unparsed; the last four are empty unless asked for.

    ``is_past``: a deadline has passed that must end the match before anybody is shown it.
    """

    is_past: bool
    stamp: bytes
    state: bytes
    ended_ago_ms: int
    log: tuple[bytes, ...] = ()
    talk_one: tuple[bytes, ...] = ()
    talk_two: tuple[bytes, ...] = ()
    muting: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Pulse:
    """A shard at an instant; times in microseconds of shard time.

    ``due``: matches whose deadline has passed, each with its instant, the earliest first. ``outage``: when
    the latest outage began and how long it has lasted. ``stopped_us``: how long all of them together.
    ``silent``: gateways whose word holds no more.
    """

    now_us: int
    next_us: int | None
    due: tuple[tuple[str, int], ...]
    outage: tuple[int, int] | None
    stopped_us: int
    silent: tuple[str, ...]


class Store:
    """Matches in the store. Raises Refusal("unavailable") when it does not answer."""

    def __init__(self, client: StoreClient, settings: GameSettings, metrics: GameMetrics) -> None:
        self.client = client
        self._settings = settings
        self._scripts = Scripts(client, settings, metrics)
        self.run = self._scripts.run
        self.be_patient = self._scripts.be_patient

    async def create(self, match: Match, event: bytes) -> tuple[int, bool]:
        """Start a match; its version, and whether it was started by this call."""
        settings = self._settings
        clocked, curtain = match.initial_ms is not None, match.lifts is not None
        answer = await self._scripts.run(
            "create",
            match_keys(match.match_id).commit,
            (
                match.match_id,
                len(match.players),
                "" if match.initial_ms is None else match.initial_ms * 1000,
                match.increment_ms * 1000 if clocked else "",
                "" if clocked and not curtain else settings.idle_ms * 1000,
                settings.start_grace_ms * 1000
                if any(player.human for player in match.players) and not curtain
                else "",
                "".join(str(seat) for seat, player in enumerate(match.players) if not player.human),
                settings.rescue_ms * 1000,
                ",".join(map(str, match.leases)),
                event,
                raw_state(match).SerializeToString(),
                settings.feed_length,
                int(curtain),
            ),
        )
        return (int(answer[1]), False) if answer[0] == b"exists" else (1, True)

    async def read(self, match_id: str, whole: bool) -> Reading:
        """Read a match at this instant, with its log and talk when ``whole``; Refusal("unknown_match")."""
        answer = await self._scripts.run("read", match_keys(match_id).commit, (int(whole),))
        if answer[0] == b"unknown":
            raise Refusal("unknown_match")
        past, stamp, state, ended_ago, *whole_of_it = answer
        return Reading(
            past == b"deadline", stamp, state, int(ended_ago), *(tuple(part) for part in whole_of_it)
        )

    async def commit(
        self, keys: MatchKeys, request: Request, decision: Decision, reports: str = ""
    ) -> list[bytes]:
        """Write a decision, if the match is still what it was decided on. Answers as lua/commit.lua.

        ``reports``: the state of the match's presence that the decision was made on.
        """
        return await self._commit(keys, request, "write", decision, "", reports)

    async def expire(self, keys: MatchKeys, decision: Decision, deadline: str) -> list[bytes]:
        """Write the end by a deadline ("kind seat"), stamped with the deadline's own instant."""
        return await self._commit(keys, GAME_ITSELF, "expire", decision, deadline, "")

    async def find_deadline(self, match: Match) -> list[bytes]:
        """Ask which deadline has passed: deadline <kind> <seat>, or anything else for none."""
        arguments = self._head(GAME_ITSELF, match.match_id, "expire", match.version, "")
        return await self._scripts.run("commit", match_keys(match.match_id).commit, arguments)

    async def refuse(self, match: Match, request: Request, refusal: Refusal) -> list[bytes]:
        """Remember a refusal, if the match is still what it was decided on. Answers as lua/commit.lua."""
        answer = f"no {refusal.reason} {refusal.detail}"
        arguments = self._head(request, match.match_id, "refuse", match.version, answer)
        return await self._scripts.run("commit", match_keys(match.match_id).commit, arguments)

    @staticmethod
    def _head(request: Request, match_id: str, mode: str, version: int, answer: str) -> tuple[Argument, ...]:
        seat = "" if request.seat is None else request.seat
        return (match_id, seat, request.request_id, request.lease, mode, version, answer)

    async def _commit(
        self,
        keys: MatchKeys,
        request: Request,
        mode: str,
        decision: Decision,
        answer: str,
        reports: str,
    ) -> list[bytes]:
        after, settings = decision.match, self._settings
        leaves = ",".join(
            f"{seat}:{'' if limit_ms is None else limit_ms * 1000}"
            for seat, limit_ms in decision.leaves_ms.items()
        )
        arguments: tuple[Argument, ...] = (
            *self._head(request, after.match_id, mode, after.version - 1, answer),
            decision.event.SerializeToString(),
            raw_state(after).SerializeToString(),
            int(decision.is_public),
            int(after.outcome is not None),
            "" if decision.pressed is None else decision.pressed,
            request.lag_us,
            "" if decision.idle_ms is None else decision.idle_ms * 1000,
            leaves,
            reports,
            max(settings.keep_ms, settings.archive_wait_ms) if settings.archive_url else settings.keep_ms,
            settings.feed_length,
            "" if decision.lifted is None else decision.lifted,
            settings.talk_keep_ms,
            int(bool(settings.archive_url)),
        )
        return await self._scripts.run("commit", keys.commit, arguments)

    async def pulse(self, shard: ShardKeys, unmoved_ms: float, dealt_with: Iterable[str]) -> Pulse:
        """Beat as of so long ago, unless inf, and look; ``dealt_with`` are silent gateways to forget."""
        keys = (shard.time, shard.outages, shard.deadlines, shard.gateways)
        settings = self._settings
        arguments: tuple[Argument, ...] = (
            "" if unmoved_ms == math.inf else int(unmoved_ms * 1000),
            settings.sweep_batch,
            settings.presence_ms * 1000,
            *dealt_with,
        )
        now, following, due, outage, stopped, silent = await self._scripts.run("pulse", keys, arguments)
        return Pulse(
            now_us=int(now),
            next_us=int(float(following)) if following else None,
            due=tuple((due[i].decode(), int(float(due[i + 1]))) for i in range(0, len(due), 2)),
            outage=(int(outage[0]), int(outage[1])) if outage else None,
            stopped_us=int(stopped),
            silent=tuple(name.decode() for name in silent),
        )

    async def hear(self, shard: ShardKeys, gateway_id: str, complete: bool) -> list[str]:
        """Note a gateway's sign of life; the matches it holds that have to be looked at again."""
        keys = (shard.time, shard.outages, shard.gateways, shard.held_by(gateway_id))
        valid_us = self._settings.presence_ms * 1000
        found = await self._scripts.run("gateway", keys, (gateway_id, valid_us, int(complete)))
        return [match_id.decode() for match_id in found]

    async def stop_time(self, shard: ShardKeys, unmoved_ms: float) -> None:
        """Nobody can move since then: the next script finds the beat long gone. Any lets time go on."""
        client: Any = self.client
        await self.pulse(shard, unmoved_ms, ())
        await answered(client.hset(shard.time, "beat", "1"), ANSWER_WITHIN_S)

    async def versions(self, match_ids: Sequence[str]) -> list[tuple[int, int]]:
        """(epoch, version) of each match, (0, 0) for one that is not there."""
        client: Any = self.client
        pipeline = client.pipeline(transaction=False)
        for match_id in match_ids:
            keys = match_keys(match_id)
            pipeline.hget(keys.shard.time, "epoch")
            pipeline.hget(keys.clock, "version")
        said = await answered(pipeline.execute(), ANSWER_WITHIN_S) if match_ids else []
        pairs = zip(said[::2], said[1::2], strict=True)
        return [(int(epoch or 0), int(version)) if version else (0, 0) for epoch, version in pairs]

    async def ended(self, most: int) -> tuple[list[str], int]:
        """Finished matches that wait for the archive, at most so many of each shard, its oldest first; and
        how many there are."""
        client: Any = self.client
        pipeline = client.pipeline(transaction=False)
        for shard in SHARDS:
            pipeline.zrange(shard_keys(shard).ended, 0, most - 1)
            pipeline.zcard(shard_keys(shard).ended)
        found = await answered(pipeline.execute(), ANSWER_WITHIN_S)
        return [match_id.decode() for waiting in found[::2] for match_id in waiting], sum(found[1::2])

    async def note_archived(self, match_id: str, ended_ago_ms: int) -> None:
        """The archive has it: it is kept in the store as long as any other that ended then."""
        keep_ms = max(1, self._settings.keep_ms - ended_ago_ms)
        await self._scripts.run("archived", match_keys(match_id).commit, (match_id, keep_ms))

    async def held(self, shard: ShardKeys, gateway_id: str) -> list[str]:
        """The matches of a silent gateway. They are forgotten if it stays silent for a day."""
        client: Any = self.client
        key = shard.held_by(gateway_id)
        found = await answered(client.smembers(key), ANSWER_WITHIN_S)
        await answered(client.pexpire(key, FORGOTTEN_AFTER_MS), ANSWER_WITHIN_S)
        return sorted(match_id.decode() for match_id in found)

    async def presence(
        self, match_id: str, gateway_id: str, complete: bool, seats: Mapping[int, int]
    ) -> tuple[str, tuple[bool, ...]] | None:
        """Note what a gateway reports of a match (nothing for ""): the state of the reports and who is
        present; None when there is no such match any more."""
        keys = match_keys(match_id)
        shard = keys.shard
        counts = ",".join(f"{seat}:{count}" for seat, count in seats.items())
        answer = await self._scripts.run(
            "presence",
            (*keys.commit, shard.gateways, shard.held_by(gateway_id)),
            (match_id, self._settings.presence_ms * 1000, gateway_id, int(complete), counts),
        )
        if answer[0] != b"done":
            return None
        return answer[1].decode(), tuple(seat == b"1" for seat in answer[2].split(b","))

    async def talk(self, match_id: str, request: Request, team: int, line: bytes) -> list[bytes]:
        """Keep and publish a line for a team. Answers as lua/talk.lua."""
        seat = "" if request.seat is None else request.seat
        arguments = (match_id, seat, request.request_id, request.lease, team, line)
        settings = self._settings
        kept = (TALK_KEPT, settings.feed_length, settings.talk_keep_ms)
        limits = (TALK_LINES, TALK_WINDOW_US, *kept)
        return await self._scripts.run("talk", match_keys(match_id).commit, (*arguments, *limits))


@asynccontextmanager
async def open_store(settings: GameSettings, metrics: GameMetrics) -> AsyncIterator[Store]:
    """The store, connected when it is first needed."""
    client = open_store_client(settings)
    try:
        yield Store(client, settings, metrics)
    finally:
        await client.aclose()
