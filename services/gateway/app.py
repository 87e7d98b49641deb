"""Puts the gateway together."""

from __future__ import annotations

import secrets
from functools import partial

from gen.tandemfog.matchmaking.v1.matchmaking_pb2_grpc import QueueServiceStub, TableServiceStub
from gen.tandemfog.view.v1.view_pb2_grpc import ViewServiceStub
from libs.roll.call import check_in_with_game
from libs.runtime.context import Context
from libs.runtime.peers import Peers
from libs.runtime.secrets import derived_key
from services.gateway.acting import GameStub
from services.gateway.addresses import Addresses
from services.gateway.api import Api
from services.gateway.attendance import Attendance
from services.gateway.backends import Backends
from services.gateway.commands import Commands
from services.gateway.games import Games
from services.gateway.guests import Guests
from services.gateway.lists import Lists
from services.gateway.lobby import Lobby, TableLimit
from services.gateway.metrics import GatewayMetrics
from services.gateway.notices import Notices, OperatorStubs
from services.gateway.ops import Ops
from services.gateway.ops_access import Access
from services.gateway.pages import Pages
from services.gateway.presence import Presence
from services.gateway.queue import Queues
from services.gateway.session import Hub
from services.gateway.settings import GatewaySettings
from services.gateway.site import Site
from services.gateway.tables import Tables
from services.gateway.views import Views


async def build(context: Context[GatewaySettings]) -> None:
    """Connects to the other services and opens the site; they may come and go at any time."""
    settings = context.settings
    metrics = GatewayMetrics(context.metrics)
    backends = Backends(
        await context.enter(
            Peers(settings.peers_matchmaking, TableServiceStub, name="matchmaking", tls=context.tls)
        ),
        await context.enter(
            Peers(settings.peers_game, partial(GameStub, metrics=metrics), name="game", tls=context.tls)
        ),
        await context.enter(
            Peers(settings.peers_visibility, ViewServiceStub, name="visibility", tls=context.tls)
        ),
        await context.enter(
            Peers(settings.peers_matchmaking, QueueServiceStub, name="matchmaking", tls=context.tls)
        ),
    )
    operator = await context.enter(
        Peers(settings.peers_game, OperatorStubs, name="game", tls=context.tls, probed=False)
    )
    notices = Notices(operator)
    lobby = Lobby(backends, TableLimit(settings, metrics))
    guests = Guests(derived_key(settings.session_secret_file, "guest"), settings.behind_tls)
    addresses = Addresses(settings, metrics)
    presence = Presence(secrets.token_hex(8), backends, metrics)
    hub = Hub(
        Tables(backends.matchmaking, metrics),
        Views(backends.visibility, metrics),
        presence,
        Queues(backends.queue, presence, metrics),
        Lists(lobby.list_tables),
        notices,
        metrics,
    )
    ops = None
    if settings.ops_token_file is not None:
        access = Access(settings.ops_token_file)
        ops = Ops(access, backends, operator, addresses, settings.behind_tls, metrics)
    await check_in_with_game(context, settings.peers_game)
    site = await context.enter(
        Site(
            settings,
            hub,
            Commands(backends, lobby),
            Api(backends, lobby),
            Games(backends, addresses, settings.games_per_address_minute, metrics),
            Pages(settings.page_dir, guests),
            guests,
            addresses,
            ops,
        )
    )
    context.announce(http_port=site.port)
    context.add_task("tables", hub.tables.run)
    context.add_task("views", hub.views.run)
    context.add_task("presence_to_game", hub.presence.report_to_game)
    context.add_task("presence_to_matchmaking", hub.presence.report_to_matchmaking)
    context.add_task("attendance", Attendance(backends.game, hub.presence.appear).run)
    context.add_task("queues", hub.queues.run)
    context.add_task("lists", hub.lists.run)
    context.add_task("notices", notices.run)
    context.add_task("connections", site.keep)
    context.on_drain(site.drain)
