"""A real Prometheus on a running whole: every query of dashboards and alerts has data, and a crash is told.

`make monitoring` runs it; it takes one to two minutes.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
import yaml

from scripts.dashboards import DASHBOARDS
from tests.kit.browser import Browser, Refused
from tests.kit.metrics import OF_SERVICES, documented
from tests.kit.prometheus import RULES, Prometheus
from tests.kit.table import full_table
from tests.kit.whole import Whole

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

RATES = "30s"
REQUEST_ID = "rid-of-one-move"
# What has no sample before something of the kind has happened.
QUIET = {
    "tandemfog_bots_fallbacks_total",
    "tandemfog_game_feed_rejoins_total",
}
CRITICAL = {"ServiceDown", "ServiceMissing", "StoreDown", "NoBotWorker", "CommitErrors", "StoreAofErrors"}
NAME = re.compile(r"[A-Za-z][A-Za-z_]{0,39}")
# Labels whose values are no names in our code, and what they may be.
OTHER_LABELS = {
    "le": re.compile(r"[0-9.e+]+|\+Inf"),
    "node": re.compile(r"[0-9]{1,2}"),
    "shard": re.compile(r"[0-9]{1,2}"),
    "version": re.compile(r"\d+\.\d+\.\d+"),
    "commit": re.compile(r"[0-9a-f]{7,12}|unknown"),
}
SAMPLE = re.compile(r"^(tandemfog_\w+?)(?:\{(.*)\})? \S+$")


def hasty(rules: str) -> str:
    """The rules with short patience, as fits a test."""
    return re.sub(r"\bfor: \w+", "for: 1s", rules)


class Watched:
    """The whole under light load, and Prometheus beside it."""

    def __init__(self, whole: Whole, prometheus: Prometheus) -> None:
        self.whole = whole
        self.prometheus = prometheus

    async def until(self, wanted: set[str], gone: bool = False, within_s: float = 40.0) -> None:
        """Waits until these alerts fire, or none of them does any more."""
        async with asyncio.timeout(within_s):
            while (firing := await self.prometheus.firing() & wanted) != (set() if gone else wanted):
                await asyncio.sleep(0.3)
                assert firing <= wanted


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def watched(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Watched]:
    folder = tmp_path_factory.mktemp("monitoring")
    environment = {"TANDEMFOG_LOG_LEVEL": "debug", "TANDEMFOG_BOTS_PACE": "0.2"}
    async with AsyncExitStack() as stack:
        whole = await stack.enter_async_context(Whole(folder / "var", environment))
        targets = {
            name: [f"127.0.0.1:{entry['metrics_port']}"]
            for name, entry in whole.processes["services"].items()
        }
        rules = hasty("".join(path.read_text() for path in RULES))
        prometheus = await stack.enter_async_context(Prometheus(folder, targets, rules))
        await asyncio.sleep(3)  # counters begin at 0 before anything happens
        load = asyncio.create_task(keep_busy(whole.url))
        await stack.enter_async_context(played(whole.url))
        await asyncio.sleep(8)  # a few scrapes more
        yield Watched(whole, prometheus)
        load.cancel()
        await asyncio.gather(load, return_exceptions=True)


@asynccontextmanager
async def played(url: str) -> AsyncIterator[None]:
    """Something of everything that is measured has happened, and tables stay."""
    async with AsyncExitStack() as stack:
        tandem = await stack.enter_async_context(full_table(url, variant="tandem"))
        await tandem[0].move("e2e4", request_id=REQUEST_ID)
        with suppress(Refused):
            await tandem[2].move("e2e5")
        await tandem[3].command("say", quick="need_knight")
        table = tandem[0].match["table"] if tandem[0].match else ""
        spectator = await stack.enter_async_context(Browser(url))
        await spectator.join(table)
        await spectator.send("nonsense")
        # A reconnect: the same seat over a new connection, from where it was.
        await tandem[1].wait_for(lambda page: page.match and page.match["boards"]["A"]["ply"] == 1)
        match, place = tandem[1].match, tandem[1].place
        assert match is not None
        assert place is not None
        await tandem[1].connect()
        await tandem[1].join(table, place[2], version=match["version"], epoch=match["epoch"])
        async with full_table(url, variant="fog") as fog:
            await fog[0].move("e2e4")
            await fog[1].command("resign")
        waiting = [await stack.enter_async_context(Browser(url)) for _ in range(3)]
        for browser in waiting[:2]:
            await browser.command("quick_play", variant="fog")
        for browser in waiting[:2]:
            await browser.wait_for(lambda page: page.match, 20.0)
        await waiting[2].command("quick_play", variant="tandem")
        alone = await stack.enter_async_context(Browser(url))
        await alone.command("play_now", variant="tandem", time={"initial_ms": 3_600_000, "increment_ms": 0})
        yield


async def keep_busy(url: str) -> None:
    """Two tables that are played at by browsers without end, one of each kind."""

    def turn(board: str, colour: int) -> Callable[[Browser], bool]:
        return lambda page: page.match is not None and page.match["boards"][board]["ply"] % 2 == colour

    async def tandem() -> None:
        while True:
            async with full_table(url, variant="tandem") as browsers:
                for uci in ("g1f3", "g8f6", "f3g1", "f6g8") * 25:
                    colour = 0 if uci in ("g1f3", "f3g1") else 1
                    for seat in (colour, 2 + colour):
                        board = "AB"[seat // 2]
                        await browsers[seat].wait_for(turn(board, colour))
                        await browsers[seat].move(uci)
                    await asyncio.sleep(0.2)

    while True:
        with suppress(Refused, ConnectionError, TimeoutError, aiohttp.ClientError, OSError):
            await tandem()
        await asyncio.sleep(0.5)


async def test_every_panel_has_data_or_says_that_it_is_empty_when_all_is_well(watched: Watched) -> None:
    empty = []
    for dashboard in DASHBOARDS:
        for panel in dashboard.panels:
            for expression, _ in panel.queries:
                found = await watched.prometheus.query(expression.replace("$__rate_interval", RATES))
                numbers = [sample for sample in found if sample["value"][1] != "NaN"]
                if not numbers and not panel.says:
                    empty.append(f"{dashboard.title} / {panel.title}: {expression}")
    assert not empty, "\n".join(empty)


async def test_every_alert_asks_for_metrics_that_there_are_and_none_that_is_critical_fires(
    watched: Watched,
) -> None:
    known = {entry["metric"] for entry in await watched.prometheus.ask("targets/metadata")}
    for path in RULES:
        for group in yaml.safe_load(path.read_text())["groups"]:
            for rule in group["rules"]:
                await watched.prometheus.query(rule["expr"])
                named = set(re.findall(r"\btandemfog_[a-z_]+", re.sub(r'=~"[^"]*"', "", rule["expr"])))
                for name in named:
                    family = re.sub(r"_(total|bucket|sum|count)$", "", name)
                    assert {name, family} & known, (rule["alert"], name)
                    if name not in QUIET:
                        assert await watched.prometheus.query(name), (rule["alert"], name)
    assert not await watched.prometheus.firing() & CRITICAL


async def test_the_running_services_expose_what_the_page_lists_and_nothing_else(watched: Watched) -> None:
    exposed = {}
    async with aiohttp.ClientSession() as session:
        for service, entry in watched.whole.processes["services"].items():
            async with session.get(f"http://127.0.0.1:{entry['metrics_port']}/metrics") as answer:
                text = await answer.text()
            found = re.findall(r"^# TYPE (tandemfog_\w+) (\w+)$", text, re.MULTILINE)
            assert all(name.startswith(f"tandemfog_{service}_") for name, _ in found)
            exposed.update(dict(found))
            for line in text.splitlines():
                sample = SAMPLE.match(line)
                if sample is None:
                    continue
                for label, value in re.findall(r'(\w+)="([^"]*)"', sample[2] or ""):
                    allowed = OTHER_LABELS.get(label, NAME)
                    assert allowed.fullmatch(value), line
    assert watched.whole.processes["services"].keys() == OF_SERVICES.keys()
    assert exposed == {metric.name: metric.kind for metric in documented()}


async def test_openmetrics_names_the_request_of_a_slow_move(watched: Watched) -> None:
    accept = {"Accept": "application/openmetrics-text; version=1.0.0"}
    async with aiohttp.ClientSession() as session:
        for service, metric in (("gateway", "command_seconds"), ("game", "receipt_to_commit_seconds")):
            port = watched.whole.processes["services"][service]["metrics_port"]
            async with session.get(f"http://127.0.0.1:{port}/metrics", headers=accept) as answer:
                assert answer.content_type == "application/openmetrics-text"
                text = await answer.text()
            assert text.endswith("# EOF\n")
            named = re.search(rf'{metric}_bucket{{.*}} \S+ # {{request_id="([^"]+)"}}', text)
            assert named, metric
            assert re.fullmatch(r"[0-9a-f]{12}\.[\w-]+", named[1])


async def test_one_moves_request_id_runs_through_the_logs_of_gateway_and_game(watched: Watched) -> None:
    for service, event in (("gateway", "command"), ("game", "call")):
        lines = (watched.whole.var / "log" / f"{service}.log").read_text().splitlines()
        own: list[dict[str, Any]] = [json.loads(line) for line in lines if REQUEST_ID in line]
        ids = {line["request_id"] for line in own}
        assert len(ids) == 1
        assert ids.pop().endswith(f".{REQUEST_ID}")
        assert event in {line["event"] for line in own}


async def test_a_service_that_is_killed_fires_its_alert_and_play_goes_on_after_it(watched: Watched) -> None:
    whole = watched.whole
    launcher = whole.processes["launcher"]
    os.kill(launcher, signal.SIGSTOP)  # else the dead are replaced before anybody notices
    try:
        whole.kill("bots")
        await watched.until({"ServiceDown", "NoBotWorker", "BotSeatsWaiting"})
        assert "ServiceMissing" not in await watched.prometheus.firing()
        whole.kill("game")
        await watched.until({"ServiceDown", "ServiceMissing"})
    finally:
        os.kill(launcher, signal.SIGCONT)
    await watched.until({"ServiceDown", "ServiceMissing", "NoBotWorker"}, gone=True)
    await watched.until({"OutageRecorded"})
