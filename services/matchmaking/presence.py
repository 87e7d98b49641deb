"""Who is connected at tables that have not started, as the gateways report it (B-link)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable

from gen.tandemfog.types.v1 import types_pb2
from services.matchmaking.store import Store
from services.matchmaking.table import Table, hear


async def report_presence(store: Store, seats: Iterable[types_pb2.SeatPresence]) -> None:
    """Note what a gateway reports; a seat is free again some time after the last report of a connection."""
    connections: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for report in seats:
        connections[report.match_id][report.seat] = report.connections > 0
    found = await store.load_many(connections)
    unstarted = [loaded.table for loaded in found.values() if loaded.table.state in ("open", "countdown")]
    await asyncio.gather(*(_note(store, table, connections[table.table_id]) for table in unstarted))


async def _note(store: Store, table: Table, connected: dict[int, bool]) -> None:
    present = [number for number, here in connected.items() if here and number < len(table.seats)]
    if present:
        await store.hear(table.table_id, present)

    def hear_all(table: Table, now_ms: int) -> Table:
        for number, here in connected.items():
            table = hear(table, number, here, now_ms)
        return table

    if hear_all(table, 0) is not table:
        await store.change(table.table_id, hear_all)
