"""A client of a Redis Cluster that keeps nothing back: no hidden retries of what may have been done.

A command goes to the master of its first key's slot. What a node says has moved is asked where it moved to,
once. After a connection was lost the map is learned anew before the next command; the lost one is the
caller's to judge, as with a single server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

from redis.asyncio import Redis
from redis.commands import AsyncCoreCommands
from redis.exceptions import ClusterDownError, MovedError, RedisError
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import TimeoutError as StoreTimeoutError

from libs.store.slots import Address, SlotMap, Word, slot_of

LEARN_WITHIN_S = 1.0
LEARN_PAUSE_S = 0.1
LOST = (StoreConnectionError, StoreTimeoutError, OSError, asyncio.CancelledError)


class Cluster(AsyncCoreCommands):
    """All masters as one client. ``open_node`` makes the client of one node, with its own connections."""

    _is_async_client: Literal[True] = True
    _event_dispatcher: Any = None

    def __init__(self, seeds: list[Address], open_node: Callable[[Address], Redis]) -> None:
        self._seeds = seeds
        self._open_node = open_node
        self._nodes: dict[Address, Redis] = {}
        self._map = SlotMap()
        self._is_stale = True
        self._learning = asyncio.Lock()
        self._learned_at = float("-inf")

    async def aclose(self) -> None:
        """Close the connections to all nodes."""
        for node in self._nodes.values():
            await node.aclose()

    async def execute_command(self, *words: Word, **options: Any) -> Any:
        """One command to the master of its slot."""
        slot = slot_of(words)
        node = await self.master_of(slot)
        try:
            return await cast(Any, node).execute_command(*words, **options)
        except MovedError as moved:
            self.note_moved(moved)
        except (*LOST, ClusterDownError):
            self.doubt()
            raise
        node = await self.master_of(slot)
        return await cast(Any, node).execute_command(*words, **options)

    def pipeline(self, transaction: bool = False) -> ClusterPipeline:
        """Commands that are sent together, to each node those that are its own."""
        if transaction:
            raise ValueError("A cluster has no transactions over several slots; use a script.")
        return ClusterPipeline(self)

    async def masters(self) -> list[Redis]:
        """The client of every master, the one of the lowest slot first."""
        if self._is_stale:
            await self._learn()
        return [self._node(address) for address in self._map.masters]

    def doubt(self) -> None:
        """A connection was lost: the map is learned anew before it is used again."""
        self._is_stale = True

    def note_moved(self, moved: MovedError) -> None:
        """A node has said where a slot is now."""
        self._map.move(int(moved.slot_id), (str(moved.host), int(moved.port)))
        self._is_stale = True

    def _node(self, address: Address) -> Redis:
        if address not in self._nodes:
            self._nodes[address] = self._open_node(address)
        return self._nodes[address]

    async def master_of(self, slot: int | None) -> Redis:
        """The master of a slot; raises a store's ConnectionError when nobody is known to have it."""
        if self._is_stale:
            await self._learn()
        address = self._map.find(slot)
        if address is None:
            self._is_stale = True
            raise StoreConnectionError(f"No node of the cluster is known to have slot {slot}.")
        return self._node(address)

    async def _learn(self) -> None:
        """Ask whoever answers for the map, at most once in a while; keep the old one when nobody does."""
        loop = asyncio.get_running_loop()
        async with self._learning:
            if not self._is_stale or loop.time() - self._learned_at < LEARN_PAUSE_S:
                return
            self._learned_at = loop.time()
            for address in dict.fromkeys((*self._map.masters, *self._nodes, *self._seeds)):
                try:
                    async with asyncio.timeout(LEARN_WITHIN_S):
                        answer = await cast(Any, self._node(address)).execute_command("CLUSTER SLOTS")
                except (RedisError, OSError):
                    continue
                if answer:
                    self._map.learn(answer, address)
                    self._is_stale = False
                    return


@dataclass(slots=True)
class Unit:
    """A command with a key, and those without keys behind it: they go over the same connection."""

    slot: int | None
    places: list[int]


class ClusterPipeline(AsyncCoreCommands):
    """Gathers commands; ``execute`` answers them in their order."""

    _is_async_client: Literal[True] = True
    _event_dispatcher: Any = None

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._commands: list[tuple[tuple[Word, ...], dict[str, Any]]] = []

    def execute_command(self, *words: Word, **options: Any) -> ClusterPipeline:
        self._commands.append((words, options))
        return self

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send them; raises the first error among the answers, or gives it in its place."""
        answers: list[Any] = [None] * len(self._commands)
        units = self._units()
        await self._run(units, answers)
        moved = [unit for unit in units if isinstance(answers[unit.places[0]], MovedError)]
        for unit in moved:
            self._cluster.note_moved(answers[unit.places[0]])
        await self._run(moved, answers)
        for answer in answers:
            if raise_on_error and isinstance(answer, Exception):
                raise answer
        return answers

    def _units(self) -> list[Unit]:
        units: list[Unit] = []
        for place, (words, _) in enumerate(self._commands):
            slot = slot_of(words)
            if slot is None and units:
                units[-1].places.append(place)
            else:
                units.append(Unit(slot, [place]))
        return units

    async def _run(self, units: list[Unit], answers: list[Any]) -> None:
        by_node: dict[Redis, list[int]] = {}
        for unit in units:
            node = await self._cluster.master_of(unit.slot)
            by_node.setdefault(node, []).extend(unit.places)
        try:
            results = await asyncio.gather(*(self._send(node, places) for node, places in by_node.items()))
        except LOST:
            self._cluster.doubt()
            raise
        for places, found in zip(by_node.values(), results, strict=True):
            for place, answer in zip(places, found, strict=True):
                answers[place] = answer

    async def _send(self, node: Redis, places: list[int]) -> list[Any]:
        pipeline: Any = node.pipeline(transaction=False)
        for place in places:
            words, options = self._commands[place]
            pipeline.execute_command(*words, **options)
        found: list[Any] = await pipeline.execute(raise_on_error=False)
        return found
