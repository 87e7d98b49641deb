"""What an operator can see of game."""

from __future__ import annotations

import time

from libs.runtime.metrics import Metrics
from libs.store.scripts import ScriptMetrics

LATENESS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 60.0)


class GameMetrics:
    """The metrics of a game service, made once."""

    def __init__(self, metrics: Metrics) -> None:
        self.commits = metrics.counter("commits", "Events committed, by what happened.", ("what",))
        self.refusals = metrics.counter("refusals", "Commands refused, by reason.", ("reason",))
        self.duplicates = metrics.counter("duplicates", "Requests answered again from memory.")
        self.conflicts = metrics.counter("conflicts", "Decisions made anew because the match had moved on.")
        self.scripts = ScriptMetrics(metrics)
        self.gateway_to_game_seconds = metrics.histogram(
            "gateway_to_game_seconds", "From the receipt of a move by its gateway until game had it."
        )
        self.receipt_to_commit_seconds = metrics.histogram(
            "receipt_to_commit_seconds", "From the receipt of a seat's command until it was committed."
        )
        self.commit_to_feed_seconds = metrics.histogram(
            "commit_to_feed_seconds", "From the commit of an event until it was read from the feed."
        )
        self.reports = metrics.counter("reports", "Lines of talk reported to the operator.")
        self.archived = metrics.counter("archived", "Finished matches that this replica has archived.")
        self.archive_waiting = metrics.gauge(
            "archive_waiting", "Finished matches that waited for the archive at the last look."
        )
        self.archive_lost = metrics.counter(
            "archive_lost", "Finished matches that the store has let go before the archive had them."
        )
        self.not_forgotten = metrics.counter(
            "archive_not_forgotten",
            "Times that the archive did not let go of names and matches when it should.",
        )
        self.archive_failures = metrics.counter(
            "archive_failures",
            "Looks that ended because the archive or the store did not answer.",
        )
        self.archive_reads = metrics.counter("archive_reads", "Matches served from the archive.")
        self.endings = metrics.counter("endings", "Matches ended, by reason.", ("reason",))
        self.rescues = metrics.counter("rescues", "Moves that game made for a bot that nobody played.")
        self.cache_misses = metrics.counter("cache_misses", "Matches loaded from the store.")
        self.cache_evictions = metrics.counter("cache_evictions", "Matches dropped from a full cache.")
        self.sweep_lateness_seconds = metrics.histogram(
            "sweep_lateness_seconds", "How long after its instant a deadline was noticed.", buckets=LATENESS_S
        )
        self.stopped_seconds = metrics.gauge(
            "stopped_seconds", "How long time has stood still in all, by shard.", ("shard",)
        )
        self.last_outage = metrics.gauge(
            "last_outage_time_seconds", "When the latest outage ended, in Unix time; 0: there was none."
        )
        self.store_up = metrics.gauge("store_up", "Whether the store has answered when last asked.")
        self.store_figures = metrics.gauge(
            "store",
            "What the store says of itself, by node and figure; every replica says the same.",
            ("node", "figure"),
        )
        self.followers = metrics.gauge("followers", "Visibility replicas that follow the feed.")
        self.feed_items = metrics.counter("feed_items", "Items handed to followers.")
        self.feed_rejoins = metrics.counter(
            "feed_rejoins",
            "Times that followers had to join anew, by cause: their queue was full or the store was gone.",
            ("cause",),
        )

    def note_transit(self, received_at_us: int) -> None:
        """A move has come that its gateway had read then, in Unix time (0: it has not said)."""
        if received_at_us:
            self.gateway_to_game_seconds.observe(max(0.0, time.time() - received_at_us / 1e6))
