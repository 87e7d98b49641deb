"""What docs/metrics.md says there is to measure, and what the services' code makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from prometheus_client.metrics import MetricWrapperBase

from libs.runtime.metrics import Metrics
from services.bots.metrics import BotsMetrics
from services.game.metrics import GameMetrics
from services.gateway.metrics import GatewayMetrics
from services.matchmaking.metrics import MatchmakingMetrics
from services.visibility.metrics import VisibilityMetrics

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
OF_SERVICES: dict[str, Callable[[Metrics], object]] = {
    "game": GameMetrics,
    "matchmaking": MatchmakingMetrics,
    "visibility": VisibilityMetrics,
    "bots": BotsMetrics,
    "gateway": GatewayMetrics,
}
_ROW = re.compile(
    r"^\| `(tandemfog_[a-z_<>]+)` \| (counter|gauge|histogram) \| (.*?) \| .+ \| .+ \|$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A metric: its name as it is asked for (counters with `_total`), its type, its labels."""

    name: str
    kind: str
    labels: frozenset[str]


def documented() -> set[Measured]:
    """The rows of the page's tables; those of every service once for each."""
    found = set()
    for name, kind, labels in _ROW.findall(PAGE.read_text()):
        for service in OF_SERVICES if "<service>" in name else ("",):
            full = name.replace("<service>", service)
            found.add(Measured(full, kind, frozenset(re.findall(r"`([a-z]+)`", labels))))
    return found


def made(service: str) -> set[Measured]:
    """What the service's code registers, Python's own metrics apart."""
    metrics = Metrics(service)
    OF_SERVICES[service](metrics)
    found = set()
    for collector in metrics.registry._collector_to_names:
        if isinstance(collector, MetricWrapperBase):
            name = collector._name + ("_total" if collector._type == "counter" else "")
            found.add(Measured(name, str(collector._type), frozenset(collector._labelnames)))
    return found
