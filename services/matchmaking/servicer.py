"""The table service over gRPC: requests checked, decisions committed, answers told."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2_grpc
from libs.identity.tokens import SeatToken
from libs.runtime.refusals import Refusal, refuse
from services.matchmaking.curtain import seat_two, two_names
from services.matchmaking.follow import Following
from services.matchmaking.issuer import Issuer, proved_seat, require_holder
from services.matchmaking.life import close
from services.matchmaking.messages import read_terms, table_message
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.names import clean_name
from services.matchmaking.presence import report_presence
from services.matchmaking.refusing import ServicerContext, refusing
from services.matchmaking.rematching import Rematches
from services.matchmaking.sitting import Sitting
from services.matchmaking.store import Loaded, Store
from services.matchmaking.table import (
    LEVELS,
    Limits,
    Table,
    fill_with_bots,
    leave_seat,
    new_table,
    seats_of,
    set_bot,
    take_seat,
)

_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST_LISTED = 100
LISTED = 50


class TableServicer(matchmaking_pb2_grpc.TableServiceServicer):
    """For gateways, on behalf of people."""

    def __init__(
        self,
        store: Store,
        issuer: Issuer,
        following: Following,
        rematches: Rematches,
        sitting: Sitting,
        metrics: MatchmakingMetrics,
        limits: Limits,
    ) -> None:
        self._store = store
        self._sitting = sitting
        self._issuer = issuer
        self._following = following
        self._rematches = rematches
        self._limits = limits
        self.metrics = metrics

    @refusing
    async def CreateTable(  # noqa: N802 - gRPC's name
        self, request: messages.CreateTableRequest, _context: ServicerContext
    ) -> messages.CreateTableResponse:
        names = two_names(request.names, random.getrandbits(32)) if request.settings.curtain else ()

        def seat(table: Table, now_ms: int) -> Table:
            return seat_two(table, request.guest_id, names, now_ms) if names else table

        loaded = await self._make(request, "create", seat)
        grants = self._grants(loaded.table, request.guest_id) if names else []
        return messages.CreateTableResponse(table=_message(loaded), grants=grants)

    @refusing
    async def PlayNow(  # noqa: N802
        self, request: messages.PlayNowRequest, _context: ServicerContext
    ) -> messages.PlayNowResponse:
        name = clean_name(request.name, random.getrandbits(32))
        if request.level and request.level not in LEVELS:
            raise Refusal("bad_level")
        if request.settings.curtain:
            raise Refusal("curtain_not_combinable")

        def seat_all(table: Table, now_ms: int) -> Table:
            table = take_seat(table, request.seat, request.guest_id, name, now_ms, self._limits)
            return fill_with_bots(table, request.level, now_ms, self._limits)

        loaded = await self._make(request, "play", seat_all)
        grant = self._grant(loaded.table, request.guest_id)
        return messages.PlayNowResponse(table=_message(loaded), grant=grant)

    @refusing
    async def GetTable(  # noqa: N802
        self, request: messages.GetTableRequest, _context: ServicerContext
    ) -> messages.GetTableResponse:
        return messages.GetTableResponse(table=_message(await self._store.need(request.table_id)))

    @refusing
    async def ListTables(  # noqa: N802
        self, request: messages.ListTablesRequest, _context: ServicerContext
    ) -> messages.ListTablesResponse:
        if request.limit > MOST_LISTED:
            raise Refusal("bad_request", f"At most {MOST_LISTED} tables are listed.")
        found = await self._store.listed(request.limit or LISTED)
        return messages.ListTablesResponse(tables=[_message(loaded) for loaded in found])

    @refusing
    async def TakeSeat(  # noqa: N802
        self, request: messages.TakeSeatRequest, _context: ServicerContext
    ) -> messages.TakeSeatResponse:
        _require_guest(request.guest_id)
        name = clean_name(request.name, random.getrandbits(32))
        wanted = None if request.any_seat else request.seat

        def sit(table: Table, now_ms: int) -> Table:
            return take_seat(table, wanted, request.guest_id, name, now_ms, self._limits)

        before = await self._store.need(request.table_id)
        # Who is refused keeps the place in the queue, and the own seat once more is none.
        if sit(before.table, before.now_ms) is not before.table:
            await self._sitting.stand_up([request.guest_id], request.table_id)
        loaded = await self._store.change(request.table_id, sit)
        grant = self._grant(loaded.table, request.guest_id)
        return messages.TakeSeatResponse(table=_message(loaded), grant=grant)

    @refusing
    async def ClaimSeats(  # noqa: N802
        self, request: messages.ClaimSeatsRequest, _context: ServicerContext
    ) -> messages.ClaimSeatsResponse:
        _require_guest(request.guest_id)
        loaded = await self._store.need(request.table_id)
        proved = self._proved(loaded.table, request.token)
        grants = [proved] if proved else self._grants(loaded.table, request.guest_id)
        return messages.ClaimSeatsResponse(table=_message(loaded), grants=grants)

    @refusing
    async def LeaveSeat(  # noqa: N802
        self, request: messages.LeaveSeatRequest, _context: ServicerContext
    ) -> messages.LeaveSeatResponse:
        token = self._issuer.read(request.token)

        def leave(table: Table, now_ms: int) -> Table:
            require_holder(table, token)
            return leave_seat(table, token.seat, now_ms, self._limits)

        return messages.LeaveSeatResponse(table=_message(await self._store.change(token.match_id, leave)))

    @refusing
    async def SetBot(  # noqa: N802
        self, request: messages.SetBotRequest, _context: ServicerContext
    ) -> messages.SetBotResponse:
        token = self._issuer.read(request.token) if request.token else None

        def place(table: Table, now_ms: int) -> Table:
            _require_at_table(table, token, request.guest_id)
            return set_bot(table, request.seat, request.level, now_ms, self._limits)

        return messages.SetBotResponse(table=_message(await self._store.change(request.table_id, place)))

    @refusing
    async def SetRematch(  # noqa: N802
        self, request: messages.SetRematchRequest, _context: ServicerContext
    ) -> messages.SetRematchResponse:
        token = self._issuer.read(request.token)
        require_holder((await self._store.need(token.match_id)).table, token)
        loaded = await self._rematches.set(token.match_id, token.seat, request.agree, request.rotate)
        return messages.SetRematchResponse(table=_message(loaded))

    @refusing
    async def ReportPresence(  # noqa: N802
        self, request: messages.ReportPresenceRequest, _context: ServicerContext
    ) -> messages.ReportPresenceResponse:
        await report_presence(self._store, request.seats)
        return messages.ReportPresenceResponse()

    @refusing
    async def CloseTable(  # noqa: N802
        self, request: messages.CloseTableRequest, _context: ServicerContext
    ) -> messages.CloseTableResponse:
        loaded = await self._store.change(request.table_id, lambda table, _: close(table))
        return messages.CloseTableResponse(table=_message(loaded))

    async def FollowTables(  # noqa: N802
        self, request_iterator: AsyncIterator[messages.FollowTablesRequest], context: ServicerContext
    ) -> AsyncIterator[messages.FollowTablesResponse]:
        follower = self._following.open()
        interest = asyncio.create_task(self._following.obey(request_iterator, follower))
        try:
            while True:
                tables, unknown = await follower.news()
                if follower.closed:
                    break
                now_ms = await self._store.now_ms()
                yield messages.FollowTablesResponse(
                    tables=[table_message(table, now_ms) for table in tables], unknown=unknown
                )
            if interest.done():
                await interest
        except Refusal as refusal:
            await refuse(context, refusal)
        finally:
            interest.cancel()
            self._following.leave(follower)

    async def _make(
        self,
        request: messages.CreateTableRequest | messages.PlayNowRequest,
        how: str,
        furnish: Callable[[Table, int], Table],
    ) -> Loaded:
        """Make the table that the request asks for, once; the table as it stands now."""
        _require_guest(request.guest_id)
        if not _REQUEST_ID.fullmatch(request.request_id):
            raise Refusal("bad_request_id")
        terms = read_terms(request.settings)
        table_id = self._issuer.table_id(request.guest_id, f"{how} {request.request_id}")
        known = await self._store.load(table_id)
        if known is not None:
            return known
        now_ms = await self._store.now_ms()
        table = furnish(new_table(table_id, request.guest_id, terms, now_ms, self._limits), now_ms)
        if seats_of(table, request.guest_id):
            await self._sitting.stand_up([request.guest_id], table_id)
        await self._store.create(table, now_ms)
        self.metrics.tables.labels(how).inc()
        return await self._store.need(table_id)

    def _grants(self, table: Table, guest_id: str) -> list[messages.SeatGrant]:
        return [self._seat_grant(table, seat) for seat in seats_of(table, guest_id)]

    def _proved(self, table: Table, token_text: str) -> messages.SeatGrant | None:
        """The seat that a token proves, if it is that of who sits there now."""
        if not token_text:
            return None
        try:
            token = self._issuer.read(token_text)
            return self._seat_grant(table, proved_seat(table, token))
        except Refusal:
            return None

    def _seat_grant(self, table: Table, seat: int) -> messages.SeatGrant:
        token = self._issuer.person_token(table.table_id, seat, table.seats[seat].lease)
        return messages.SeatGrant(seat=seat, token=token)

    def _grant(self, table: Table, guest_id: str) -> messages.SeatGrant:
        """The guest's seat; raises Refusal when it was lost again meanwhile."""
        grants = self._grants(table, guest_id)
        if not grants:
            raise Refusal("no_free_seat")
        return grants[0]


def _message(loaded: Loaded) -> messages.Table:
    return table_message(loaded.table, loaded.now_ms)


def _require_guest(guest_id: str) -> None:
    if not guest_id:
        raise Refusal("bad_request", "A guest id is needed.")


def _require_at_table(table: Table, token: SeatToken | None, guest_id: str) -> None:
    """Raise Refusal("not_your_table") unless its maker, or somebody who sits there, asks."""
    if guest_id and (guest_id == table.maker or seats_of(table, guest_id)):
        return
    if token is None:
        raise Refusal("not_your_table")
    try:
        require_holder(table, token)
    except Refusal as refusal:
        raise Refusal("not_your_table") from refusal
