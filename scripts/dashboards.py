"""Writes Grafana's dashboards (deploy/monitoring/grafana/dashboards) from the description below.

A panel is a title, a unit and its queries. Those that show nothing while all is well say so (`QUIET`), which
the test against a real Prometheus knows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "deploy" / "monitoring" / "grafana" / "dashboards"
QUIET = "Empty when all is well."
SOURCE = {"type": "prometheus", "uid": "prometheus"}
WIDE, HEIGHT, STAT_HEIGHT = 24, 8, 4
NOW = {"format": "table", "instant": True, "range": False}
RATE = "[$__rate_interval]"
QUANTILES = (0.5, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Panel:
    """`queries` are (expression, legend). `kind`: "timeseries", "stat" for one number, or "table" for the
    labels of what there is now, a line each. A number is red from `bad` on, and below `least`."""

    title: str
    unit: str
    queries: Sequence[tuple[str, str]]
    kind: str = "timeseries"
    says: str = ""
    bad: float | None = None
    least: float | None = None


@dataclass(frozen=True, slots=True)
class Dashboard:
    uid: str
    title: str
    panels: Sequence[Panel]


def rate(name: str, by: str = "", where: str = "") -> str:
    grouped = f"sum by ({by}) " if by else "sum"
    return f"{grouped}(rate({name}{where}{RATE}))"


def quantiles(name: str, where: str = "") -> list[tuple[str, str]]:
    return [
        (f"histogram_quantile({part}, sum by (le) (rate({name}_bucket{where}{RATE})))", f"p{part * 100:g}")
        for part in QUANTILES
    ]


def p99(name: str, where: str = "", by: str = "") -> str:
    grouped = f"le, {by}" if by else "le"
    return f"histogram_quantile(0.99, sum by ({grouped}) (rate({name}_bucket{where}{RATE})))"


def stat(
    title: str,
    unit: str,
    expression: str,
    bad: float | None = None,
    says: str = "",
    least: float | None = None,
) -> Panel:
    return Panel(title, unit, [(expression, "")], "stat", says, bad, least)


def known(name: str, by: str = "", where: str = "") -> str:
    """The sum over those replicas of matchmaking that know: the others show NaN, which a comparison drops."""
    grouped = f"sum by ({by}) " if by else "sum"
    return f"{grouped}({M}_{name}{where} >= 0)"


def up(service: str) -> tuple[str, str]:
    return f'sum(up{{job="{service}"}}) or vector(0)', service


G, M, V, B, W = (f"tandemfog_{name}" for name in ("game", "matchmaking", "visibility", "bots", "gateway"))
SERVICES = ("gateway", "game", "matchmaking", "visibility", "bots")
# The same Prometheus may watch others: what every process or target has, and alerts, are asked for as ours.
OURS = f'{{job=~"{"|".join(SERVICES)}"}}'
OUR_ALERTS = '{alertstate="firing", app="tandemfog"}'
# In a cluster each shard may stand still by itself: by shard first, then the one that did so longest.
STOOD_STILL = (
    f"max(max by (shard) (max_over_time({G}_stopped_seconds[24h]))"
    f" - min by (shard) (min_over_time({G}_stopped_seconds[24h])))"
)
STORE_UP = '{__name__=~"tandemfog_(game|matchmaking)_store_up"}'
SLOW_FEEDS = rate(f"{G}_feed_rejoins_total", where='{cause="slow"}')
OURS_REFUSED = rate(f"{W}_commands_total", where='{outcome=~"unavailable|busy|failed"}')
FAILED = '{__name__=~"tandemfog_.+_rpc_seconds_count", code="INTERNAL"}'
LOOP = '{__name__=~"tandemfog_.+_event_loop_lag_seconds_bucket"}'
FAILED_STREAMS = '{__name__=~"tandemfog_.+_rpc_stream_failures_total"}'
FIRING = f"count by (alertname, severity, job, service) (ALERTS{OUR_ALERTS})"
STAGES = [
    (p99(f"{G}_gateway_to_game_seconds"), "gateway to game"),
    (p99(f"{G}_receipt_to_commit_seconds"), "game to commit"),
    (p99(f"{G}_commit_to_feed_seconds"), "commit to feed"),
    (p99(f"{V}_commit_to_view_seconds"), "commit to view"),
    (p99(f"{W}_commit_to_frame_seconds"), "commit to frame"),
]

OVERVIEW = Dashboard(
    "tandemfog-overview",
    "tandemfog: overview",
    [
        stat("Replicas that do not answer", "none", f"count(up{OURS} == 0) or vector(0)", bad=1),
        stat("Alerts", "none", f"count(ALERTS{OUR_ALERTS}) or vector(0)", bad=1),
        stat("Tables with a match", "none", known("tables_now", where='{state="started"}')),
        stat("People at them", "none", known("seats_now", where='{kind="human"}')),
        stat("Connections", "none", f"sum({W}_connections)"),
        stat("Bots' seats that wait", "none", known("bot_seats_waiting"), bad=1),
        stat("Moves", "cps", rate(f"{G}_commits_total", where='{what="moved"}')),
        stat("A move's answer, p99", "s", p99(f"{W}_command_seconds", '{t="move"}'), bad=0.5),
        stat(
            "Flags noticed, p99", "s", f"({p99(f'{G}_sweep_lateness_seconds')}) >= 0 or vector(0)", bad=0.25
        ),
        stat("Store answers", "none", f"min({STORE_UP})", least=1),
        stat("Time stood still, last 24 h", "s", STOOD_STILL, bad=1),
        stat("Refused by the services", "cps", f"({OURS_REFUSED}) or vector(0)", bad=1),
        Panel("Alerts that fire now", "none", [(FIRING, "")], "table", says=QUIET),
        Panel("A move's stages, p99", "s", STAGES),
        Panel("Moves and other events", "cps", [(rate(f"{G}_commits_total", "what"), "{{what}}")]),
        Panel("Replicas", "none", [up(service) for service in SERVICES]),
        Panel(
            "Late in the event loop, p99",
            "s",
            [(f"histogram_quantile(0.99, sum by (le, job) (rate({LOOP}{RATE})))", "{{job}}")],
        ),
        Panel("CPU", "none", [(f"sum by (job) (rate(process_cpu_seconds_total{OURS}{RATE}))", "{{job}}")]),
        Panel("Memory", "bytes", [(f"sum by (job) (process_resident_memory_bytes{OURS})", "{{job}}")]),
        Panel(
            "Builds",
            "none",
            [
                (
                    'count by (version, commit, rules, job) ({__name__=~"tandemfog_.+_build_info"})',
                    "{{job}} {{version}} {{commit}} {{rules}}",
                )
            ],
        ),
        Panel(
            "Calls that failed inside a service",
            "cps",
            [
                (f"sum by (job) (rate({FAILED}{RATE}))", "{{job}}"),
                (f"sum by (job) (rate({FAILED_STREAMS}{RATE}))", "{{job}} streams"),
            ],
            says=QUIET,
        ),
    ],
)

TABLES = Dashboard(
    "tandemfog-tables",
    "tandemfog: tables and clocks",
    [
        Panel("Tables", "none", [(known("tables_now", by="variant, state"), "{{variant}} {{state}}")]),
        Panel(
            "Seats of running matches",
            "none",
            [(known("seats_now", by="variant, kind"), "{{variant}} {{kind}}")],
        ),
        Panel("Tables made", "cps", [(rate(f"{M}_tables_total", "how"), "{{how}}")]),
        Panel("Starts", "cps", [(rate(f"{M}_starts_total", "answer"), "{{answer}}")]),
        Panel("Matches ended", "cps", [(rate(f"{G}_endings_total", "reason"), "{{reason}}")]),
        Panel(
            "Deadlines noticed late by",
            "s",
            quantiles(f"{G}_sweep_lateness_seconds"),
            says="Empty while no deadline passes.",
        ),
        Panel("Time has stood still in all", "s", [(f"max({G}_stopped_seconds)", "where it did so longest")]),
        Panel("Commands refused by game", "cps", [(rate(f"{G}_refusals_total", "reason"), "{{reason}}")]),
        Panel(
            "Requests refused by matchmaking",
            "cps",
            [(rate(f"{M}_refusals_total", "reason"), "{{reason}}")],
            says=QUIET,
        ),
        Panel(
            "Decisions made anew, repetitions",
            "cps",
            [(rate(f"{G}_conflicts_total"), "conflicts"), (rate(f"{G}_duplicates_total"), "repetitions")],
        ),
        Panel("Waiting in the queue", "none", [(known("queue_waiting", by="pool"), "{{pool}}")]),
        Panel(
            "Time in the queue, p99",
            "s",
            [
                (
                    p99(f"{M}_queue_wait_seconds", by="pool"),
                    "{{pool}}",
                )
            ],
            says="Empty while nobody comes out of the queue.",
        ),
        Panel(
            "Places in the queue",
            "cps",
            [(rate(f"{M}_tickets_total", "what"), "{{what}}")],
            says="Empty while nobody uses the queue.",
        ),
        Panel(
            "Matches in memory: missed, dropped",
            "cps",
            [(rate(f"{G}_cache_misses_total"), "missed"), (rate(f"{G}_cache_evictions_total"), "dropped")],
        ),
        Panel(
            "Archive",
            "none",
            [
                (f"sum(increase({G}_archived_total[1h]))", "archived in an hour"),
                (f"max({G}_archive_waiting)", "waiting"),
                (f"sum(increase({G}_archive_failures_total[1h]))", "failures in an hour"),
            ],
        ),
        Panel("Lines of talk reported", "none", [(f"sum(increase({G}_reports_total[1h]))", "in an hour")]),
    ],
)

BOTS = Dashboard(
    "tandemfog-bots",
    "tandemfog: bots",
    [
        stat("Workers", "none", 'sum(up{job="bots"}) or vector(0)', least=1),
        stat("Seats played", "none", f"sum({B}_seats)"),
        stat("Seats that wait", "none", known("bot_seats_waiting"), bad=1),
        stat("Room for", "none", f"sum({B}_free_seats)"),
        stat("Moved by game, last hour", "none", f"sum(increase({G}_rescues_total[1h]))", bad=1),
        stat("Search processes", "none", f"sum({B}_search_processes)", least=1),
        Panel("Moves", "cps", [(rate(f"{B}_moves_total", "answer"), "{{answer}}")]),
        Panel("Time to choose a move", "s", quantiles(f"{B}_choose_seconds")),
        Panel("Time of a search", "s", quantiles(f"{B}_think_seconds")),
        Panel("Plans wait for a process", "s", quantiles(f"{B}_queue_seconds")),
        Panel("Plans that wait", "none", [(f"sum({B}_plans_waiting)", "plans")]),
        Panel(
            "Part of the nodes given, mean",
            "percentunit",
            [(f"{rate(f'{B}_budget_share_sum')} / {rate(f'{B}_budget_share_count')}", "share")],
        ),
        Panel("Nodes of a search", "none", quantiles(f"{B}_search_nodes")),
        Panel("Moves from a glance", "cps", [(rate(f"{B}_fallbacks_total", "why"), "{{why}}")], says=QUIET),
        Panel("Leases", "cps", [(rate(f"{B}_leases_total", "what"), "{{what}}")]),
        Panel("Full views asked for", "cps", [(rate(f"{B}_resyncs_total", "why"), "{{why}}")], says=QUIET),
        Panel(
            "Search processes that ended",
            "none",
            [(f"sum(increase({B}_search_process_losses_total[1h]))", "in an hour")],
        ),
    ],
)

GATEWAY = Dashboard(
    "tandemfog-gateway",
    "tandemfog: gateway and views",
    [
        Panel("Connections", "none", [(f"sum by (instance) ({W}_connections)", "{{instance}}")]),
        Panel("Viewers", "none", [(f"sum by (kind) ({W}_viewers)", "{{kind}}")]),
        Panel("Commands", "cps", [(rate(f"{W}_commands_total", "t"), "{{t}}")]),
        Panel(
            "Commands not done, by why",
            "cps",
            [(rate(f"{W}_commands_total", "outcome", '{outcome!="ok"}'), "{{outcome}}")],
            says=QUIET,
        ),
        Panel("A move's answer", "s", quantiles(f"{W}_command_seconds", '{t="move"}')),
        Panel("Commit to the frame on the wire", "s", quantiles(f"{W}_commit_to_frame_seconds")),
        Panel("Frames", "cps", [(rate(f"{W}_frames_total", "t"), "{{t}}")]),
        Panel(
            "Matches taken up again",
            "cps",
            [(rate(f"{W}_reconnects_total"), "reconnects"), (rate(f"{W}_moved_total"), "seats that moved")],
        ),
        Panel(
            "Refused for a limit",
            "cps",
            [(rate(f"{W}_limited_total", "limit"), "{{limit}}"), (rate(f"{W}_too_fast_total"), "too fast")],
            says=QUIET,
        ),
        Panel(
            "Messages that were no command",
            "cps",
            [(rate(f"{W}_bad_frames_total", "reason"), "{{reason}}")],
            says=QUIET,
        ),
        Panel("Closed by us", "cps", [(rate(f"{W}_closed_total", "reason"), "{{reason}}")], says=QUIET),
        Panel(
            "Queues that ran over",
            "cps",
            [
                (rate(f"{W}_outbox_overflows_total"), "browsers"),
                (rate(f"{V}_streams_closed_total"), "streams of views"),
                (f"({SLOW_FEEDS}) or vector(0)", "feeds"),
            ],
        ),
        Panel("Views sent", "cps", [(rate(f"{V}_frames_total", "body"), "{{body}}")]),
        Panel("Full views owed", "cps", [(rate(f"{V}_full_views_owed_total", "why"), "{{why}}")]),
        Panel("An event into frames", "s", quantiles(f"{V}_event_seconds")),
        Panel(
            "Whole matches fetched", "s", [(p99(f"{V}_match_fetch_seconds", by="result"), "p99 {{result}}")]
        ),
        Panel("Written at once", "bytes", quantiles(f"{V}_batch_bytes")),
        Panel(
            "Streams lost",
            "cps",
            [(rate(f"{W}_streams_lost_total"), "by gateways"), (rate(f"{V}_feed_lost_total"), "feeds")],
        ),
        Panel(
            "Commands that waited for room",
            "cps",
            [(rate(f"{W}_streams_full_total", "peer"), "to {{peer}}")],
            says=QUIET,
        ),
    ],
)

STORE = Dashboard(
    "tandemfog-store",
    "tandemfog: Redis",
    [
        Panel("Answers", "none", [(f"min by (job) ({STORE_UP})", "{{job}}")]),
        *(
            panel
            for service, of in ((G, "Game"), (M, "Matchmaking"))
            for panel in (
                Panel(
                    f"{of}'s scripts, p99",
                    "s",
                    [(p99(f"{service}_script_seconds", by="script"), "{{script}}")],
                ),
                Panel(
                    f"{of}'s scripts",
                    "cps",
                    [(rate(f"{service}_script_seconds_count", "script"), "{{script}}")],
                ),
            )
        ),
        *(
            Panel(title, unit, [(f'max by (node) ({G}_store{{figure="{figure}"}})', "node {{node}}")])
            for title, unit, figure in (
                ("Memory", "bytes", "memory_bytes"),
                ("Memory's limit (0: none)", "bytes", "memory_limit_bytes"),
                ("Keys", "none", "keys"),
                ("Commands", "cps", "commands_per_second"),
                ("Clients", "none", "clients"),
                ("Replicas", "none", "replicas"),
                ("Append-only file", "bytes", "aof_bytes"),
                ("Syncs that were late", "none", "aof_delayed_syncs"),
                ("Append-only file is written", "none", "aof_enabled"),
                ("Append-only file is well", "none", "aof_ok"),
            )
        ),
        Panel(
            "Scripts it had forgotten, in an hour",
            "none",
            [
                (f"sum(increase({service}_script_loads_total[1h]))", of)
                for service, of in ((G, "game"), (M, "matchmaking"))
            ],
        ),
    ],
)

DASHBOARDS = (OVERVIEW, TABLES, BOTS, GATEWAY, STORE)


def drawn(dashboard: Dashboard) -> dict[str, Any]:
    """The dashboard as Grafana reads it: six numbers in a row, two graphs or tables in a row."""
    panels = []
    x = y = 0
    before = 0
    for number, panel in enumerate(dashboard.panels, 1):
        is_stat = panel.kind == "stat"
        width, height = (WIDE // 6, STAT_HEIGHT) if is_stat else (WIDE // 2, HEIGHT)
        if x + width > WIDE or (before and before != height):
            x, y = 0, y + before
        panels.append(_panel(number, panel, {"x": x, "y": y, "w": width, "h": height}))
        x, before = x + width, height
    return {
        "uid": dashboard.uid,
        "title": dashboard.title,
        "tags": ["tandemfog"],
        "schemaVersion": 38,
        "version": 1,
        "editable": False,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "links": [{"type": "dashboards", "title": "tandemfog", "tags": ["tandemfog"], "asDropdown": False}],
        "panels": panels,
    }


def _panel(number: int, panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.least is not None:
        steps = [{"color": "red", "value": None}, {"color": "green", "value": panel.least}]
    if panel.bad is not None:
        steps.append({"color": "red", "value": panel.bad})
    asked = NOW if panel.kind == "table" else {}
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.says,
        "datasource": SOURCE,
        "gridPos": place,
        "fieldConfig": {
            "defaults": {"unit": panel.unit, "min": 0, "thresholds": {"mode": "absolute", "steps": steps}},
            "overrides": [],
        },
        "targets": [
            {"refId": chr(ord("A") + place), "datasource": SOURCE, "expr": expression, "legendFormat": legend}
            | asked
            for place, (expression, legend) in enumerate(panel.queries)
        ],
    }


def main() -> None:
    for dashboard in DASHBOARDS:
        path = FOLDER / f"{dashboard.uid.removeprefix('tandemfog-')}.json"
        path.write_text(json.dumps(drawn(dashboard), indent=1) + "\n")


if __name__ == "__main__":
    main()
