"""The queue over gRPC: requests checked, decisions committed, answers told."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from itertools import count

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2_grpc
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import Refusal
from services.matchmaking.issuer import Issuer
from services.matchmaking.messages import read_terms
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.names import clean_name
from services.matchmaking.queue_messages import forgotten_ticket, ticket_message
from services.matchmaking.refusing import ServicerContext, refusing
from services.matchmaking.sitting import Sitting
from services.matchmaking.start import Matches
from services.matchmaking.store import TRIES, Loaded, Store
from services.matchmaking.table import seats_of
from services.matchmaking.ticket import (
    POOLS,
    Member,
    Pool,
    QueueLimits,
    Ticket,
    accept_bots,
    join_party,
    leave,
    start_waiting,
)
from services.matchmaking.tickets import LoadedTicket, Tickets, pool_of

_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST_ATTENDED = 1_000


class QueueServicer(matchmaking_pb2_grpc.QueueServiceServicer):
    """For gateways, on behalf of people."""

    def __init__(
        self,
        tickets: Tickets,
        store: Store,
        sitting: Sitting,
        matches: Matches,
        issuer: Issuer,
        metrics: MatchmakingMetrics,
        limits: QueueLimits,
    ) -> None:
        self._tickets = tickets
        self._store = store
        self._sitting = sitting
        self._matches = matches
        self._issuer = issuer
        self._limits = limits
        self.metrics = metrics

    @refusing
    async def QuickPlay(  # noqa: N802 - gRPC's name
        self, request: messages.QuickPlayRequest, _context: ServicerContext
    ) -> messages.QuickPlayResponse:
        pool = _pool(request.variant, request.profile)
        guest_id = _guest(request.guest_id)
        if request.party:
            if pool_of(request.party).variant != pool.variant:
                raise Refusal("unknown_party")
            loaded = await self._tickets.change(
                request.party, lambda ticket, _, now_ms: start_waiting(ticket, guest_id, now_ms), guest_id
            )
        else:
            loaded = await self._make(pool, request, is_party=False)
        return messages.QuickPlayResponse(ticket=await self._answer(loaded, guest_id))

    @refusing
    async def CreateParty(  # noqa: N802
        self, request: messages.CreatePartyRequest, _context: ServicerContext
    ) -> messages.CreatePartyResponse:
        pool = _pool(types_pb2.VARIANT_TANDEM, request.profile)
        loaded = await self._make(pool, request, is_party=True)
        return messages.CreatePartyResponse(ticket=await self._answer(loaded, _guest(request.guest_id)))

    @refusing
    async def JoinParty(  # noqa: N802
        self, request: messages.JoinPartyRequest, _context: ServicerContext
    ) -> messages.JoinPartyResponse:
        pool, guest_id = pool_of(request.party), _guest(request.guest_id)
        name = clean_name(request.name, random.getrandbits(32))
        known = await self._tickets.of_guest(pool, guest_id)
        loaded = await self._tickets.change(
            request.party,
            lambda ticket, _, now_ms: join_party(ticket, Member(guest_id, name, now_ms)),
            guest_id,
        )
        if known and known != request.party:
            await self._leave(known, guest_id)
        return messages.JoinPartyResponse(ticket=await self._answer(loaded, guest_id))

    @refusing
    async def AcceptBots(  # noqa: N802
        self, request: messages.AcceptBotsRequest, _context: ServicerContext
    ) -> messages.AcceptBotsResponse:
        guest_id = _guest(request.guest_id)
        loaded = await self._tickets.change(
            request.ticket_id,
            lambda ticket, _, now_ms: accept_bots(ticket, guest_id, now_ms, self._limits),
            guest_id,
        )
        return messages.AcceptBotsResponse(ticket=await self._answer(loaded, guest_id))

    @refusing
    async def LeaveQueue(  # noqa: N802
        self, request: messages.LeaveQueueRequest, _context: ServicerContext
    ) -> messages.LeaveQueueResponse:
        guest_id = _guest(request.guest_id)
        loaded = await self._leave(request.ticket_id, guest_id)
        return messages.LeaveQueueResponse(ticket=await self._answer(loaded, guest_id))

    @refusing
    async def Attend(  # noqa: N802
        self, request: messages.AttendRequest, _context: ServicerContext
    ) -> messages.AttendResponse:
        if len(request.here) > MOST_ATTENDED:
            raise Refusal("bad_request", f"At most {MOST_ATTENDED} people at a time.")
        found: dict[str, LoadedTicket] = {}
        for pool in POOLS.values():
            here = [
                (entry.ticket_id, entry.guest_id, entry.gone)
                for entry in request.here
                if pool_of(entry.ticket_id) == pool
            ]
            if here:
                await self._tickets.attend(pool, here)
                found |= await self._tickets.load_many(pool, (ticket_id for ticket_id, _, _ in here))
        tables = await self._tables(found.values())
        return messages.AttendResponse(
            tickets=[
                ticket_message(found[entry.ticket_id], entry.guest_id, tables, self._issuer, self._limits)
                if entry.ticket_id in found
                else forgotten_ticket(entry.ticket_id)
                for entry in request.here
            ]
        )

    async def _make(
        self, pool: Pool, request: messages.QuickPlayRequest | messages.CreatePartyRequest, is_party: bool
    ) -> LoadedTicket:
        """The guest's ticket: the one that this request made, the one that waits already, or a new one."""
        guest_id = _guest(request.guest_id)
        if not _REQUEST_ID.fullmatch(request.request_id):
            raise Refusal("bad_request_id")
        name = clean_name(request.name, random.getrandbits(32))
        ticket_id = self._issuer.ticket_id(pool.letter, guest_id, request.request_id)
        for attempt in count():
            same = await self._tickets.load(ticket_id)
            if same is not None:
                return same
            known = await self._tickets.of_guest(pool, guest_id)
            former = await self._tickets.load(known) if known else None
            if former is not None and not is_party and await self._goes_on(former, guest_id):
                return former
            if former is not None and former.ticket.waits:
                await self._leave(known, guest_id)
                known = await self._tickets.of_guest(pool, guest_id)
            now_ms = await self._store.now_ms()
            member = Member(guest_id, name, now_ms)
            if is_party:
                ticket = Ticket(ticket_id, (member,), is_party=True, state="party")
            else:
                ticket = Ticket(ticket_id, (member,), since_ms=now_ms)
            if await self._tickets.create(ticket, known):
                self.metrics.tickets.labels("made").inc()
                await self._sitting.end_if_seated(pool, [guest_id])
            elif attempt >= TRIES:
                raise Refusal("busy")

        raise AssertionError("count() never ends")

    async def _goes_on(self, former: LoadedTicket, guest_id: str) -> bool:
        """Whether the guest waits already, or has a seat at a table that came of it and is not over."""
        ticket = former.ticket
        if ticket.state != "seated":
            return ticket.state in ("waiting", "seating")
        loaded = await self._store.load(ticket.table_id)
        if loaded is None or loaded.table.state == "closed" or not seats_of(loaded.table, guest_id):
            return False
        return loaded.table.state != "started" or await self._matches.is_over(ticket.table_id) is False

    async def _leave(self, ticket_id: str, guest_id: str) -> LoadedTicket:
        loaded = await self._tickets.change(ticket_id, lambda ticket, _, __: leave(ticket, guest_id))
        self.metrics.tickets.labels("left").inc()
        return loaded

    async def _answer(self, loaded: LoadedTicket, guest_id: str) -> messages.Ticket:
        tables = await self._tables([loaded])
        return ticket_message(loaded, guest_id, tables, self._issuer, self._limits)

    async def _tables(self, found: Iterable[LoadedTicket]) -> dict[str, Loaded]:
        """The tables of those that are seated."""
        return await self._store.load_many(
            loaded.ticket.table_id for loaded in found if loaded.ticket.state == "seated"
        )


def _guest(guest_id: str) -> str:
    if not guest_id:
        raise Refusal("bad_request", "A guest id is needed.")
    return guest_id


def _pool(variant: types_pb2.Variant.ValueType, profile: types_pb2.Profile.ValueType) -> Pool:
    """The pool for these wishes; raises Refusal as for a table of theirs."""
    terms = read_terms(messages.TableSettings(variant=variant, profile=profile))
    return next(
        pool for pool in POOLS.values() if (pool.variant, pool.profile) == (terms.variant, terms.profile)
    )
