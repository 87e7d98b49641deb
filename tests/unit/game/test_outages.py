"""What an operator is shown of outages, whoever has ended them."""

from __future__ import annotations

import pytest

from libs.runtime.metrics import Metrics
from services.game.metrics import GameMetrics
from services.game.outages import Outages
from services.game.store import Pulse

NOW_S = 1_790_000_000.0


def pulse(now_us: int, outage: tuple[int, int] | None, stopped_us: int) -> Pulse:
    return Pulse(now_us, None, (), outage, stopped_us, ())


@pytest.fixture
def metrics() -> Metrics:
    return Metrics("game")


def shown(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"tandemfog_game_{name}", labels)


@pytest.mark.rule("T-outage")
def test_without_an_outage_none_is_shown(metrics: Metrics) -> None:
    Outages(GameMetrics(metrics)).note(0, pulse(5_000_000, None, 0), NOW_S)
    assert shown(metrics, "stopped_seconds", shard="0") == 0
    assert shown(metrics, "last_outage_time_seconds") == 0


@pytest.mark.rule("T-outage")
def test_an_outage_is_shown_with_its_end_also_by_a_replica_that_came_later(metrics: Metrics) -> None:
    outages = Outages(GameMetrics(metrics))
    # It began at 100 s of shard time, which stood still for 7 s; 20 s have passed since.
    outages.note(3, pulse(120_000_000, (100_000_000, 7_000_000), 9_000_000), NOW_S)
    assert shown(metrics, "last_outage_time_seconds") == NOW_S - 20
    assert shown(metrics, "stopped_seconds", shard="3") == 9
    outages.note(3, pulse(130_000_000, (100_000_000, 7_000_000), 9_000_000), NOW_S + 10)
    assert shown(metrics, "last_outage_time_seconds") == NOW_S - 20


@pytest.mark.rule("T-outage")
def test_the_latest_end_of_all_shards_counts_each_has_its_own_total_and_one_that_goes_on_ends_now(
    metrics: Metrics,
) -> None:
    outages = Outages(GameMetrics(metrics))
    outages.note(0, pulse(120_000_000, (100_000_000, 7_000_000), 7_000_000), NOW_S)
    outages.note(1, pulse(50_000_000, (50_000_000, 400_000), 400_000), NOW_S)
    assert shown(metrics, "last_outage_time_seconds") == NOW_S
    assert shown(metrics, "stopped_seconds", shard="0") == 7
    assert shown(metrics, "stopped_seconds", shard="1") == 0.4
