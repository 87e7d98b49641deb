"""The operator's page at /ops: who runs the service sees how it goes, and does what has to be done.

Nothing is told without a token. A browser gets a cookie for the token that no other site's page can make use
of (SameSite=Strict, and every form carries a key); a program sends the token: `Authorization: Bearer`.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import grpc
from aiohttp import web

from gen.tandemfog.game.v1.game_pb2 import ListReportsRequest
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from gen.tandemfog.operations.v1 import operations_pb2 as operations
from libs.identity.ids import is_table_id
from libs.runtime.logs import get_logger
from libs.runtime.peers import Peers
from libs.runtime.refusals import Refusal, reason_of
from services.gateway.addresses import UNKNOWN, Addresses, counted
from services.gateway.backends import Backends, Method, ask, shard_key
from services.gateway.metrics import GatewayMetrics
from services.gateway.notices import KEY, OperatorStubs, seat_path
from services.gateway.ops_access import LASTS_S, Access, Attempts
from services.gateway.ops_page import Unknown, reports_page, sign_in_page, state_page

COOKIE = "tandemfog_operator"
WRONG = "The token is not valid."
TOO_OFTEN = "Too many wrong tries from your address; wait ten minutes."
HOUR_MS, MINUTE_MS = 3_600_000, 60_000
PATIENCE_MS = 1_000
STATE_WITHIN_S = 4.0
"""Game gives the store three seconds: it is not to be taken for silent itself while it waits."""
log = get_logger()


@dataclass(frozen=True, slots=True)
class Operator:
    """Who asks; `cookie` is empty for a program with the token."""

    name: str
    cookie: str


Fields = dict[str, str]
Request = TypeVar("Request")
Answer = TypeVar("Answer")


class Ops:
    """The handlers of /ops."""

    def __init__(
        self,
        access: Access,
        backends: Backends,
        peers: Peers[OperatorStubs],
        addresses: Addresses,
        secure: bool,
        metrics: GatewayMetrics,
    ) -> None:
        self._access = access
        self._backends = backends
        self._peers = peers
        self._addresses = addresses
        self._secure = secure
        self._sign_ins = metrics.operator_sign_ins
        self._attempts = Attempts()

    def routes(self) -> list[web.RouteDef]:
        acts: dict[str, Callable[[str, Fields], Awaitable[None]]] = {
            "announce": self._announce,
            "withdraw": self._withdraw,
            "close": self._close,
            "block": self._block,
            "unblock": self._unblock,
        }
        return [
            web.get("/ops", self._state),
            web.get("/ops/reports", self._reports),
            web.post("/ops/sign-in", self._sign_in),
            web.post("/ops/sign-out", self._sign_out),
            *(web.post(f"/ops/{name}", self._acting(name, act)) for name, act in acts.items()),
        ]

    async def _state(self, request: web.Request) -> web.StreamResponse:
        operator = self._operator(request)
        if isinstance(operator, web.Response):
            return operator
        state = await self._look()
        form_key = self._access.form_key(operator.cookie)
        told = {name: request.query.get(name, "") for name in ("done", "refused", "act")}
        return _html(state_page(state, operator.name, form_key, **told))

    async def _look(self) -> operations.GetStateResponse | Unknown:
        """How things stand, else who does not answer."""
        store_is_silent = False

        def method(stub: OperatorStubs) -> Method[operations.GetStateRequest, operations.GetStateResponse]:
            async def get_state(
                request: operations.GetStateRequest, *, timeout: float, metadata: tuple[tuple[str, str], ...]
            ) -> operations.GetStateResponse:
                nonlocal store_is_silent
                try:
                    return await stub.operations.GetState(request, timeout=timeout, metadata=metadata)
                except grpc.aio.AioRpcError as error:
                    store_is_silent = reason_of(error) == "unavailable"  # it is game that says so
                    raise

            return get_state

        request = operations.GetStateRequest()
        try:
            return await ask(self._peers, KEY, method, request, STATE_WITHIN_S, PATIENCE_MS)
        except Refusal:
            return Unknown(store_is_silent, self._backends.replicas())

    async def _reports(self, request: web.Request) -> web.StreamResponse:
        operator = self._operator(request)
        if isinstance(operator, web.Response):
            return operator
        await self._record(operator.name, "read_reports")
        found = await self._ask(lambda stub: stub.reports.ListReports, ListReportsRequest())
        return _html(reports_page(found.reports))

    async def _sign_in(self, request: web.Request) -> web.StreamResponse:
        fields = await _fields(request)
        name = self._judged(request, fields.get("token", ""))
        if isinstance(name, web.Response):
            return name
        try:
            await self._record(name, "sign_in")
        except Refusal as refusal:  # when the store is away is when an operator is needed most
            log.warning("operator_act", who=name, what="sign_in", recorded=False, reason=refusal.reason)
        response = web.HTTPSeeOther("/ops")
        response.set_cookie(
            COOKIE,
            self._access.cookie(name, time.time()),
            max_age=LASTS_S,
            path="/ops",
            httponly=True,
            samesite="Strict",
            secure=self._secure,
        )
        raise response

    async def _sign_out(self, _request: web.Request) -> web.StreamResponse:
        response = web.HTTPSeeOther("/ops")
        response.del_cookie(COOKIE, path="/ops")
        raise response

    def _acting(
        self, name: str, act: Callable[[str, Fields], Awaitable[None]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            operator = self._operator(request)
            if isinstance(operator, web.Response):
                return operator
            fields = await _fields(request)
            if operator.cookie and not self._access.is_own_form(operator.cookie, fields.get("form", "")):
                log.warning("operator_form_refused", who=operator.name, what=name)
                raise web.HTTPForbidden(text="Open /ops and try again from there.\n")
            try:
                await act(operator.name, fields)
            except Refusal as refusal:
                if not operator.cookie:
                    raise
                raise web.HTTPSeeOther(f"/ops?refused={refusal.reason}&act={name}") from refusal
            if operator.cookie:
                raise web.HTTPSeeOther(f"/ops?done={name}")
            return web.Response(text="done\n")

        return handle

    def _operator(self, request: web.Request) -> Operator | web.Response:
        """Who asks, else the answer to somebody who may not."""
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() == "bearer":
            name = self._judged(request, token.strip())
            return name if isinstance(name, web.Response) else Operator(name, "")
        cookie = request.cookies.get(COOKIE, "")
        name_in_cookie = self._access.name_in(cookie, time.time())
        if name_in_cookie is None:
            return _html(sign_in_page(), 401)
        return Operator(name_in_cookie, cookie)

    def _judged(self, request: web.Request, token: str) -> str | web.Response:
        """Whose token it is, else the answer to a wrong one."""
        address, now_s = self._addresses.of(request), asyncio.get_running_loop().time()
        if not self._attempts.may_try(address, now_s):
            self._sign_ins.labels("limited").inc()
            return _html(sign_in_page(TOO_OFTEN), 429)
        name = self._access.name_of(token)
        if name is None:
            self._attempts.note_wrong(address, now_s)
            self._sign_ins.labels("wrong").inc()
            log.warning("operator_token_wrong", address=address)
            return _html(sign_in_page(WRONG), 403)
        self._sign_ins.labels("ok").inc()
        return name

    async def _announce(self, who: str, fields: Fields) -> None:
        in_minutes = _number(fields, "in_minutes")
        if not in_minutes:  # that would take back what is announced
            raise Refusal("bad_request")
        request = operations.AnnounceRequest(who=who, in_ms=in_minutes * MINUTE_MS)
        await self._ask(lambda stub: stub.operations.Announce, request)

    async def _withdraw(self, who: str, _fields: Fields) -> None:
        await self._ask(lambda stub: stub.operations.Announce, operations.AnnounceRequest(who=who))

    async def _close(self, who: str, fields: Fields) -> None:
        """First noted, then done: nothing is done that the list does not tell."""
        table_id = _table_id(fields.get("table", "").strip())
        key = shard_key(table_id)
        await self._record(who, "close", table_id, fields.get("words", ""))
        try:
            request = matchmaking.CloseTableRequest(table_id=table_id)
            answer = await ask(self._backends.matchmaking, key, lambda stub: stub.CloseTable, request)
            if answer.table.state == matchmaking.TABLE_STATE_STARTED:
                closing = operations.CloseMatchRequest(match_id=table_id)
                await ask(self._peers, key, lambda stub: stub.operations.CloseMatch, closing)
        except Refusal as refusal:
            await self._record(who, "close", table_id, f"not done: {refusal.reason}")
            raise

    async def _block(self, who: str, fields: Fields) -> None:
        address = _address(fields.get("address", "").strip())
        if not address:
            raise Refusal("bad_request", "That is neither an address nor a seat's link.")
        blocked = operations.BlockedAddress(
            address=address,
            until_ms=time.time_ns() // 1_000_000 + _number(fields, "hours") * HOUR_MS,
            who=who,
            words=fields.get("words", ""),
        )
        await self._ask(lambda stub: stub.operations.Block, operations.BlockRequest(blocked=blocked))

    async def _unblock(self, who: str, fields: Fields) -> None:
        """What cannot be read may be listed all the same, by another version; game knows what is."""
        text = fields.get("address", "").strip()
        request = operations.UnblockRequest(who=who, address=_address(text) or text)
        await self._ask(lambda stub: stub.operations.Unblock, request)

    async def _record(self, who: str, what: str, target: str = "", words: str = "") -> None:
        act = operations.Act(who=who, what=what, target=target, words=words)
        await self._ask(lambda stub: stub.operations.Record, operations.RecordRequest(act=act))

    async def _ask(
        self,
        method: Callable[[OperatorStubs], grpc.aio.UnaryUnaryMultiCallable[Request, Answer]],
        request: Request,
    ) -> Answer:
        return await ask(self._peers, KEY, method, request, patience_ms=PATIENCE_MS)


async def _fields(request: web.Request) -> Fields:
    """A form's texts. One that cannot be read has none: bytes that are no text are a wrong token, too."""
    try:
        sent = await request.post()
    except (ValueError, LookupError):  # LookupError: an encoding that does not exist
        return {}
    return {name: value for name, value in sent.items() if isinstance(value, str)}


def _number(fields: Fields, name: str) -> int:
    """A whole number of a form. Raises Refusal("bad_request") for any other, and for one too large."""
    text = fields.get(name, "")
    if not text.isdecimal() or not 0 < len(text) <= 5:
        raise Refusal("bad_request")
    return int(text)


def _table_id(text: str) -> str:
    """The table that is meant by its id or a link to it: `/t/<id>`, a seat's `/t/<id>/<seat>`, `/r/<id>`."""
    link = re.search(r"/[tr]/([^/?#]+)", text)
    return link[1] if link else text


def _address(text: str) -> str:
    """The address as gateways count it, or the seat whose address is meant, of its link; "" for neither."""
    seat = re.search(r"(?:^|/)t/([^/?#]+)/([0-3])(?:[?#]|$)", text)
    if seat is not None and is_table_id(seat[1]):
        return seat_path(seat[1], int(seat[2]))
    address = counted(text)
    return "" if address == UNKNOWN else address


def _html(text: str, status: int = 200) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(text=text, content_type="text/html", charset="utf-8", status=status, headers=headers)
