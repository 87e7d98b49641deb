"""What an operator can see of visibility."""

from __future__ import annotations

from libs.runtime.metrics import Metrics

BATCH_SIZES = (256, 1024, 4096, 16384, 65536, 262144, 1048576)


class VisibilityMetrics:
    """The metrics of the service, made once."""

    def __init__(self, metrics: Metrics) -> None:
        self.events = metrics.counter("events", "Raw events from the feed, by what they are.", ("what",))
        self.frames = metrics.counter(
            "frames", "Frames for viewers, by what they carry; a shared frame counts per viewer.", ("body",)
        )
        self.owed = metrics.counter("full_views_owed", "Full views owed to viewers, by why.", ("why",))
        self.batch_bytes = metrics.histogram(
            "batch_bytes", "Size of a write to a stream, in bytes.", buckets=BATCH_SIZES
        )
        self.fetch_seconds = metrics.histogram(
            "match_fetch_seconds", "Time to get a whole match from game, by how it went.", ("result",)
        )
        self.view_seconds = metrics.histogram(
            "event_seconds", "Time to turn one event into the frames of all its viewers."
        )
        self.commit_to_view_seconds = metrics.histogram(
            "commit_to_view_seconds",
            "From the commit of an event until a frame of it was handed to a stream.",
        )
        self.viewers = metrics.gauge("viewers", "Viewers watching now.")
        self.matches = metrics.gauge("matches", "Matches watched now.")
        self.shards = metrics.gauge("shards_followed", "Shards whose events arrive now.")
        self.feed_lost = metrics.counter("feed_lost", "Feed streams that broke.")
        self.streams_closed = metrics.counter(
            "streams_closed", "Streams closed because their reader took nothing."
        )
