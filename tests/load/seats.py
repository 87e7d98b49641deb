"""How many bot seats a core serves, and how fast: `python -m tests.load.seats --tables 40 --level 3`.

People sit at tables whose other seats are bots, in games with the usual clocks (tandem: three minutes), move
at random after a second or so, and begin anew when a game is over. One worker with one search process plays
all bots. One JSON line: seats played, what the worker and its search took of a core, how long a choice took
with the wait for the search process and without the pacing (`reply_ms`, of buckets the upper bound), which
part of its nodes a search was given, moves from a glance instead, and games that a bot lost on time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.kit.browser import Browser, Frame, Refused
from tests.kit.whole import Whole
from tests.load.measure import bucket_quantiles, cpu_s, families, histograms
from tests.load.run import UNLIMITED

SETTINGS = {**UNLIMITED, "TANDEMFOG_BOTS_SEARCH_PROCESSES": "1", "TANDEMFOG_BOTS_SEATS": "4000"}
WARM_S = 20.0
REPLY = "tandemfog_bots_choose_seconds"
PERSON_S = (0.5, 2.5)
"""Between these a person takes for a move."""


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sorted({int(child) for task in tasks for child in (task / "children").read_text().split()})


def sums(port: int) -> dict[str, float]:
    """Every counter, gauge, and total of a histogram of a service, by the name and the labels."""
    return {
        " ".join((sample.name.removeprefix("tandemfog_bots_"), *sorted(sample.labels.values()))): sample.value
        for family in families(port)
        for sample in family.samples
        if not sample.name.endswith("_bucket")
    }


def any_move(match: Frame, dice: Random) -> tuple[str, int] | None:
    """A legal move of White on board A, by lot, and the ply that it answers; None while there is none."""
    legal, board = match["legal"], match["boards"]["A"]
    moves = []
    for origin, targets in legal["from"].items():
        is_pawn = board["pieces"][(8 - int(origin[1])) * 8 + ord(origin[0]) - ord("a")] == "P"
        moves += [f"{origin}{target}{'q' if is_pawn and target[1] == '8' else ''}" for target in targets]
    for kind in set((board["hands"] or [""])[0]):
        moves += [f"{kind}@{square}" for square in legal["drops"]["pawns" if kind == "P" else "pieces"]]
    return (dice.choice(moves), legal["ply"]) if moves else None


class Person:
    """Somebody who plays bots at one table after the other."""

    def __init__(self, url: str, variant: str, level: int, dice: Random) -> None:
        self._url, self._variant, self._level, self._dice = url, variant, level, dice
        self.ended: Counter[str] = Counter()

    async def play(self, until_s: float) -> None:
        """Until the monotonic instant."""
        while time.monotonic() < until_s:
            async with Browser(self._url) as browser:
                await browser.command(
                    "play_now", variant=self._variant, level=self._level, seat=0, timeout_s=60.0
                )
                await browser.wait_for(lambda page: page.match, 60.0)
                await self._game(browser, until_s)

    async def _game(self, browser: Browser, until_s: float) -> None:
        while time.monotonic() < until_s:
            match = browser.match
            assert match is not None
            if match["result"] is not None:
                ran_out = match["clocks"] is not None and min(match["clocks"]["remaining_ms"][1:]) <= 0
                self.ended["bot lost on time" if ran_out else match["result"]["reason"]] += 1
                return
            found = any_move(match, self._dice)
            version = match["version"]
            if found is None:
                await self._news(browser, version, until_s)
                continue
            await asyncio.sleep(self._dice.uniform(*PERSON_S))
            uci, ply = found
            with suppress(Refused):  # over, most likely
                await browser.command("move", board="A", ply=ply, uci=uci)

    async def _news(self, browser: Browser, version: int, until_s: float) -> None:
        def is_new(page: Browser) -> bool:
            return page.match is not None and page.match["version"] > version

        with suppress(TimeoutError):
            await browser.wait_for(is_new, max(0.1, until_s - time.monotonic()))


async def run(tables: int, seconds: float, level: int, variant: str) -> dict[str, Any]:
    """Starts a stack of its own, lets it warm up, and counts for so long."""
    dice = Random(7)
    with tempfile.TemporaryDirectory(prefix="seats-") as folder:
        async with Whole(Path(folder), SETTINGS) as whole:
            worker = whole.processes["services"]["bots"]
            people = [Person(whole.url, variant, level, Random(dice.random())) for _ in range(tables)]
            until_s = time.monotonic() + WARM_S + seconds
            playing = [asyncio.create_task(_staggered(person, until_s, dice.random())) for person in people]
            await asyncio.sleep(WARM_S)
            counted = await _count(int(worker["pid"]), int(worker["metrics_port"]), seconds)
            await asyncio.gather(*playing)
    ended = sum((person.ended for person in people), Counter[str]())
    return {
        "variant": variant,
        "level": level,
        "tables": tables,
        "seconds": seconds,
        **counted,
        "ended": ended,
        "ok": not ended["bot lost on time"],
    }


async def _staggered(person: Person, until_s: float, share: float) -> None:
    await asyncio.sleep(share * WARM_S / 2)
    await person.play(until_s)


async def _count(pid: int, port: int, seconds: float) -> dict[str, Any]:
    names = (REPLY,)
    processes = children(pid)
    before, spent = sums(port), (cpu_s(pid), sum(map(cpu_s, processes)))
    replies, seats, began_s = histograms(port, names)[REPLY], list[float](), time.monotonic()
    while time.monotonic() - began_s < seconds - 1:
        await asyncio.sleep(1.0)
        seats.append(sums(port)["seats"])
    lasted_s = time.monotonic() - began_s
    after = sums(port)
    of_worker = (cpu_s(pid) - spent[0]) / lasted_s
    of_search = (sum(map(cpu_s, processes)) - spent[1]) / lasted_s

    def between(name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    chosen, searches = between("choose_seconds_count"), max(1.0, between("budget_share_count"))
    mean_seats = sum(seats) / len(seats)
    return {
        "seats": round(mean_seats, 1),
        "moves": round(between("moves_total done")),
        "worker_core": round(of_worker, 3),
        "search_core": round(of_search, 3),
        "seats_per_core": round(mean_seats / (of_worker + of_search), 1),
        "reply_ms": bucket_quantiles(replies, histograms(port, names)[REPLY]),
        "reply_mean_ms": round(1000 * between("choose_seconds_sum") / max(1.0, chosen), 1),
        "node_share_mean": round(between("budget_share_sum") / searches, 3),
        "glances": {why: round(between(f"fallbacks_total {why}")) for why in ("late", "overloaded")},
        "choices": round(chosen),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.load.seats", description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--variant", choices=("tandem", "fog"), default="tandem")
    result = asyncio.run(run(**vars(parser.parse_args())))
    print(json.dumps(result), flush=True)  # noqa: T201 - the line that was asked for
    sys.exit(0 if result["ok"] else 1)
