"""What the operator sees of matchmaking."""

from __future__ import annotations

from libs.runtime.metrics import Metrics
from libs.store.scripts import ScriptMetrics

WAITS = (1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 600)
"""Bounds of the waiting times, in seconds."""


class MatchmakingMetrics:
    """All named tandemfog_matchmaking_<name>."""

    def __init__(self, metrics: Metrics) -> None:
        self.tables = metrics.counter("tables", "Tables made, by how.", ("how",))
        self.starts = metrics.counter(
            "starts", "Answers of game to a full table: started, retried, given_back.", ("answer",)
        )
        self.refusals = metrics.counter("refusals", "Requests refused, by reason.", ("reason",))
        self.followers = metrics.gauge("followers", "Streams that follow tables.")
        self.resyncs = metrics.counter("resyncs", "Times that all followed tables were read anew.")
        self.tables_now = metrics.gauge(
            "tables_now",
            "Tables that are not over, by variant and state, as the replica that counts knows.",
            ("variant", "state"),
        )
        self.seats_now = metrics.gauge(
            "seats_now", "Seats of running matches, by variant and who sits there.", ("variant", "kind")
        )
        self.store_up = metrics.gauge("store_up", "Whether the store has answered when last asked.")
        self.seats_waiting = metrics.gauge(
            "bot_seats_waiting", "Bot seats without a worker, as the replica that counts knows."
        )
        self.scripts = ScriptMetrics(metrics)
        self.leases = metrics.counter("leases", "Leases of bot seats: granted, lost, done.", ("what",))
        self.queue_waiting = metrics.gauge(
            "queue_waiting", "People in the queue, by pool, as the replica that pairs there knows.", ("pool",)
        )
        self.queue_wait_seconds = metrics.histogram(
            "queue_wait_seconds", "How long people waited for a table, by pool.", ("pool",), WAITS
        )
        self.tickets = metrics.counter(
            "tickets",
            "Places in the queue: made, paired, bots, left, absent, back_waiting, back_party, back_over.",
            ("what",),
        )
        self.due = metrics.counter("due_tables", "Tables that the sweep looked at.")
