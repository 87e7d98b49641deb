"""What the gateway counts."""

from __future__ import annotations

from libs.runtime.metrics import Metrics


class GatewayMetrics:
    def __init__(self, metrics: Metrics) -> None:
        self.connections = metrics.gauge("connections", "Websockets open now.")
        self.commands = metrics.counter(
            "commands", "Commands answered, by type and outcome.", ("t", "outcome")
        )
        self.command_seconds = metrics.histogram(
            "command_seconds", "Time from reading a command to its answer in the outbox, by type.", ("t",)
        )
        self.commit_to_frame_seconds = metrics.histogram(
            "commit_to_frame_seconds",
            "From the commit of an event to its frame being written to a websocket.",
        )
        self.frames = metrics.counter("frames", "Frames put into outboxes, by type.", ("t",))
        self.bad_frames = metrics.counter(
            "bad_frames", "Messages that were no command, by reason.", ("reason",)
        )
        self.bad_http = metrics.counter("bad_http", "Requests that were no HTTP, answered with 400.")
        self.too_fast = metrics.counter("too_fast", "Messages refused because they came too fast.")
        self.limited = metrics.counter(
            "limited",
            "What was refused for a limit: address_connections, address_rate, address_games, address_bytes, "
            "connection_bytes, first_request, guest_tables, address_tables.",
            ("limit",),
        )
        self.overflows = metrics.counter(
            "outbox_overflows", "Outboxes that were full: their match frames were dropped for one full view."
        )
        self.closed = metrics.counter("closed", "Websockets closed by the gateway, by reason.", ("reason",))
        self.moved = metrics.counter("moved", "Connections whose seat a later connection took over.")
        self.streams_lost = metrics.counter(
            "streams_lost", "Streams to other services that ended.", ("peer",)
        )
        self.streams_full = metrics.counter(
            "streams_full", "Commands that waited for room in their stream.", ("peer",)
        )
        self.waiting = metrics.gauge("queue_waiting", "Guests who wait for a table through this gateway.")
        self.viewers = metrics.gauge("viewers", "Viewers of matches, by kind: seat, spectator.", ("kind",))
        self.reconnects = metrics.counter("reconnects", "Matches taken up again over a new connection.")
        self.operator_sign_ins = metrics.counter(
            "operator_sign_ins", "Tokens shown at /ops, by outcome: ok, wrong, limited.", ("outcome",)
        )
        self.presence_failures = metrics.counter(
            "presence_failures", "Presence reports that were not heard, by the service asked.", ("peer",)
        )
