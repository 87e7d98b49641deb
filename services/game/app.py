"""How a game service is put together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gen.tandemfog.feed.v1 import feed_pb2, feed_pb2_grpc
from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from gen.tandemfog.operations.v1 import operations_pb2, operations_pb2_grpc
from libs.archive.opening import open_archive
from libs.roll.call import RollCall
from libs.runtime.context import Context
from libs.runtime.secrets import derived_key
from libs.store.streams import keep_short
from services.game.acting import Acting
from services.game.archiving import Archiving
from services.game.attendance import Attendance
from services.game.bundles import Bundles
from services.game.caches import MatchCache
from services.game.decide import Limits
from services.game.feed import Feed
from services.game.keys import ALL_SHARDS, OPERATOR_KEYS
from services.game.metrics import GameMetrics
from services.game.operating import Operating
from services.game.operator import OperationsServicer, OperatorServicer
from services.game.presence import Presence
from services.game.referee import Referee
from services.game.reports import Reports
from services.game.rescue import Rescue
from services.game.scripts import open_store_client
from services.game.servicer import FeedServicer, GameServicer
from services.game.settings import GameSettings
from services.game.store import Store, open_store
from services.game.store_watch import StoreWatch
from services.game.sweep import Alarms, Sweep


async def archive_of(
    context: Context[GameSettings], store: Store, referee: Referee, metrics: GameMetrics
) -> Archiving | None:
    """What carries finished matches to the archive, if there is to be one."""
    settings = context.settings
    if not settings.archive_url:
        return None
    archive = await context.enter(open_archive(settings.archive_url))
    archiving = Archiving(store, referee, archive, settings, metrics)
    context.add_task("archive", archiving.run)
    context.add_task("archive_tend", archiving.tend)
    return archiving


async def build(context: Context[GameSettings]) -> None:
    """Makes everything, once, and hangs it into the process' life."""
    settings = context.settings
    secret = derived_key(settings.token_secret_file, "seat-token")
    metrics = GameMetrics(context.metrics)
    store = await context.enter(open_store(settings, metrics))
    limits = Limits(settings.offline_ms, settings.offline_without_clock_ms, settings.idle_ms)
    alarms = Alarms()
    attendance = Attendance(store, settings.gateway_silence_ms)
    cache = MatchCache(settings.cached_matches, metrics)
    referee = Referee(store, cache, limits, metrics, alarms.expect, attendance.is_anybody_there)
    acting = Acting(referee, attendance, secret, metrics)
    bundles = Bundles(acting.act, context.metrics, metrics)
    presence = Presence(store, referee, attendance)
    reports = Reports(store, settings, metrics)
    rescue = Rescue(referee, settings.rescue_ms, metrics)
    feed = Feed(lambda: open_store_client(settings), metrics)
    archiving = await archive_of(context, store, referee, metrics)
    sweep = Sweep(store, referee, attendance, presence, rescue, alarms, settings, metrics, context.draining)
    context.add_servicer(
        game_pb2_grpc.add_GameServiceServicer_to_server,
        GameServicer(store, referee, acting, bundles, attendance, presence, reports, settings, metrics),
        game_pb2.DESCRIPTOR.services_by_name["GameService"],
    )
    context.add_servicer(
        feed_pb2_grpc.add_FeedServiceServicer_to_server,
        FeedServicer(feed, store, referee, archiving),
        feed_pb2.DESCRIPTOR.services_by_name["FeedService"],
    )
    context.add_servicer(
        game_pb2_grpc.add_OperatorServiceServicer_to_server,
        OperatorServicer(reports),
        game_pb2.DESCRIPTOR.services_by_name["OperatorService"],
    )
    operating = Operating(store, settings.acts_keep_ms)
    context.add_servicer(
        operations_pb2_grpc.add_OperationsServiceServicer_to_server,
        OperationsServicer(operating, referee),
        operations_pb2.DESCRIPTOR.services_by_name["OperationsService"],
    )
    context.add_task("roll", RollCall(context, operating.check_in).run)
    context.add_task("sweep", sweep.run)
    context.add_task("feed", feed.run)
    kept: tuple[tuple[str, Sequence[str], int], ...] = (
        ("feeds", [keys.feed for keys in ALL_SHARDS], min(settings.feed_keep_ms, settings.talk_keep_ms)),
        ("reports", [keys.reports for keys in ALL_SHARDS], settings.reports_keep_ms),
        ("acts", [OPERATOR_KEYS.acts], settings.acts_keep_ms),
    )
    for name, streams, keep_ms in kept:
        context.add_task(f"keep_{name}_short", partial(keep_short, store.client, streams, keep_ms))
    context.add_task("store_watch", StoreWatch(store.client, metrics).run)
    context.add_task("stand_still", attendance.stand_still)
    context.on_drain(feed.close)
    context.on_drain(bundles.close)
    context.on_drain(attendance.close)
