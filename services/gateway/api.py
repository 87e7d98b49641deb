"""What HTTP answers beside the page: tables, and finished matches."""

from __future__ import annotations

from typing import Any

import grpc
from aiohttp import web
from msgspec import Struct

from gen.tandemfog.game.v1 import game_pb2 as game
from gen.tandemfog.view.v1 import view_pb2 as view
from libs.runtime.refusals import REASONS, Refusal
from services.gateway.backends import Backends, ask, shard_key
from services.gateway.frames import encode
from services.gateway.lobby import Lobby
from services.gateway.translate import replay, table_entry, table_state

HTTP_STATUS = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.OUT_OF_RANGE: 413,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.UNAVAILABLE: 503,
}
EXPORT_TYPES = {"bpgn": "application/x-bpgn", "pgn": "application/x-chess-pgn"}


def json_response(body: Struct | dict[str, Any], status: int = 200) -> web.Response:
    """An answer that no cache may keep: tables change, and a link's table is its holder's business."""
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=encode(body), status=status, content_type="application/json", headers=headers)


def refusal_response(refusal: Refusal) -> web.Response:
    status = HTTP_STATUS[REASONS[refusal.reason][0]]
    return json_response({"reason": refusal.reason, "detail": refusal.detail}, status)


class Api:
    """The handlers of /api and /healthz; each may raise Refusal, which becomes the answer."""

    def __init__(self, backends: Backends, lobby: Lobby) -> None:
        self._backends = backends
        self._lobby = lobby

    async def tables(self, _request: web.Request) -> web.Response:
        return json_response({"tables": [table_entry(table) for table in await self._lobby.list_tables()]})

    async def table(self, request: web.Request) -> web.Response:
        return json_response(table_state(await self._lobby.get_table(request.match_info["table"])))

    async def export(self, request: web.Request) -> web.Response:
        """The finished match as text; refused while it runs (F07)."""
        table_id = request.match_info["table"]
        answer = await ask(
            self._backends.visibility,
            shard_key(table_id),
            lambda stub: stub.ExportMatch,
            view.ExportMatchRequest(match_id=table_id),
        )
        headers = {
            "Content-Disposition": f'attachment; filename="{table_id}.{answer.format}"',
            "Cache-Control": "no-store",
        }
        return web.Response(
            text=answer.text, content_type=EXPORT_TYPES[answer.format], charset="utf-8", headers=headers
        )

    async def replay(self, request: web.Request) -> web.Response:
        """The finished match as positions; refused while it runs (F07)."""
        table_id = request.match_info["table"]
        answer = await ask(
            self._backends.visibility,
            shard_key(table_id),
            lambda stub: stub.ReplayMatch,
            view.ReplayMatchRequest(match_id=table_id),
        )
        return json_response(replay(answer))

    async def privacy(self, _request: web.Request) -> web.Response:
        """How long what people leave behind is kept, in milliseconds; `archive_ms` null: for ever."""
        kept = await ask(
            self._backends.game, "privacy", lambda stub: stub.GetRetention, game.GetRetentionRequest()
        )
        return json_response(
            {
                "match_ms": kept.match_ms,
                "archived": kept.archived,
                "archive_ms": kept.archive_ms or None,
                "names_ms": kept.names_ms,
                "talk_ms": kept.talk_ms,
                "reports_ms": kept.reports_ms,
            }
        )

    async def health(self, _request: web.Request) -> web.Response:
        """200 when a browser can play through this gateway now."""
        missing = self._backends.missing()
        if missing:
            return web.Response(text=f"no {', '.join(missing)}\n", status=503)
        return web.Response(text="ok\n")
