"""What the operator sees of a bot worker."""

from __future__ import annotations

from libs.runtime.metrics import Metrics

NODES = (0, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 0.99, 1.0)


class BotsMetrics:
    """All named tandemfog_bots_<name>."""

    def __init__(self, metrics: Metrics) -> None:
        self.seats = metrics.gauge("seats", "Seats that this worker plays.")
        self.room = metrics.gauge("free_seats", "Seats that it could play besides.")
        self.leases = metrics.counter("leases", "Leases: granted, lost, done.", ("what",))
        self.moves = metrics.counter("moves", "Moves sent, by the answer: made, or the refusal.", ("answer",))
        self.choose_seconds = metrics.histogram(
            "choose_seconds", "Time to choose a move, waiting for a search process included, pacing apart."
        )
        self.think_seconds = metrics.histogram("think_seconds", "Time that a search took in its process.")
        self.nodes = metrics.histogram("search_nodes", "Nodes of a search.", buckets=NODES)
        self.queue_seconds = metrics.histogram("queue_seconds", "Time that a plan waited for a process.")
        self.waiting = metrics.gauge("plans_waiting", "Plans that wait for a process.")
        self.budget_share = metrics.histogram(
            "budget_share", "Part of its nodes that a search was given, less under load.", buckets=SHARES
        )
        self.fallbacks = metrics.counter(
            "fallbacks", "Moves from a glance instead of a search, by why: late, overloaded.", ("why",)
        )
        self.processes = metrics.gauge("search_processes", "Search processes that run.")
        self.process_losses = metrics.counter("search_process_losses", "Search processes that ended.")
        self.resyncs = metrics.counter("resyncs", "Full views asked for, by why.", ("why",))
        self.streams = metrics.gauge("watch_streams", "Streams to visibility replicas.")
