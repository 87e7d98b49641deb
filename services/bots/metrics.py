"""What the operator sees of a bot worker."""

from __future__ import annotations

from libs.runtime.metrics import Metrics


class BotsMetrics:
    """All named tandemfog_bots_<name>."""

    def __init__(self, metrics: Metrics) -> None:
        self.seats = metrics.gauge("seats", "Seats that this worker plays.")
        self.room = metrics.gauge("free_seats", "Seats that it could play besides.")
        self.leases = metrics.counter("leases", "Leases: granted, lost, done.", ("what",))
        self.moves = metrics.counter("moves", "Moves sent, by the answer: made, or the refusal.", ("answer",))
        self.choose_seconds = metrics.histogram("choose_seconds", "Time to choose a move, pacing apart.")
        self.resyncs = metrics.counter("resyncs", "Full views asked for, by why.", ("why",))
        self.streams = metrics.gauge("watch_streams", "Streams to visibility replicas.")
