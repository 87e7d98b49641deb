"""Metrics: one registry for each service, so that several live in one process without a clash."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder

from libs.runtime.build import Build
from libs.runtime.http import SERVER, Runner
from libs.runtime.logs import bound_request

disable_created_metrics()  # type: ignore[no-untyped-call]
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LAG_SAMPLE_S = 0.1
EXEMPLAR_LENGTH = 100
"""OpenMetrics allows 128 characters, the label's name included."""
CHILDREN = 1_000
"""More than any metric has, since all labels are bounded."""
BUILD_LABELS = ("version", "commit", "rules")


MetricT = TypeVar("MetricT", Counter, Histogram)


class Metrics:
    """The metrics of one service, all named tandemfog_<service>_<name>."""

    def __init__(self, service: str) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        self._prefix = f"tandemfog_{service}_"
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._build = self.gauge("build_info", "Always 1; the labels say which build runs.", BUILD_LABELS)
        self.rpc_seconds = self.histogram(
            "rpc_seconds",
            "Time that a unary call took, by method and answered code; "
            "a command in a stream counts as a call.",
            ("method", "code"),
        )
        self.rpc_streams = self.gauge("rpc_streams", "Streams open now, by method.", ("method",))
        self.rpc_stream_failures = self.counter(
            "rpc_stream_failures",
            "Streams that ended by an error that nobody foresaw, by method.",
            ("method",),
        )
        self._lag_seconds = self.histogram(
            "event_loop_lag_seconds", "How much later than asked the event loop woke a sleeper."
        )

    def tell_build(self, build: Build) -> None:
        """Show which build runs."""
        self._build.labels(build.version, build.commit, build.rules).set(1)

    def counter(self, name: str, description: str, labels: Sequence[str] = ()) -> Counter:
        """A count of events since the start; prometheus adds `_total` to the name."""
        return _with_children(Counter(self._prefix + name, description, labels, registry=self.registry))

    def gauge(self, name: str, description: str, labels: Sequence[str] = ()) -> Gauge:
        """A number that goes up and down."""
        return Gauge(self._prefix + name, description, labels, registry=self.registry)

    def histogram(
        self, name: str, description: str, labels: Sequence[str] = (), buckets: Sequence[float] = SECONDS
    ) -> Histogram:
        """A distribution; the default buckets are for times in seconds."""
        full_name = self._prefix + name
        return _with_children(
            Histogram(full_name, description, labels, buckets=buckets, registry=self.registry)
        )

    async def watch_event_loop(self) -> None:
        """Measures the event loop's lag until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            asked = loop.time() + LAG_SAMPLE_S
            await asyncio.sleep(LAG_SAMPLE_S)
            self._lag_seconds.observe(max(0.0, loop.time() - asked))


def _with_children(metric: MetricT) -> MetricT:
    """A metric, of which no child is ever removed, that finds its children by their labels at once.

    Prometheus takes longer to find one than to count.
    """
    anything: Any = metric
    anything.labels = lru_cache(maxsize=CHILDREN)(metric.labels)
    return metric


def observe(histogram: Histogram, seconds: float) -> None:
    """Notes a time, with the bound request id as its exemplar (shown in OpenMetrics only)."""
    request_id = bound_request()
    histogram.observe(seconds, {"request_id": request_id[:EXEMPLAR_LENGTH]} if request_id else None)


class MetricsServer:
    """The HTTP side of a service for its operator: /metrics, and /healthz (200 while it serves, else 503)."""

    def __init__(self, metrics: Metrics) -> None:
        self.healthy = False
        self._metrics = metrics
        application = web.Application()
        application.add_routes([web.get("/metrics", self._show), web.get("/healthz", self._health)])
        application.on_response_prepare.append(_name_server)
        self._runner = Runner(application, {"Server": SERVER}, note_bad=lambda: None)

    async def start(self, host: str, port: int) -> int:
        """Listens and returns the port; raises OSError when the port is taken."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        await self._runner.cleanup()

    async def _show(self, request: web.Request) -> web.Response:
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(self._metrics.registry), headers={"Content-Type": content_type})

    async def _health(self, _request: web.Request) -> web.Response:
        return web.Response(text="ok\n") if self.healthy else web.Response(text="not serving\n", status=503)


async def _name_server(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers["Server"] = SERVER
