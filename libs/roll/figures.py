"""The few numbers that a process tells: gauges as they are, counts and times over the last minute. Pure.

A time's figures are "<name>:<bound in seconds>", each the number of events within that bound in the last
minute; from several processes they add up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from prometheus_client.metrics_core import Metric
from prometheus_client.samples import Sample

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Told:
    """A metric that is told; `by` is a label whose values become part of the figure's name."""

    metric: str
    name: str
    where: Mapping[str, str] = field(default_factory=dict)
    by: tuple[str, ...] = ()


GAUGES = (
    Told("tandemfog_gateway_connections", "connections"),
    Told("tandemfog_gateway_viewers", "viewers", by=("kind",)),
    Told("tandemfog_matchmaking_tables_now", "tables", by=("variant", "state")),
    Told("tandemfog_matchmaking_seats_now", "seats", by=("variant", "kind")),
    Told("tandemfog_matchmaking_bot_seats_waiting", "bot_seats_waiting"),
    Told("tandemfog_matchmaking_queue_waiting", "queue", by=("pool",)),
    Told("tandemfog_bots_seats", "bot_seats"),
    Told("tandemfog_bots_free_seats", "bot_room"),
)
COUNTS = (Told("tandemfog_game_commits", "moves", {"what": "moved"}),)
TIMES = (
    Told("tandemfog_gateway_command_seconds", "move_time", {"t": "move"}),
    Told("tandemfog_game_sweep_lateness_seconds", "flag_time"),
)
NAMES = (
    *(told.metric for told in GAUGES),
    *(f"{told.metric}_total" for told in COUNTS),
    *(f"{told.metric}_bucket" for told in TIMES),
)
"""The samples that are read."""


def read(families: Iterable[Metric]) -> tuple[Figures, Figures]:
    """The figures that are told as they are, and the totals of those that are told as differences."""
    now: Figures = {}
    totals: Figures = {}
    for family in families:
        for sample in family.samples:
            for told in GAUGES:
                if sample.name == told.metric:
                    _add(
                        now, ":".join((told.name, *(sample.labels[label] for label in told.by))), sample, told
                    )
            for told in COUNTS:
                if sample.name == f"{told.metric}_total":
                    _add(totals, told.name, sample, told)
            for told in TIMES:
                if sample.name == f"{told.metric}_bucket":
                    _add(totals, f"{told.name}:{sample.labels['le']}", sample, told)
    return now, totals


def _add(figures: Figures, name: str, sample: Sample, told: Told) -> None:
    if math.isnan(sample.value):  # a gauge whose process does not know: nothing to tell, nothing to add
        return
    if all(sample.labels.get(label) == value for label, value in told.where.items()):
        figures[name] = figures.get(name, 0.0) + sample.value


def quantile(part: float, figures: Mapping[str, float], name: str) -> float | None:
    """The bound in seconds within which that part of the events of a time lay; None when there were none."""
    bounds = sorted(
        (float(bound), value)
        for key, value in figures.items()
        for head, _, bound in [key.partition(":")]
        if head == name
    )
    if not bounds or bounds[-1][1] <= 0:
        return None
    return next(bound for bound, value in bounds if value >= part * bounds[-1][1])
