"""How the matchmaking service is put together."""

from __future__ import annotations

import secrets

from gen.tandemfog.game.v1 import game_pb2_grpc
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from libs.roll.call import check_in_with_game
from libs.runtime.context import Context
from libs.runtime.peers import Peers
from libs.runtime.secrets import derived_key
from services.matchmaking.census import Census
from services.matchmaking.follow import BLOCK_MS, Following
from services.matchmaking.issuer import Issuer
from services.matchmaking.leases import LeaseBook, LeaseServicer
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.queue import Queue
from services.matchmaking.queue_servicer import QueueServicer
from services.matchmaking.rematching import Rematches
from services.matchmaking.servicer import TableServicer
from services.matchmaking.settings import MatchmakingSettings
from services.matchmaking.sitting import Sitting
from services.matchmaking.start import Matches
from services.matchmaking.store import Store, connected
from services.matchmaking.sweep import Sweep
from services.matchmaking.table import Limits
from services.matchmaking.ticket import QueueLimits
from services.matchmaking.tickets import Tickets

STORE_TIMEOUT_S = 2.0


async def build(context: Context[MatchmakingSettings]) -> None:
    """Serve tables and leases, sweep what is due, and read the changes for those who follow."""
    settings = context.settings
    metrics = MatchmakingMetrics(context.metrics)
    limits = Limits(settings.countdown_ms, settings.absent_ms, settings.unfilled_ms, settings.rematch_ms)
    client = await context.enter(connected(settings.store_url, STORE_TIMEOUT_S))
    # A blocking read needs a connection of its own and a longer patience than its block.
    reader = await context.enter(connected(settings.store_url, STORE_TIMEOUT_S + BLOCK_MS / 1000))
    game = await context.enter(
        Peers(settings.peers_game, game_pb2_grpc.GameServiceStub, name="game", tls=context.tls)
    )
    issuer = Issuer(
        derived_key(settings.token_secret_file, "seat-token"),
        derived_key(settings.token_secret_file, "table-id"),
    )
    store = Store(client, limits, settings.status_ms)
    matches = Matches(store, game, metrics, limits, settings)
    tickets = Tickets(client)
    sitting = Sitting(tickets, store, metrics, limits)
    rematches = Rematches(store, matches, sitting, issuer, metrics, limits)
    following = Following(store, reader, metrics)
    queue_limits = QueueLimits(
        settings.bots_after_ms, settings.queue_present_ms, settings.queue_absent_ms, settings.queue_rest_ms
    )
    replica = secrets.token_hex(8)
    queue = Queue(tickets, store, sitting, issuer, replica, metrics, limits, queue_limits, settings.sweep_ms)
    sweep = Sweep(store, matches, rematches, queue, metrics, limits, settings)
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
        LeaseServicer(LeaseBook(client, settings.lease_ms), issuer, metrics, settings.lease_ms),
        services["LeaseService"],
    )
    await check_in_with_game(context, settings.peers_game)
    context.add_task("census", Census(client, replica, metrics).run)
    context.add_task("sweep", sweep.run)
    context.add_task("queue", queue.run)
    context.add_task("follow", following.run)
    context.on_drain(following.close)
