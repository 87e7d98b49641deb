"""What an operator can see of game."""

from __future__ import annotations

from libs.runtime.metrics import Metrics

LATENESS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 60.0)


class GameMetrics:
    """The metrics of a game service, made once."""

    def __init__(self, metrics: Metrics) -> None:
        self.commits = metrics.counter("commits", "Events committed, by what happened.", ("what",))
        self.refusals = metrics.counter("refusals", "Commands refused, by reason.", ("reason",))
        self.duplicates = metrics.counter("duplicates", "Requests answered again from memory.")
        self.conflicts = metrics.counter("conflicts", "Decisions made anew because the match had moved on.")
        self.commit_seconds = metrics.histogram("commit_seconds", "Time of one atomic step in the store.")
        self.receipt_to_commit_seconds = metrics.histogram(
            "receipt_to_commit_seconds", "From the receipt of a seat's command until it was committed."
        )
        self.reports = metrics.counter("reports", "Lines of talk reported to the operator.")
        self.endings = metrics.counter("endings", "Matches ended, by reason.", ("reason",))
        self.rescues = metrics.counter("rescues", "Moves that game made for a bot that nobody played.")
        self.cache_misses = metrics.counter("cache_misses", "Matches loaded from the store.")
        self.cache_evictions = metrics.counter("cache_evictions", "Matches dropped from a full cache.")
        self.sweep_lateness_seconds = metrics.histogram(
            "sweep_lateness_seconds", "How long after its instant a deadline was noticed.", buckets=LATENESS_S
        )
        self.outages = metrics.counter("outages", "Outages that ended with a beat of this replica.")
        self.script_loads = metrics.counter("script_loads", "Scripts that the store had forgotten.")
        self.followers = metrics.gauge("followers", "Visibility replicas that follow the feed.")
        self.feed_items = metrics.counter("feed_items", "Items handed to followers.")
        self.feed_rejoins = metrics.counter(
            "feed_rejoins",
            "Times that followers had to join anew, by cause: their queue was full or the store was gone.",
            ("cause",),
        )
