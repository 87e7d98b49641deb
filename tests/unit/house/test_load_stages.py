"""The stages that `make load` tells of are those of docs/metrics.md, and there."""

from __future__ import annotations

import re

import pytest
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from tests.kit.metrics import PAGE, made
from tests.load.measure import Buckets, buckets_of
from tests.load.run import STAGES, service_of


def test_the_stages_are_those_of_a_moves_way_and_the_services_have_them() -> None:
    way = PAGE.read_text().partition("**A move's way**")[2].partition("\n\nThose that begin")[0]
    assert tuple(re.findall(r"^\| .* \| `(.*)` \|$", way, re.MULTILINE)) == STAGES
    for stage in STAGES:
        name, _, labels = stage.partition("{")
        there = {
            metric.name: metric.labels for metric in made(service_of(stage)) if metric.kind == "histogram"
        }
        assert set(re.findall(r"(\w+)=", labels)) <= there[name], stage


def said(*names: str) -> dict[str, Buckets]:
    """What is read of a histogram by "t" that has measured a ping of half a second and two moves of two."""
    registry = CollectorRegistry()
    histogram = Histogram("took_seconds", "How long.", ("t",), buckets=(1.0,), registry=registry)
    Histogram("idle_seconds", "Nothing yet.", ("t",), registry=registry)
    for kind, took_s in (("ping", 0.5), ("move", 2.0), ("move", 2.0)):
        histogram.labels(kind).observe(took_s)
    return buckets_of(text_string_to_metric_families(generate_latest(registry).decode()), names)


def test_a_histogram_is_read_with_all_its_labels_together_or_with_one_of_them() -> None:
    infinite = float("inf")
    assert said("took_seconds", 'took_seconds{t="move"}', "idle_seconds") == {
        "took_seconds": {1.0: 1.0, infinite: 3.0},
        'took_seconds{t="move"}': {1.0: 0.0, infinite: 2.0},
        "idle_seconds": {},
    }


def test_a_name_that_is_not_there_is_a_mistake_and_not_passed_over() -> None:
    for name in ("commit_seconds", "took", "took_seconds_bucket", 'gone_seconds{t="move"}'):
        with pytest.raises(LookupError, match="no histogram"):
            said(name)
