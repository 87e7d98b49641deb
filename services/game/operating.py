"""What operators have decided and done, and which processes there are; kept in the store for all gateways."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from typing import Any

from redis.exceptions import RedisError

from gen.tandemfog.operations.v1.operations_pb2 import (
    Act,
    BlockedAddress,
    Figure,
    GetNoticesResponse,
    OutageRecord,
    Process,
    StoreNode,
)
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from libs.store.connect import infos
from libs.store.passing import is_passing
from services.game.keys import OPERATOR_KEYS, SHARDS, shard_keys
from services.game.scripts import ANSWER_WITHIN_S
from services.game.store import Store
from services.game.store_watch import figures

ACTS_KEPT, ACTS_SHOWN = 10_000, 50
OUTAGES_SHOWN = 10
SAME_OUTAGE_MS = 2_000
"""Outages of several shards that began within so long are one."""
AWAY_AFTER_MS = 15_000
FORGOTTEN_AFTER_MS = 3_600_000
DAY_MS = 24 * 3_600_000
LONGEST_BLOCK_MS = 366 * DAY_MS
ANNOUNCED_AFTER_MS = 5 * 60_000
"""So long an announcement is still shown after its time: the restart may be late."""
TEXT_LIMIT = 200
log = get_logger()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class Operating:
    """Raises Refusal: bad_request, and "unavailable" when the store does not answer."""

    def __init__(self, store: Store, acts_keep_ms: int) -> None:
        self._store = store
        self._acts_keep_ms = acts_keep_ms
        self._client: Any = store.client

    async def record(self, act: Act) -> None:
        """Note an act and nothing else."""
        await self._act(act, OPERATOR_KEYS.announcement, "nothing")

    async def announce(self, who: str, in_ms: int) -> None:
        """A restart comes in so long; 0 takes it back."""
        if in_ms > DAY_MS:
            raise Refusal("bad_request", "A restart is announced for at most a day from now.")
        if not in_ms:
            await self._act(Act(who=who, what="withdraw"), OPERATOR_KEYS.announcement, "del")
            return
        at_ms = _now_ms() + in_ms
        act = Act(who=who, what="announce", words=f"in {in_ms // 1000} s")
        keep_ms = in_ms + ANNOUNCED_AFTER_MS
        await self._act(act, OPERATOR_KEYS.announcement, "set", value=str(at_ms), keep_ms=keep_ms)

    async def block(self, blocked: BlockedAddress) -> None:
        """Block an address until then."""
        lasts_ms = blocked.until_ms - _now_ms()
        if not blocked.address or not 0 < lasts_ms <= LONGEST_BLOCK_MS:
            raise Refusal("bad_request", "An address is blocked for up to a year.")
        words = f"for {round(lasts_ms / 60_000)} minutes: {blocked.words}"
        act = Act(who=blocked.who, what="block", target=blocked.address, words=words)
        value = blocked.SerializeToString()
        await self._act(act, OPERATOR_KEYS.blocked, "put", field=blocked.address, value=value)

    async def unblock(self, who: str, address: str) -> None:
        """Block it no more. What is not blocked is refused as bad_request: no act, and on no record."""
        if all(entry.address != address for entry in (await self.notices()).blocked):
            raise Refusal("bad_request", "That is not blocked, or not any more; the list says what is.")
        act = Act(who=who, what="unblock", target=address)
        await self._act(act, OPERATOR_KEYS.blocked, "drop", field=address)

    async def notices(self) -> GetNoticesResponse:
        """What every gateway must know. A block that has ended is forgotten, and its address with it."""
        keys = OPERATOR_KEYS
        found, restart = await self._asked(
            self._client.hgetall(keys.blocked), self._client.get(keys.announcement)
        )
        now_ms = _now_ms()
        blocked: list[BlockedAddress] = []
        ended: list[bytes] = []
        for field, value in found.items():
            entry = BlockedAddress.FromString(value)
            if entry.until_ms > now_ms:
                blocked.append(entry)
            else:
                ended += (field, value)
        if ended:
            await self._store.run("forget", (keys.blocked,), ended)
        blocked.sort(key=lambda entry: entry.address)
        return GetNoticesResponse(blocked=blocked, restart_at_ms=int(restart or 0))

    async def acts(self) -> list[Act]:
        """The latest acts, the newest first."""
        since = _now_ms() - self._acts_keep_ms
        [found] = await self._asked(self._client.xrevrange(OPERATOR_KEYS.acts, min=since, count=ACTS_SHOWN))
        acts = []
        for position, fields in found:
            act = Act.FromString(fields[b"a"])
            act.at_ms = int(position.split(b"-")[0])
            acts.append(act)
        return acts

    async def check_in(self, process: Process) -> None:
        """Note a process' sign of life."""
        process.seen_ms = _now_ms()
        await self._asked(self._client.hset(OPERATOR_KEYS.roll, process.name, process.SerializeToString()))

    async def roll(self) -> list[Process]:
        """The processes that have checked in lately; those long gone are forgotten."""
        [found] = await self._asked(self._client.hgetall(OPERATOR_KEYS.roll))
        processes = [Process.FromString(value) for value in found.values()]
        now_ms = _now_ms()
        gone = [entry.name for entry in processes if now_ms - entry.seen_ms > FORGOTTEN_AFTER_MS]
        if gone:
            await self._asked(self._client.hdel(OPERATOR_KEYS.roll, *gone))
        here = [entry for entry in processes if now_ms - entry.seen_ms <= AWAY_AFTER_MS]
        return sorted(here, key=lambda entry: (entry.service, entry.since_ms, entry.name))

    async def store_nodes(self) -> list[StoreNode]:
        """What each node of the store says of itself."""
        [found] = await self._asked(infos(self._store.client))
        return [
            StoreNode(figures=[Figure(name=name, value=value) for name, value in figures(info).items()])
            for info in found
        ]

    async def outages(self) -> list[OutageRecord]:
        """The latest outages, the newest first."""
        parts: list[Any] = []
        for shard in SHARDS:
            keys = shard_keys(shard)
            parts.append(self._client.lrange(keys.outages, -OUTAGES_SHOWN, -1))
            parts.append(self._client.hget(keys.time, "stopped"))
        found = await self._asked(*parts)
        began: list[tuple[int, int]] = []
        for entries, stopped in zip(found[::2], found[1::2], strict=True):
            began += in_unix_ms(entries, int(stopped or 0))
        return merged(began)[:OUTAGES_SHOWN]

    async def _act(
        self, act: Act, key: str, what: str, field: str = "", value: str | bytes = "", keep_ms: int = 0
    ) -> None:
        if len(act.words) > TEXT_LIMIT or len(act.target) > TEXT_LIMIT or not act.who:
            raise Refusal("bad_request", f"Words have at most {TEXT_LIMIT} characters.")
        keys, since = (key, OPERATOR_KEYS.acts), _now_ms() - self._acts_keep_ms
        await self._store.run(
            "operate", keys, (what, field, value, keep_ms, act.SerializeToString(), ACTS_KEPT, since)
        )
        log.warning("operator_act", who=act.who, what=act.what, target=act.target, words=act.words)

    @staticmethod
    async def _asked(*asked: Any) -> list[Any]:
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                return list(await asyncio.gather(*asked))
        except (RedisError, OSError) as error:
            if is_passing(error):
                raise Refusal("unavailable") from error
            raise


def in_unix_ms(entries: Sequence[bytes], stopped_us: int) -> list[tuple[int, int]]:
    """A shard's outages ("began lasted" by shard time, in microseconds) as (began, lasted) in Unix time.

    Shard time stands still in an outage, so that it is behind by all that came before; ``stopped_us`` is what
    it is behind by now.
    """
    found: list[tuple[int, int]] = []
    behind_us = stopped_us
    for entry in reversed(entries):
        began, lasted = (int(part) for part in entry.split(b" "))
        behind_us -= lasted
        found.append(((began + behind_us) // 1000, lasted // 1000))
    return found


def merged(began: Iterable[tuple[int, int]]) -> list[OutageRecord]:
    """Outages of several shards that began together as one, the newest first."""
    records: list[OutageRecord] = []
    for at_ms, lasted_ms in sorted(began):
        last = records[-1] if records else None
        if last is not None and at_ms - last.at_ms <= SAME_OUTAGE_MS:
            last.shards += 1
            last.lasted_ms = max(last.lasted_ms, lasted_ms)
        else:
            records.append(OutageRecord(at_ms=at_ms, lasted_ms=lasted_ms, shards=1))
    return records[::-1]
