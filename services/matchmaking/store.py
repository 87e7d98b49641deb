"""Tables in the store: values, changed by compare-and-set, so that any replica may serve any table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, cast

from libs.identity.ids import is_table_id, shard_of
from libs.runtime.refusals import Refusal
from libs.store.answers import answered
from libs.store.connect import asked_together, open_client
from libs.store.scripts import ScriptMetrics, ScriptRunner
from services.matchmaking import scripts
from services.matchmaking.forms import read, written
from services.matchmaking.keys import (
    SHARDS,
    bots_key,
    changes_key,
    counts_key,
    due_key,
    leases_key,
    open_key,
    running_key,
    table_key,
)
from services.matchmaking.life import TAKEN_OVER_MS, counted, due_at
from services.matchmaking.table import Decision, Limits, Table

TRIES = 8
"""Attempts at one change before it is refused as busy."""
CONNECTIONS = 32
ANSWER_WITHIN_S = 2.0
LIFETIME_MS = 8 * 24 * 3_600_000
CLOSED_LIFETIME_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as the store has it, when its seats were last connected, and the store's time."""

    table: Table
    heard: dict[int, int]
    now_ms: int


@asynccontextmanager
async def connected(url: str, metrics: ScriptMetrics) -> AsyncIterator[ScriptRunner]:
    """Who runs scripts in the store; other commands are bounded by who gives them (libs.store.connect)."""
    client = open_client(url, CONNECTIONS, ANSWER_WITHIN_S)
    try:
        yield ScriptRunner(client, ANSWER_WITHIN_S, metrics)
    finally:
        await client.aclose()


class Store:
    """Tables by id. Raises Refusal("unavailable") when the store does not answer.

    A table is forgotten ``keep_ms`` after its last match; ``changes_length`` changes of a shard are kept.
    ``changed`` is called whenever a table is saved.
    """

    def __init__(
        self,
        runner: ScriptRunner,
        limits: Limits,
        *,
        status_ms: int,
        keep_ms: int,
        changes_length: int,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._runner = runner
        self._client = runner.client
        self._shards = asked_together(runner.client, SHARDS)
        self._limits = limits
        self._status_ms = status_ms
        self._keep_ms = keep_ms
        self._changes_length = changes_length
        self._changed = changed

    async def load(self, table_id: str) -> Loaded | None:
        """Return the table, or None; raises Refusal("unavailable") for one of a newer form."""
        if not is_table_id(table_id):
            return None
        return _read(await self._runner.run(scripts.LOAD, (table_key(table_id),)))

    async def load_many(self, table_ids: Iterable[str]) -> dict[str, Loaded]:
        """Return those of the tables that there are, without any of a newer form."""
        wanted = [table_id for table_id in dict.fromkeys(table_ids) if is_table_id(table_id)]
        answers = await self._runner.run_each(
            scripts.LOAD, (((table_key(table_id),), ()) for table_id in wanted)
        )
        found = {}
        for table_id, answer in zip(wanted, answers, strict=True):
            with suppress(Refusal):
                loaded = _read(answer)
                if loaded is not None:
                    found[table_id] = loaded
        return found

    async def need(self, table_id: str) -> Loaded:
        """Return the table; raises Refusal("unknown_table")."""
        loaded = await self.load(table_id)
        if loaded is None:
            raise Refusal("unknown_table")
        return loaded

    async def create(self, table: Table, now_ms: int) -> None:
        """Keep a new table; does nothing when there is one of that id, so that it may be repeated."""
        await self._save(None, replace(table, version=1), {}, now_ms)

    async def change(self, table_id: str, decide: Decision) -> Loaded:
        """Decide and commit, again when somebody was quicker; raises what ``decide`` raises, and busy."""
        for _ in range(TRIES):
            loaded = await self.need(table_id)
            changed = decide(loaded.table, loaded.now_ms)
            if changed is loaded.table or changed == loaded.table:
                return loaded
            changed = replace(changed, version=loaded.table.version + 1)
            if await self._save(loaded.table, changed, loaded.heard, loaded.now_ms):
                return replace(loaded, table=changed)
        raise Refusal("busy")

    async def now_ms(self) -> int:
        """The store's time."""
        seconds, micros = cast(tuple[int, int], await answered(self._client.time(), ANSWER_WITHIN_S))
        return seconds * 1000 + micros // 1000

    async def hear(self, table_id: str, seats: Iterable[int]) -> None:
        """Note that these seats are connected now."""
        await self._runner.run(scripts.HEARD, (table_key(table_id),), seats)

    async def take_due(self, most: int) -> tuple[list[str], float | None]:
        """Take the due tables, for TAKEN_OVER_MS; and milliseconds until the next one, None for none."""
        keys = ([due_key(shard) for shard in shards] for shards in self._shards)
        answers = await self._runner.run_each(
            scripts.TAKE_DUE, ((each, (most, TAKEN_OVER_MS)) for each in keys)
        )
        waits = [float(wait) for wait, _ in answers if float(wait) >= 0]
        return [table_id.decode() for _, due in answers for table_id in due], min(waits, default=None)

    async def postpone(self, table_id: str, pause_ms: int) -> None:
        """Look at the table again after a while; one that is gone is forgotten."""
        keys = (due_key(shard_of(table_id)), table_key(table_id))
        await self._runner.run(scripts.POSTPONE, keys, (table_id, pause_ms, LIFETIME_MS))

    async def listed(self, limit: int) -> list[Loaded]:
        """Public tables: those not started, then those running, each newest first.

        Those running have half of the room if they need it.
        """
        pipeline = self._client.pipeline(transaction=False)
        for name in (open_key, running_key):
            for shard in SHARDS:
                pipeline.zrange(name(shard), 0, limit - 1, desc=True, withscores=True)
        answers = await answered(pipeline.execute(), ANSWER_WITHIN_S)
        waiting, running = (
            [name.decode() for _, name in sorted(((at, name) for shard in part for name, at in shard))[::-1]]
            for part in (answers[: len(SHARDS)], answers[len(SHARDS) :])
        )
        waiting = waiting[: limit - min(len(running), limit // 2)]
        ids = (waiting + running)[:limit]
        found = await self.load_many(ids)
        return [found[table_id] for table_id in ids if table_id in found]

    async def _save(self, before: Table | None, table: Table, heard: dict[int, int], now_ms: int) -> bool:
        shard = shard_of(table.table_id)
        due = due_at(table, heard, now_ms, self._limits, self._status_ms)
        playing = table.state == "started" and not table.over
        # Another attempt at the same start is no news to those who wait.
        unseen = before is not None and before.state == table.state == "starting"
        bots: list[str | int] = []
        if playing and (before is None or before.state != "started"):
            for number, seat in enumerate(table.seats):
                if seat.kind == "bot":
                    bots += [number, seat.level]
        keys = (
            table_key(table.table_id),
            *(name(shard) for name in (due_key, open_key, running_key, changes_key, bots_key, leases_key)),
            counts_key(shard),
        )
        arguments = (
            table.table_id,
            before.version if before else 0,
            table.version,
            written(table),
            "" if due is None else due,
            _list(table),
            table.created_at_ms,
            self._lifetime_ms(table),
            "" if unseen else self._changes_length,
            "play" if bots else "drop" if table.over else "",
            now_ms,
            counted(table),
            *bots,
        )
        self._changed()
        return bool(await self._runner.run(scripts.SAVE, keys, arguments))

    def _lifetime_ms(self, table: Table) -> int:
        if table.state == "closed":
            return CLOSED_LIFETIME_MS
        return self._keep_ms if table.over else LIFETIME_MS


def _read(answer: Any) -> Loaded | None:
    now, flat = answer
    fields = dict(zip(flat[::2], flat[1::2], strict=True))
    if b"body" not in fields:
        return None
    heard = {int(name[6:]): int(moment) for name, moment in fields.items() if name.startswith(b"heard:")}
    return Loaded(read(fields[b"body"], Table), heard, int(now))


def _list(table: Table) -> str:
    """The list of public tables that shows it, or "". An open one where no person sits is shown to nobody."""
    if not table.terms.public or table.state == "closed" or table.over:
        return ""
    if table.state == "started":
        return "running"
    return "open" if any(seat.kind == "human" for seat in table.seats) else ""
