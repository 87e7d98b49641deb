"""Tables that somebody here looks at, kept up to date over shared streams to matchmaking."""

from __future__ import annotations

from typing import Protocol

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from gen.tandemfog.matchmaking.v1.matchmaking_pb2_grpc import TableServiceStub
from libs.runtime.peers import Peers
from services.gateway.backends import shard_key
from services.gateway.frames import encode
from services.gateway.metrics import GatewayMetrics
from services.gateway.streams import SharedStreams
from services.gateway.translate import table_frame


class TableSink(Protocol):
    """Who looks at a table."""

    def show_table(self, table: matchmaking.Table, frame: bytes) -> None:
        """The table as it stands, also as a frame; it may be one that was shown before."""


class Followed:
    """A table with those who look at it here."""

    def __init__(self) -> None:
        self.sinks: set[TableSink] = set()
        self.latest: matchmaking.Table | None = None


class Tables:
    """All tables that are followed for some connection of this gateway."""

    def __init__(self, peers: Peers[TableServiceStub], metrics: GatewayMetrics) -> None:
        self._followed: dict[str, Followed] = {}
        self._streams: SharedStreams[
            TableServiceStub, str, matchmaking.FollowTablesRequest, matchmaking.FollowTablesResponse
        ] = SharedStreams(
            peers,
            lambda stub, requests: stub.FollowTables(requests),
            self._receive,
            metrics.streams_lost.labels("matchmaking"),
        )
        self.run = self._streams.run

    def follow(self, table: matchmaking.Table, sink: TableSink) -> None:
        """Shows `table`, as just answered by matchmaking, to `sink`, and from now on all its changes."""
        table_id = table.table_id
        followed = self._followed.get(table_id)
        if followed is None:
            followed = self._followed[table_id] = Followed()
            self._streams.add(
                table_id, shard_key(table_id), lambda: matchmaking.FollowTablesRequest(follow=[table_id])
            )
        followed.sinks.add(sink)
        sink.show_table(table, encode(table_frame(table)))
        # What came over the stream while that answer was on its way here does not come again.
        if followed.latest is not None and followed.latest.version > table.version:
            sink.show_table(followed.latest, encode(table_frame(followed.latest)))

    def unfollow(self, table_id: str, sink: TableSink) -> None:
        """Shows nothing more of the table to `sink`."""
        followed = self._followed.get(table_id)
        if followed is None:
            return
        followed.sinks.discard(sink)
        if not followed.sinks:
            del self._followed[table_id]
            self._streams.remove(table_id, matchmaking.FollowTablesRequest(unfollow=[table_id]))

    def _receive(self, response: matchmaking.FollowTablesResponse) -> None:
        for table in response.tables:
            followed = self._followed.get(table.table_id)
            if followed is None:
                continue
            followed.latest = table
            frame = encode(table_frame(table))
            for sink in tuple(followed.sinks):
                sink.show_table(table, frame)
