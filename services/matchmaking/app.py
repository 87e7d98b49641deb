"""How the matchmaking service is put together."""

from __future__ import annotations

import secrets
from functools import partial

from gen.tandemfog.game.v1 import game_pb2_grpc
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from libs.roll.call import check_in_with_game
from libs.runtime.context import Context
from libs.runtime.peers import Peers
from libs.runtime.secrets import derived_key
from libs.store.streams import keep_short
from services.matchmaking.census import Census
from services.matchmaking.follow import Following
from services.matchmaking.issuer import Issuer
from services.matchmaking.keys import SHARDS, changes_key
from services.matchmaking.leases import LeaseBook, LeaseServicer
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.queue import Queue
from services.matchmaking.queue_servicer import QueueServicer
from services.matchmaking.rematching import Rematches
from services.matchmaking.rhythm import Rhythm
from services.matchmaking.servicer import TableServicer
from services.matchmaking.settings import MatchmakingSettings
from services.matchmaking.sitting import Sitting
from services.matchmaking.start import Matches
from services.matchmaking.store import Store, connected
from services.matchmaking.sweep import Sweep
from services.matchmaking.table import Limits
from services.matchmaking.ticket import QueueLimits
from services.matchmaking.tickets import Tickets


async def build(context: Context[MatchmakingSettings]) -> None:
    """Serve tables and leases, sweep what is due, and read the changes for those who follow."""
    settings = context.settings
    metrics = MatchmakingMetrics(context.metrics)
    limits = Limits(settings.countdown_ms, settings.absent_ms, settings.unfilled_ms, settings.rematch_ms)
    runner = await context.enter(connected(settings.store_url, metrics.scripts))
    game = await context.enter(
        Peers(settings.peers_game, game_pb2_grpc.GameServiceStub, name="game", tls=context.tls)
    )
    issuer = Issuer(
        derived_key(settings.token_secret_file, "seat-token"),
        derived_key(settings.token_secret_file, "table-id"),
    )
    rhythm = Rhythm(settings.sweep_ms)
    store = Store(
        runner,
        limits,
        status_ms=settings.status_ms,
        keep_ms=settings.keep_ms,
        changes_length=settings.changes_length,
        changed=rhythm.stir,
    )
    matches = Matches(store, game, metrics, limits, settings)
    tickets = Tickets(runner, rhythm.stir)
    sitting = Sitting(tickets, store, metrics, limits)
    rematches = Rematches(store, matches, sitting, issuer, metrics, limits)
    following = Following(store, runner.client, metrics)
    queue_limits = QueueLimits(
        settings.bots_after_ms, settings.queue_present_ms, settings.queue_absent_ms, settings.queue_rest_ms
    )
    replica = secrets.token_hex(8)
    queue = Queue(tickets, store, sitting, issuer, replica, metrics, limits, queue_limits, rhythm)
    sweep = Sweep(store, matches, rematches, queue, rhythm, metrics, limits, settings)
    services = matchmaking_pb2.DESCRIPTOR.services_by_name
    context.add_servicer(
        matchmaking_pb2_grpc.add_TableServiceServicer_to_server,
        TableServicer(store, issuer, following, rematches, sitting, metrics, limits),
        services["TableService"],
    )
    context.add_servicer(
        matchmaking_pb2_grpc.add_QueueServiceServicer_to_server,
        QueueServicer(tickets, store, sitting, matches, issuer, metrics, queue_limits),
        services["QueueService"],
    )
    context.add_servicer(
        matchmaking_pb2_grpc.add_LeaseServiceServicer_to_server,
        LeaseServicer(LeaseBook(runner, settings.lease_ms), issuer, metrics, settings.lease_ms),
        services["LeaseService"],
    )
    await check_in_with_game(context, settings.peers_game)
    context.add_task("census", Census(runner, replica, metrics).run)
    context.add_task("sweep", sweep.run)
    context.add_task("queue", queue.run)
    context.add_task("follow", following.run)
    changes = [changes_key(shard) for shard in SHARDS]
    context.add_task(
        "keep_changes_short", partial(keep_short, runner.client, changes, settings.changes_keep_ms)
    )
    context.on_drain(following.close)
