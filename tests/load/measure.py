"""What processes cost: processor time and memory from /proc, and histograms from a service's /metrics."""

from __future__ import annotations

import os
import re
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
Buckets = dict[float, float]


def cpu_s(pid: int) -> float:
    """Processor seconds of a process since its start, its ended children's included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(ticks) for ticks in fields[11:15]) / TICKS_PER_S


def rss_bytes(pid: int) -> int:
    """Memory of a process that is really there."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which `share` of the values lie; None for none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def in_ms(values: Sequence[float]) -> dict[str, float | None]:
    """Quantiles of seconds, in milliseconds."""
    found = {name: quantile(values, share) for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))}
    found["max"] = max(values, default=None)
    return {name: None if value is None else round(value * 1000, 1) for name, value in found.items()}


def families(port: int) -> list[Metric]:
    """All that a service says of itself on its metrics' port."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return list(text_string_to_metric_families(answer.read().decode()))


def histograms(port: int, names: Iterable[str]) -> dict[str, Buckets]:
    """The cumulative buckets of a service's histograms; names and failures as in `buckets_of`."""
    return buckets_of(families(port), names)


def buckets_of(said: Iterable[Metric], names: Iterable[str]) -> dict[str, Buckets]:
    """The cumulative buckets of each histogram, by its name: `name`, all labels together, or `name{a="b"}`.

    One of which nothing has been measured yet has no buckets; LookupError for a name that is not there.
    """
    there = {family.name: family for family in said if family.type == "histogram"}
    found: dict[str, Buckets] = {}
    for name in names:
        plain, _, labels = name.partition("{")
        if plain not in there:
            raise LookupError(f"There is no histogram {plain}.")
        wanted = dict(re.findall(r'(\w+)="([^"]*)"', labels)).items()
        buckets = found[name] = {}
        for sample in there[plain].samples:
            if sample.name.endswith("_bucket") and wanted <= sample.labels.items():
                upper = float(sample.labels["le"])
                buckets[upper] = buckets.get(upper, 0.0) + sample.value
    return found


def bucket_quantiles(before: Mapping[float, float], after: Mapping[float, float]) -> dict[str, float | None]:
    """Upper bounds, in milliseconds, of the buckets in which the quantiles of the time between lie."""
    between = {upper: count - before.get(upper, 0.0) for upper, count in sorted(after.items())}
    total = max(between.values(), default=0.0)
    answer: dict[str, float | None] = {}
    for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        upper = next((upper for upper, count in between.items() if total and count >= share * total), None)
        answer[name] = None if upper is None else round(upper * 1000, 2)
    return answer
