"""The whole scenario: tables that play, faults meanwhile, and one verdict at the end."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.allinone.plan import START_ORDER
from tests.chaos.faults import STOPS, Faults
from tests.chaos.tables import LONG_MS, Fall, FlagTable, ScriptedTable, scripted_table
from tests.chaos.verdict import (
    UNTOLD_S,
    Fault,
    are_unequal,
    is_unjust,
    is_well,
    lost_and_twice,
    recovered_late,
    waits,
)
from tests.kit.browser import Browser
from tests.kit.replicas import Replicas
from tests.kit.valkey import running_valkey

TOGETHER_WITHIN_S = 60.0
MADE_AT_ONCE = 6


@dataclass(frozen=True)
class Plan:
    """How much of everything. `pace_s`: between two moves of a board; `calm_s`: between two faults."""

    tables: int
    flag_tables: int
    rounds: int
    pause_s: float
    pace_s: float
    calm_s: float
    stops: tuple[str, ...] = tuple(STOPS)
    hangs: tuple[str, ...] = ("all gateways", "all game")
    kills: tuple[str, ...] = (*START_ORDER, "store")


async def run(plan: Plan, settings: dict[str, str] | None = None) -> dict[str, Any]:
    """Starts a stack of two of each service, does everything to it, and counts."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    try:
        with running_valkey(folder / "store") as store:
            async with Replicas(folder, store.url, settings) as stack:
                return await _play(plan, stack, Faults(store, stack))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _play(plan: Plan, stack: Replicas, faults: Faults) -> dict[str, Any]:
    async with AsyncExitStack() as clients:
        slots = asyncio.Semaphore(MADE_AT_ONCE)

        async def make(number: int) -> ScriptedTable:
            async with slots:
                return await scripted_table(clients, stack.urls, number, plan.pace_s)

        tables = await asyncio.gather(*(make(number) for number in range(plan.tables)))
        flags = [FlagTable(stack.urls, number) for number in range(plan.flag_tables)]
        until = asyncio.Event()
        playing = [asyncio.create_task(table.play(board, until)) for table in tables for board in "AB"]
        playing += [asyncio.create_task(table.run(until)) for table in flags]
        await _do(plan, faults)
        until.set()
        await asyncio.gather(*playing)
        return await _verdict(plan, tables, flags, faults)


async def _do(plan: Plan, faults: Faults) -> None:
    await asyncio.sleep(plan.calm_s)
    for number in range(plan.rounds):
        for kind in plan.kills:
            await faults.kill_one(kind, number)
            await asyncio.sleep(plan.calm_s)
    for what in plan.stops:
        await faults.stop(what, plan.pause_s)
        await asyncio.sleep(plan.calm_s)
    for what in plan.hangs:
        await faults.hang(what, plan.pause_s)
        await asyncio.sleep(plan.calm_s)


async def _verdict(
    plan: Plan, tables: list[ScriptedTable], flags: list[FlagTable], faults: Faults
) -> dict[str, Any]:
    counts = dict.fromkeys(("moves_acknowledged", "moves_lost", "moves_twice", "flags"), 0)
    counts |= dict.fromkeys(("unjust_flags", "left", "clients_apart", "boards_unequal", "gaps_untold"), 0)
    closed_s = sum(fault.closed_s for fault in faults.done)
    for table in tables:
        counts["moves_acknowledged"] += len(table.made)
        moves = [await _moves(client.browser, len(table.made)) for client in table.clients]
        counts["clients_apart"] += sum(seen != moves[0] for seen in moves)
        lost, twice = lost_and_twice(table.made, moves[0])
        counts["moves_lost"] += lost
        counts["moves_twice"] += twice
        match = table.clients[0].browser.match
        assert match is not None
        if match["result"] is not None:
            counts["unjust_flags" if match["result"]["reason"] == "time" else "left"] += 1
        counts["boards_unequal"] += are_unequal(match["clocks"], LONG_MS, len(moves[0]))
        told_s = sum(outage["length_ms"] for outage in match["outages"]) / 1000
        counts["gaps_untold"] += told_s < closed_s - UNTOLD_S * len((*plan.stops, *plan.hangs))
    falls = [fall for table in flags for fall in table.falls]
    counts["flags"] = sum(fall.reason == "time" for fall in falls)
    counts["left"] += sum(fall.reason == "leaving" for fall in falls)
    unjust = [fall for fall in falls if fall.reason == "time" and is_unjust(fall, faults.done)]
    counts["unjust_flags"] += len(unjust)
    worst = waits((move for table in tables for move in table.made), faults.done)
    counts["refused"] = sum(len(table.refused) for table in tables)
    counts["crashed"] = len(faults.crashed)
    counts["recovered_late"] = recovered_late(worst)
    returned = sum(client.resynchronised for table in tables for client in table.clients)
    return {
        "tables": len(tables),
        "faults": len(faults.done),
        **counts,
        "clients_resynchronised": returned + sum(table.resynchronised for table in flags),
        "worst_recovery_s": round(max(worst.values(), default=0.0), 2),
        "recovery_s": {what: round(waited_s, 2) for what, waited_s in sorted(worst.items())},
        "crashes": faults.crashed,
        "unjust": [_told(fall, faults.done) for fall in unjust],
        "ok": is_well(counts),
    }


def _told(fall: Fall, faults: list[Fault]) -> dict[str, float | str]:
    """A flag's instants, in seconds since the last fault that had begun before it was seen."""
    begun = [fault for fault in faults if fault.began < fall.seen_at]
    fault = begun[-1] if begun else Fault("nothing", 0.0, 0.0)
    instants = {
        "due_s": fall.due_at,
        "due_with_gaps_s": fall.due_at + fall.gaps_s,
        "seen_s": fall.seen_at,
        "open_s": fault.open_at,
    }
    return {"after": fault.what, **{name: round(at - fault.began, 2) for name, at in instants.items()}}


async def _moves(browser: Browser, count: int) -> list[dict[str, Any]]:
    """The moves that a client has once all that were acknowledged are there; fewer when they do not come."""
    with suppress(TimeoutError, ConnectionError):
        await browser.wait_for(
            lambda page: page.match and len(page.match["moves"]) >= count, TOGETHER_WITHIN_S
        )
    return list(browser.match["moves"]) if browser.match is not None else []
