"""The numbers that a process tells, from its metrics."""

from __future__ import annotations

import math

import pytest

from libs.roll.call import chosen
from libs.roll.figures import quantile, read
from libs.runtime.metrics import Metrics
from services.game.metrics import GameMetrics
from services.gateway.metrics import GatewayMetrics
from services.matchmaking.metrics import MatchmakingMetrics


def test_gauges_are_told_by_their_labels() -> None:
    metrics = Metrics("matchmaking")
    own = MatchmakingMetrics(metrics)
    own.tables_now.labels("fog", "open").set(3)
    own.seats_waiting.set(2)
    now, totals = read(chosen(metrics.registry))
    assert now == {"tables:fog:open": 3, "bot_seats_waiting": 2}
    assert totals == {}


def test_a_gauge_that_is_not_known_is_not_told() -> None:
    metrics = Metrics("matchmaking")
    own = MatchmakingMetrics(metrics)
    own.tables_now.labels("fog", "open").set(math.nan)
    own.seats_waiting.set(2)
    now, _ = read(chosen(metrics.registry))
    assert now == {"bot_seats_waiting": 2}


def test_counts_are_those_of_moves_and_times_by_their_bounds() -> None:
    metrics = Metrics("game")
    own = GameMetrics(metrics)
    own.commits.labels("moved").inc(5)
    own.commits.labels("draw").inc(2)
    own.sweep_lateness_seconds.observe(0.02)
    _, totals = read(chosen(metrics.registry))
    assert totals["moves"] == 5
    assert (totals["flag_time:0.01"], totals["flag_time:0.025"], totals["flag_time:+Inf"]) == (0, 1, 1)


def test_only_moves_count_among_the_times_of_commands() -> None:
    metrics = Metrics("gateway")
    own = GatewayMetrics(metrics)
    own.command_seconds.labels("move").observe(0.02)
    own.command_seconds.labels("join").observe(9.0)
    _, totals = read(chosen(metrics.registry))
    assert (totals["move_time:0.025"], totals["move_time:+Inf"]) == (1, 1)


@pytest.mark.parametrize(("part", "bound"), [(0.5, 0.01), (0.9, 0.01), (0.95, 0.1), (1.0, float("inf"))])
def test_a_quantile_is_the_bound_within_which_so_many_lay(part: float, bound: float) -> None:
    figures = {"t:0.01": 90.0, "t:0.1": 99.0, "t:+Inf": 100.0, "other:0.01": 5.0}
    assert quantile(part, figures, "t") == bound


def test_there_is_no_quantile_of_nothing() -> None:
    assert quantile(0.5, {"t:0.01": 0.0, "t:+Inf": 0.0}, "t") is None
    assert quantile(0.5, {}, "t") is None
