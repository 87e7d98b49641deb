"""When each alert must fire and when it must keep still, as series of a value each 15 s.

They last twelve minutes, longer for what looks back for long; `stale` is what a target that has left leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

STEPS = 50
Series = dict[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """`fires`: the labels of each alert that is there at `at`; none: it keeps still."""

    alert: str
    name: str
    series: Series
    fires: tuple[Mapping[str, str], ...] = ()
    at: str = "8m"
    severity: str = "warning"
    labels: Mapping[str, str] = field(default_factory=dict)


def stays(value: float) -> str:
    return f"{value}x{STEPS}"


def grows(per_step: float) -> str:
    """A counter."""
    return f"0+{per_step}x{STEPS}"


def timed(name: str, slow_of_hundred: int, labels: str = "") -> Series:
    """A histogram of a hundred observations a step; slow ones take between 0.5 and 1 s, the others 10 ms."""
    quick = 100 - slow_of_hundred
    counts = {"0.005": 0, "0.01": quick, "0.05": quick, "0.5": quick, "1.0": 100, "+Inf": 100}
    comma = "," if labels else ""
    buckets = {f'{name}_bucket{{{labels}{comma}le="{le}"}}': grows(count) for le, count in counts.items()}
    return buckets | {f"{name}_count{{{labels}}}": grows(100)}


def few(name: str, labels: str = "") -> Series:
    """The histogram of a quiet server: two observations within twelve minutes, four apart, both slow."""
    once_and_again = "0x12 1x16 2x40"
    return {
        series: once_and_again if series.endswith((f"_count{{{labels}}}", '"1.0"}', '"+Inf"}')) else stays(0)
        for series in timed(name, 0, labels)
    }


def alarms(name: str, metric: str, labels: str = "", shown: Mapping[str, str] | None = None) -> list[Case]:
    """A p99: it fires when two of a hundred are slow, and not when few ask, or nobody."""
    nobody = {series: stays(0) for series in timed(metric, 0, labels)}
    quiet = [Case(name, "a quiet server, two events", few(metric, labels), at="9m")]
    return [
        *(quiet if name != "EventLoopLag" else []),  # which measures itself, ten times a second
        Case(name, "two of a hundred are slow", timed(metric, 2, labels), (shown or {},)),
        Case(name, "all are quick", timed(metric, 0, labels)),
        Case(name, "nothing happens", nobody),
    ]


UP = {
    f'up{{job="{job}",instance="{job}:1"}}': stays(1)
    for job in ("game", "matchmaking", "visibility", "gateway")
}
START = "process_start_time_seconds"
WITHOUT_GATEWAY = {name: value for name, value in UP.items() if "gateway" not in name}
GATEWAY = 'up{job="gateway",instance="gateway:1"}'
LONG = "1x320"
GONE = "1x60 stale"  # after a quarter of an hour


def replicas(*values: str, job: str = "game") -> Series:
    """Replicas of one service, each with its `up` over time."""
    return {f'up{{job="{job}",instance="{job}:{number}"}}': text for number, text in enumerate(values, 1)}


WAITING = "tandemfog_matchmaking_bot_seats_waiting"
NOT_KNOWN = " ".join(["NaN"] * STEPS)
BOTS_UP = {'up{job="bots",instance="bots:1"}': stays(1)}
COMMANDS = "tandemfog_gateway_commands_total"
STORE = "tandemfog_game_store"

CASES: list[Case] = [
    Case(
        "ServiceDown",
        "one of two",
        {'up{job="game",instance="a"}': stays(0), 'up{job="game",instance="b"}': stays(1)},
        ({"job": "game", "instance": "a"},),
    ),
    Case("ServiceDown", "all are up", UP),
    Case(
        "ServiceDown", "a scrape is missed once", {'up{job="game",instance="a"}': "1x20 0 1x60"}, at="5m15s"
    ),
    Case("ServiceDown", "something else is down", {'up{job="node",instance="a"}': stays(0)}),
    Case("ServiceMissing", "no gateway", WITHOUT_GATEWAY, ({"service": "gateway"},), severity="critical"),
    Case(
        "ServiceMissing",
        "the only gateway is down",
        {**UP, GATEWAY: stays(0)},
        ({"service": "gateway"},),
        severity="critical",
    ),
    Case("ServiceMissing", "one of two gateways", {**UP, 'up{job="gateway",instance="gateway:2"}': stays(0)}),
    Case("ServiceMissing", "a gateway is replaced", {**UP, GATEWAY: "1x20 0 1x60"}, at="5m15s"),
    Case(
        "ReplicaMissing",
        "one of two is gone from the targets, and none of another service",
        replicas(LONG, GONE) | replicas(LONG, LONG, job="visibility"),
        ({"job": "game"},),
        at="27m",
    ),
    Case(
        "ReplicaMissing",
        "one of two does not answer",
        replicas(LONG, "1x60 0x60", job="bots"),
        ({"job": "bots"},),
        at="27m",
    ),
    Case(
        "ReplicaMissing",
        "both were gone, one is back",
        replicas(GONE, "1x60 stale _x20 1x60"),
        ({"job": "game"},),
        at="33m",
    ),
    Case(
        "ReplicaMissing",
        "of four that were there for twelve minutes two are left",
        replicas(LONG, LONG, "_x12 1x48 stale", "_x12 1x48 stale", job="bots"),
        ({"job": "bots"},),
        at="27m",
    ),
    Case(
        "ReplicaMissing",
        "for nearly an hour",
        replicas(LONG, GONE),
        ({"job": "game"},),
        at="73m",
    ),
    Case("ReplicaMissing", "always two", replicas(LONG, LONG), at="27m"),
    Case("ReplicaMissing", "always one", replicas(LONG), at="27m"),
    Case("ReplicaMissing", "gone for nine minutes", replicas(LONG, GONE), at="24m"),
    Case("ReplicaMissing", "fewer for more than an hour", replicas(LONG, GONE), at="77m"),
    Case("ReplicaMissing", "a scrape was missed once", replicas(LONG, "1x100 0 1x60"), at="27m"),
    Case("ReplicaMissing", "scaled up", replicas(LONG, LONG, "_x60 1x60", "_x60 1x60"), at="27m"),
    Case(
        "ReplicaMissing",
        "a replica is replaced under another address",
        replicas(LONG, GONE, "_x65 1x60"),
        at="27m",
    ),
    Case(
        "ReplicaMissing",
        "a release: two new ones beside the old for two minutes",
        replicas(GONE, GONE, "_x52 1x60", "_x52 1x60"),
        at="27m",
    ),
    Case("ReplicaMissing", "all are gone", replicas(GONE, GONE), at="27m"),
    Case("ReplicaMissing", "none answers", replicas("1x60 0x60", "1x60 0x60"), at="27m"),
    Case(
        "ReplicaMissing",
        "something else is gone",
        replicas(LONG, GONE, job="node"),
        at="27m",
    ),
    Case(
        "ServiceMissing",
        "all replicas are gone from the targets",
        UP | replicas(GONE, GONE, job="gateway") | {name: LONG for name in UP if "gateway" not in name},
        ({"service": "gateway"},),
        at="27m",
        severity="critical",
    ),
    Case(
        "Restarting",
        "a crash loop",
        {f'{START}{{job="bots",instance="a"}}': grows(15), f'{START}{{job="bots",instance="b"}}': stays(1)},
        ({"job": "bots", "instance": "a"},),
    ),
    Case(
        "Restarting",
        "a crash loop that is not scraped in between",
        {f'{START}{{job="game",instance="a"}}': " stale _x3 ".join(f"{start}x3" for start in range(1, 6))},
        ({"job": "game", "instance": "a"},),
    ),
    Case(
        "Restarting",
        "a release: six replicas, once each",
        {f'{START}{{job="bots",instance="{name}"}}': "1x15 2x50" for name in "abcdef"},
    ),
    Case(
        "Restarting",
        "three releases in a row",
        {f'{START}{{job="bots",instance="{name}"}}': "1x5 2x9 3x9 4x40" for name in "abcd"},
    ),
    Case("Restarting", "something else", {f'{START}{{job="node-exporter",instance="a"}}': grows(15)}),
    Case(
        "CallsFail",
        "calls fail",
        {'tandemfog_game_rpc_seconds_count{job="game",method="Act",code="INTERNAL"}': grows(1)},
        ({"job": "game"},),
    ),
    Case(
        "CallsFail",
        "streams fail",
        {'tandemfog_visibility_rpc_stream_failures_total{job="visibility",method="Watch"}': grows(1)},
        ({"job": "visibility"},),
    ),
    Case(
        "CallsFail",
        "calls and streams fail, half of what it takes each",
        {
            'tandemfog_game_rpc_seconds_count{job="game",method="Act",code="INTERNAL"}': grows(0.2),
            'tandemfog_game_rpc_stream_failures_total{job="game",method="Follow"}': grows(0.2),
        },
        ({"job": "game"},),
    ),
    Case(
        "CallsFail",
        "calls are refused by name",
        {
            'tandemfog_game_rpc_stream_failures_total{job="game",method="Follow"}': stays(3),
            'tandemfog_game_rpc_seconds_count{job="game",method="Act",code="INVALID_ARGUMENT"}': grows(50),
            'tandemfog_game_rpc_seconds_count{job="game",method="Act",code="INTERNAL"}': stays(3),
        },
    ),
    *alarms(
        "EventLoopLag",
        "tandemfog_bots_event_loop_lag_seconds",
        'job="bots",instance="a"',
        {"job": "bots", "instance": "a"},
    ),
    Case(
        "OutageRecorded",
        "five minutes ago",
        {
            'tandemfog_game_last_outage_time_seconds{instance="a"}': stays(180),
            'tandemfog_game_last_outage_time_seconds{instance="b"}': stays(0),
        },
        ({},),
    ),
    Case(
        "OutageRecorded",
        "long ago",
        {'tandemfog_game_last_outage_time_seconds{instance="a"}': stays(60)},
        at="12m",
    ),
    *alarms("FlagsLate", "tandemfog_game_sweep_lateness_seconds"),
    *alarms("MovesSlow", "tandemfog_gateway_command_seconds", 't="move"'),
    Case(
        "MovesSlow",
        "other commands are slow",
        timed("tandemfog_gateway_command_seconds", 90, 't="create_table"'),
    ),
    *alarms("FramesLate", "tandemfog_gateway_commit_to_frame_seconds"),
    *alarms("FeedLag", "tandemfog_game_commit_to_feed_seconds"),
    Case(
        "CommitErrors",
        "the store takes nothing",
        {'tandemfog_game_refusals_total{reason="unavailable"}': grows(10)},
        ({},),
        severity="critical",
    ),
    Case(
        "CommitErrors",
        "players err",
        {
            'tandemfog_game_refusals_total{reason="illegal_move"}': grows(500),
            'tandemfog_game_refusals_total{reason="busy"}': grows(0.1),
        },
    ),
    Case(
        "CommitConflicts",
        "every second decision",
        {
            "tandemfog_game_conflicts_total": grows(100),
            'tandemfog_game_commits_total{what="moved"}': grows(100),
        },
        ({},),
    ),
    Case(
        "CommitConflicts",
        "a few among many moves",
        {
            "tandemfog_game_conflicts_total": grows(20),
            'tandemfog_game_commits_total{what="moved"}': grows(1000),
        },
    ),
    Case(
        "CommitConflicts",
        "a few among few",
        {"tandemfog_game_conflicts_total": grows(1), 'tandemfog_game_commits_total{what="moved"}': grows(2)},
    ),
    Case(
        "ResyncsHigh",
        "gaps without end",
        {
            'tandemfog_visibility_full_views_owed_total{why="gap"}': grows(60),
            "tandemfog_visibility_viewers": stays(100),
        },
        ({},),
    ),
    Case(
        "ResyncsHigh",
        "people join",
        {
            'tandemfog_visibility_full_views_owed_total{why="join"}': grows(600),
            "tandemfog_visibility_viewers": stays(100),
        },
    ),
    Case(
        "ResyncsHigh",
        "one slow reader of three",
        {
            'tandemfog_visibility_full_views_owed_total{why="slow"}': grows(15),
            "tandemfog_visibility_viewers": stays(3),
        },
    ),
    Case(
        "RefusalsStorm",
        "every second command",
        {f'{COMMANDS}{{t="move",outcome="{outcome}"}}': grows(300) for outcome in ("ok", "stale")},
        ({},),
    ),
    Case(
        "RefusalsStorm",
        "one player alone errs all the time",
        {f'{COMMANDS}{{t="move",outcome="illegal_move"}}': grows(30)},
    ),
    Case(
        "RefusalsStorm",
        "many refusals among far more moves",
        {
            f'{COMMANDS}{{t="move",outcome="ok"}}': grows(9000),
            f'{COMMANDS}{{t="move",outcome="stale"}}': grows(900),
        },
    ),
    Case(
        "SlowReaders",
        "a visibility replica cannot follow",
        {'tandemfog_game_feed_rejoins_total{cause="slow"}': grows(1)},
        ({},),
    ),
    Case(
        "SlowReaders",
        "a browser or two",
        {
            "tandemfog_gateway_outbox_overflows_total": grows(5),
            'tandemfog_game_feed_rejoins_total{cause="store"}': grows(5),
        },
    ),
    Case(
        "NoBotWorker",
        "seats wait and no worker is there",
        {WAITING: stays(3), **UP},
        ({},),
        severity="critical",
    ),
    Case("NoBotWorker", "seats wait and a worker is there", {WAITING: stays(3), **BOTS_UP}),
    Case("NoBotWorker", "no worker and nobody waits", {WAITING: stays(0)}),
    Case("NoBotWorker", "no worker and nobody knows who waits", {WAITING: NOT_KNOWN}),
    Case(
        "NoBotWorker",
        "seats wait, and one of two replicas is cut off from the store",
        {f'{WAITING}{{instance="a"}}': NOT_KNOWN, f'{WAITING}{{instance="b"}}': stays(3)},
        ({},),
        severity="critical",
    ),
    Case(
        "BotSeatsWaiting",
        "one of two replicas is cut off from the store",
        {f'{WAITING}{{instance="a"}}': NOT_KNOWN, f'{WAITING}{{instance="b"}}': stays(3), **BOTS_UP},
        ({},),
    ),
    Case("BotSeatsWaiting", "nobody knows", {WAITING: NOT_KNOWN, **BOTS_UP}),
    Case("BotSeatsWaiting", "for long", {WAITING: stays(3), **BOTS_UP}, ({},)),
    Case("BotSeatsWaiting", "until the next lease", {WAITING: "0x20 3 0x60", **BOTS_UP}, at="5m15s"),
    Case(
        "BotFallbacks",
        "every second move",
        {
            'tandemfog_bots_fallbacks_total{why="late"}': grows(50),
            'tandemfog_bots_moves_total{answer="done"}': grows(100),
        },
        ({},),
    ),
    Case(
        "BotFallbacks",
        "one of fifty",
        {
            'tandemfog_bots_fallbacks_total{why="late"}': grows(2),
            'tandemfog_bots_moves_total{answer="done"}': grows(100),
        },
    ),
    Case("BotsRescued", "once", {"tandemfog_game_rescues_total": "0x15 1x50"}, ({},)),
    Case("BotsRescued", "yesterday", {"tandemfog_game_rescues_total": stays(7)}),
    Case(
        "StoreDown",
        "for one replica",
        {
            'tandemfog_game_store_up{job="game",instance="a"}': stays(1),
            'tandemfog_game_store_up{job="game",instance="b"}': stays(0),
            'tandemfog_matchmaking_store_up{job="matchmaking",instance="c"}': stays(1),
        },
        ({"job": "game"},),
        severity="critical",
    ),
    Case(
        "StoreDown",
        "for matchmaking alone",
        {
            'tandemfog_game_store_up{job="game",instance="a"}': stays(1),
            'tandemfog_matchmaking_store_up{job="matchmaking",instance="c"}': stays(0),
        },
        ({"job": "matchmaking"},),
        severity="critical",
    ),
    Case(
        "StoreDown",
        "it answers",
        {
            'tandemfog_game_store_up{job="game",instance="a"}': stays(1),
            'tandemfog_matchmaking_store_up{job="matchmaking",instance="c"}': stays(1),
        },
    ),
    Case(
        "StoreAofErrors",
        "the disk is full",
        {f'{STORE}{{node="0",figure="aof_ok"}}': stays(0)},
        ({"node": "0"},),
        severity="critical",
    ),
    Case(
        "StoreAofErrors",
        "it is written",
        {
            f'{STORE}{{node="0",figure="aof_ok"}}': stays(1),
            f'{STORE}{{node="0",figure="aof_enabled"}}': stays(0),
        },
    ),
    Case(
        "StoreMemory",
        "nine tenths",
        {
            f'{STORE}{{node="1",figure="memory_bytes"}}': stays(900),
            f'{STORE}{{node="1",figure="memory_limit_bytes"}}': stays(1000),
        },
        ({"node": "1"},),
    ),
    Case(
        "StoreMemory",
        "half",
        {
            f'{STORE}{{node="1",figure="memory_bytes"}}': stays(500),
            f'{STORE}{{node="1",figure="memory_limit_bytes"}}': stays(1000),
        },
    ),
    Case(
        "StoreMemory",
        "without a limit",
        {
            f'{STORE}{{node="1",figure="memory_bytes"}}': stays(500),
            f'{STORE}{{node="1",figure="memory_limit_bytes"}}': stays(0),
        },
    ),
    Case(
        "StoreFull",
        "nineteen twentieths",
        {
            f'{STORE}{{node="1",figure="memory_bytes"}}': stays(950),
            f'{STORE}{{node="1",figure="memory_limit_bytes"}}': stays(1000),
        },
        ({"node": "1"},),
        severity="critical",
    ),
    Case(
        "StoreFull",
        "nine tenths",
        {
            f'{STORE}{{node="1",figure="memory_bytes"}}': stays(900),
            f'{STORE}{{node="1",figure="memory_limit_bytes"}}': stays(1000),
        },
    ),
    Case(
        "NamesNotForgotten",
        "each look has failed for hours",
        {"tandemfog_game_archive_not_forgotten_total": " ".join(f"{number}x40" for number in range(12))},
        ({},),
        at="100m",
    ),
    Case(
        "NamesNotForgotten",
        "one look has failed",
        {"tandemfog_game_archive_not_forgotten_total": f"0x{STEPS} 1x360"},
        at="100m",
    ),
    Case(
        "MatchesLost",
        "the archive was away for too long",
        {"tandemfog_game_archive_lost_total": grows(1)},
        ({},),
        severity="critical",
    ),
    Case("MatchesLost", "none of late", {"tandemfog_game_archive_lost_total": stays(3)}),
    Case(
        "ArchiveFails",
        "it is away",
        {"tandemfog_game_archive_failures_total": grows(1), "tandemfog_game_archive_waiting": stays(7)},
        ({},),
    ),
    Case(
        "ArchiveFails",
        "matches wait and get in",
        {"tandemfog_game_archive_failures_total": stays(3), "tandemfog_game_archive_waiting": stays(7)},
    ),
    Case(
        "ArchiveFails",
        "it failed and nothing waits",
        {"tandemfog_game_archive_failures_total": grows(1), "tandemfog_game_archive_waiting": stays(0)},
    ),
    *alarms("StoreSlow", "tandemfog_game_script_seconds", 'script="commit"'),
    Case(
        "StoreSlow",
        "only a whole match's reading is slow",
        timed("tandemfog_game_script_seconds", 50, 'script="read"'),
    ),
]
