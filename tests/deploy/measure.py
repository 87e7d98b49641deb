"""What each process of a running whole takes: `python -m tests.deploy.measure TABLES SECONDS`; one JSON line.

At each table, every second one of fog, one person plays with computers, a move every two seconds or so. The
sizes that containers ask for in deploy/kubernetes and docker-compose.yml come from it. Linux only: it reads
/proc.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

from tests.kit.browser import Browser, Refused
from tests.kit.whole import Whole
from tests.load.measure import cpu_s, rss_bytes

PACE_S = 2.0
WARM_UP_S = 10.0


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += family(int(child))
    return found


async def person(browser: Browser, dice: Random, variant: str) -> None:
    """Plays whatever is legal, table after table, until cancelled."""
    while True:
        await browser.command("play_now", variant=variant, name="Kari", seat=0, level=3)
        match = await browser.wait_for(lambda b: b.match, 60.0)
        while not match["result"]:
            await asyncio.sleep(dice.uniform(0.5, 1.5) * PACE_S)
            moves = [origin + targets[0] for origin, targets in match["legal"]["from"].items() if targets]
            try:
                if moves:
                    await browser.move(dice.choice(moves))
            except Refused:  # the other board has ended the match, or it was not this seat's turn
                continue


def moves_seen(browsers: list[Browser]) -> int:
    """The moves made at all tables so far: each person sees those of one."""
    return sum(
        len(frame.get("moves", ()))
        for browser in browsers
        for frame in browser.frames
        if frame["t"] == "delta"
    )


async def measure(tables: int, seconds: float) -> dict[str, Any]:
    """Moves a second, and each process' resident memory at the end and its share of one core meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            whole = await stack.enter_async_context(Whole(Path(folder)))
            browsers = [await stack.enter_async_context(Browser(whole.url)) for _ in range(tables)]
            people = asyncio.gather(
                *(
                    person(browser, Random(number), ("tandem", "fog")[number % 2])
                    for number, browser in enumerate(browsers)
                )
            )
            stack.callback(people.cancel)
            await asyncio.sleep(WARM_UP_S)
            note = whole.processes
            pids = {name: family(entry["pid"]) for name, entry in note["services"].items()}
            pids["store"] = family(note["store"]["pid"])
            seen = moves_seen(browsers)
            before = {name: sum(map(cpu_s, own)) for name, own in pids.items()}
            await asyncio.sleep(seconds)
            if people.done() and tables:
                people.result()
            figures: dict[str, Any] = {"moves_s": round((moves_seen(browsers) - seen) / seconds, 1)}
            for name, own in pids.items():
                figures[name] = {
                    "memory_mb": round(sum(map(rss_bytes, own)) / 1e6, 1),
                    "cores": round((sum(map(cpu_s, own)) - before[name]) / seconds, 3),
                }
            return figures


def main() -> None:
    tables, seconds = int(sys.argv[1]), float(sys.argv[2])
    figures = asyncio.run(measure(tables, seconds))
    print(json.dumps({"tables": tables, "seconds": seconds, **figures}))  # noqa: T201 - for who measures


if __name__ == "__main__":
    main()
