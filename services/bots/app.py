"""How a bot worker is put together."""

from __future__ import annotations

import os
import secrets
import socket
from random import Random

from gen.tandemfog.game.v1 import game_pb2_grpc
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2_grpc
from gen.tandemfog.view.v1 import view_pb2_grpc
from libs.roll.call import check_in_with_game
from libs.runtime.context import Context
from libs.runtime.peers import Peers
from services.bots.metrics import BotsMetrics
from services.bots.pool import SearchPool, core_count
from services.bots.settings import BotsSettings
from services.bots.thinker import Thinker
from services.bots.watching import Watching
from services.bots.worker import Worker


async def build(context: Context[BotsSettings]) -> None:
    """Lease seats and play them. A worker serves nobody: it has health, metrics, and its own calls."""
    settings = context.settings
    metrics = BotsMetrics(context.metrics)
    matchmaking = await context.enter(
        Peers(
            settings.peers_matchmaking,
            matchmaking_pb2_grpc.LeaseServiceStub,
            name="matchmaking",
            tls=context.tls,
        )
    )
    game = await context.enter(
        Peers(settings.peers_game, game_pb2_grpc.GameServiceStub, name="game", tls=context.tls)
    )
    visibility = await context.enter(
        Peers(settings.peers_visibility, view_pb2_grpc.ViewServiceStub, name="visibility", tls=context.tls)
    )
    watching = Watching(visibility, metrics)
    engine = (settings.uci_engine, str(settings.uci_nodes)) if settings.uci_engine else ()
    pool = SearchPool(settings.search_processes or core_count(), metrics, engine)
    name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    worker = Worker(name, matchmaking, game, watching, Thinker(pool, metrics), metrics, settings, Random)
    await check_in_with_game(context, settings.peers_game)
    context.add_task("search", pool.run)
    context.add_task("watch", watching.run)
    context.add_task("lease", worker.run)
    context.on_drain(worker.give_back)
