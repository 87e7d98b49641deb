"""What the dashboards' numbers are under promtool: what a server that is well and alone does not try."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.dashboards import DASHBOARDS
from tests.kit.alert_cases import NOT_KNOWN, Series, grows, stays
from tests.kit.prometheus import program

AT = "8m"


@dataclass(frozen=True, slots=True)
class Shown:
    """`values` by labels, as promtool writes those, of a panel's first query eight minutes in."""

    title: str
    name: str
    series: Series
    values: dict[str, float]


def alert(name: str, labels: str = "", state: str = "firing") -> Series:
    return {f'ALERTS{{alertname="{name}",alertstate="{state}"{labels}}}': stays(1)}


def up(**values: int) -> Series:
    return {
        f'up{{job="{job.replace("_", "-")}",instance="a"}}': stays(value) for job, value in values.items()
    }


TABLES = "tandemfog_matchmaking_tables_now"
STOPPED = "tandemfog_game_stopped_seconds"
STOOD_STILL = "Time stood still, last 24 h"
OURS = ',app="tandemfog",severity="critical"'
BEFORE_AND_AFTER = "{}x10 {}x40"

CASES = [
    Shown("Alerts", "only another's, which always fires", alert("Watchdog"), {"{}": 0}),
    Shown(
        "Alerts",
        "one of ours, and one that does not fire yet",
        alert("Watchdog") | alert("StoreDown", OURS) | alert("BotsRescued", OURS, "pending"),
        {"{}": 1},
    ),
    Shown(
        "Alerts that fire now",
        "one of ours and another's",
        alert("Watchdog") | alert("StoreDown", OURS),
        {'{alertname="StoreDown", severity="critical"}': 1},
    ),
    Shown("Replicas that do not answer", "another's target", up(game=1, node_exporter=0), {"{}": 0}),
    Shown("Replicas that do not answer", "one of ours", up(game=1, gateway=0, bots=0), {"{}": 2}),
    Shown(
        "CPU",
        "ours beside another's",
        {f'process_cpu_seconds_total{{job="{job}"}}': grows(15) for job in ("game", "node-exporter")},
        {'{job="game"}': 1},
    ),
    Shown(
        "Memory",
        "ours beside another's",
        {f'process_resident_memory_bytes{{job="{job}"}}': stays(5) for job in ("game", "node-exporter")},
        {'{job="game"}': 5},
    ),
    Shown(
        "Tables with a match",
        "one replica counts, one is cut off from the store",
        {
            f'{TABLES}{{state="started",variant="fog",instance="a"}}': NOT_KNOWN,
            f'{TABLES}{{state="started",variant="fog",instance="b"}}': stays(7),
        },
        {"{}": 7},
    ),
    Shown(
        "Tables with a match",
        "nobody knows",
        {f'{TABLES}{{state="started",variant="fog",instance="a"}}': NOT_KNOWN},
        {},
    ),
    Shown(
        "Store answers",
        "game alone",
        {
            'tandemfog_game_store_up{instance="a"}': stays(1),
            'tandemfog_matchmaking_store_up{instance="b"}': stays(0),
        },
        {"{}": 0},
    ),
    Shown(
        STOOD_STILL,
        "a shard for 5 s, beside one that has stood still for far longer before",
        {
            f'{STOPPED}{{shard="{shard}",instance="{replica}"}}': BEFORE_AND_AFTER.format(before, after)
            for shard, before, after in (("0", 100, 100), ("1", 2, 7))
            for replica in "ab"
        },
        {"{}": 5},
    ),
    Shown(
        STOOD_STILL,
        "never",
        {f'{STOPPED}{{shard="{shard}"}}': stays(before) for shard, before in (("0", 100), ("1", 2))},
        {"{}": 0},
    ),
]


def query_of(title: str) -> str:
    """The first query of the panel of this title, on the dashboard that has it first."""
    panels = (panel for dashboard in DASHBOARDS for panel in dashboard.panels)
    return next(panel.queries[0][0] for panel in panels if panel.title == title)


@pytest.mark.parametrize("shown", CASES, ids=lambda shown: f"{shown.title}: {shown.name}")
def test_a_panel_shows_what_its_case_says(shown: Shown, tmp_path: Path) -> None:
    wanted = [{"labels": labels, "value": value} for labels, value in shown.values.items()]
    query = query_of(shown.title).replace("$__rate_interval", "1m")
    test = {
        "interval": "15s",
        "input_series": [{"series": name, "values": values} for name, values in shown.series.items()],
        "promql_expr_test": [{"expr": query, "eval_time": AT, "exp_samples": wanted}],
    }
    path = tmp_path / "panel.test.yml"
    path.write_text(json.dumps({"evaluation_interval": "15s", "tests": [test]}))
    done = subprocess.run(
        [program("promtool"), "test", "rules", str(path)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
