"""Commands about tables and seats: what matchmaking is asked on a guest's behalf."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET, UnsetType

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from libs.runtime.refusals import Refusal
from services.gateway import frames
from services.gateway.addresses import ADDRESSES
from services.gateway.backends import Backends, ask, shard_key
from services.gateway.metrics import GatewayMetrics
from services.gateway.pushed import HeldSeat, Ok
from services.gateway.rate import TokenBuckets
from services.gateway.session import Place, Session
from services.gateway.settings import GatewaySettings
from services.gateway.translate import bot_level, settings_of, small_number

GUESTS = 20_000
"""Guests whose tables are counted; past them the one that made none for longest is forgotten."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command. With a place and its table the connection takes that place once it is sent,
    `again` for who only asks for what was missed, `reads` for who holds no seat by it; with `leaves` it
    stops watching; with a ticket it waits."""

    ok: Ok
    place: Place | None = None
    table: matchmaking.Table | None = None
    leaves: bool = False
    ticket: matchmaking.Ticket | None = None
    again: bool = False
    reads: bool = False


class TableLimit:
    """How many tables a guest and an address may make: so many at once, then one more each so long.

    Who sends no cookie is a new guest with every connection, but not a new address.
    """

    def __init__(self, settings: GatewaySettings, metrics: GatewayMetrics) -> None:
        self._guests = TokenBuckets(settings.tables_per_guest, 1000 / settings.table_every_ms, GUESTS)
        self._addresses = TokenBuckets(
            settings.tables_per_address, 1000 / settings.address_table_every_ms, ADDRESSES
        )
        self._metrics = metrics

    def take(self, guest_id: str, address: str) -> None:
        """One more table. Raises Refusal too_many_tables."""
        now_s = time.monotonic()
        for limit, buckets, key in (
            ("guest_tables", self._guests, guest_id),
            ("address_tables", self._addresses, address),
        ):
            if not buckets.take(key, now_s):
                self._metrics.limited.labels(limit).inc()
                raise Refusal("too_many_tables")


TableCommand = frames.CreateTable | frames.PlayNow | frames.TakeSeat | frames.Join | frames.SetBot


class Lobby:
    """Each method asks matchmaking one thing and raises Refusal when the answer is no."""

    def __init__(self, backends: Backends, table_limit: TableLimit) -> None:
        self._peers = backends.matchmaking
        self._table_limit = table_limit

    async def answer(self, session: Session, command: TableCommand) -> Answer:
        """The answer to one command."""
        match command:
            case frames.CreateTable():
                return await self._create_table(session, command)
            case frames.PlayNow():
                return await self._play_now(session, command)
            case frames.TakeSeat():
                return await self._take_seat(session, command)
            case frames.Join():
                return await self._join(session, command)
            case frames.SetBot():
                return await self._set_bot(session, command)

    async def list_tables(self) -> list[matchmaking.Table]:
        """Public tables, open ones first."""
        request = matchmaking.ListTablesRequest()
        answer = await ask(self._peers, "", lambda stub: stub.ListTables, request)
        return list(answer.tables)

    async def get_table(self, table_id: str) -> matchmaking.Table:
        request = matchmaking.GetTableRequest(table_id=table_id)
        answer = await ask(self._peers, shard_key(table_id), lambda stub: stub.GetTable, request)
        return answer.table

    async def _create_table(self, session: Session, command: frames.CreateTable) -> Answer:
        curtain = bool(command.curtain)
        if command.names is not UNSET and not curtain:
            raise Refusal("bad_request", "Names are given for two people on one device.")
        self._table_limit.take(session.guest_id, session.address)
        request = matchmaking.CreateTableRequest(
            request_id=command.id,
            guest_id=session.guest_id,
            settings=settings_of(command.variant, command.profile, command.time, command.public, curtain),
            names=command.names or (),
        )
        answer = await ask(self._peers, session.guest_id, lambda stub: stub.CreateTable, request)
        return Answer(Ok(id=command.id, table=answer.table.table_id, seats=_held(answer.grants)))

    async def _play_now(self, session: Session, command: frames.PlayNow) -> Answer:
        self._table_limit.take(session.guest_id, session.address)
        request = matchmaking.PlayNowRequest(
            request_id=command.id,
            guest_id=session.guest_id,
            name=command.name or "",
            settings=settings_of(command.variant, command.profile, command.time, public=False),
            seat=small_number(command.seat or 0, "unknown_seat"),
            level=0 if command.level is UNSET else bot_level(command.level),
        )
        answer = await ask(self._peers, session.guest_id, lambda stub: stub.PlayNow, request)
        return seated(command.id, answer.table, answer.grant)

    async def _take_seat(self, session: Session, command: frames.TakeSeat) -> Answer:
        request = matchmaking.TakeSeatRequest(
            table_id=command.table,
            seat=small_number(command.seat or 0, "unknown_seat"),
            any_seat=command.seat is UNSET,
            guest_id=session.guest_id,
            name=command.name or "",
        )
        answer = await ask(self._peers, shard_key(command.table), lambda stub: stub.TakeSeat, request)
        return seated(command.id, answer.table, answer.grant)

    async def _join(self, session: Session, command: frames.Join) -> Answer:
        """As the holder of the seat that the token proves, or that the guest has; else as a spectator.

        From a finished table to its rematch the old seat's token leads to the new one (R03). Who holds both
        seats of a table, with a curtain between them, is in front of it until a seat is named (F-curtain).
        """
        place, token = session.place, command.token or ""
        again, reads = command.version is not UNSET, command.reader is True
        rematch = place is not None and session.table.rematch.next_table_id == command.table
        if rematch and not token and not session.table.settings.curtain:
            token = session.joined().token
        if isinstance(command.seat, int):
            claimed = await self.claim_seat(session.guest_id, command.table, command.seat, token)
            return replace(seated(command.id, *claimed), again=again, reads=reads)
        answer = await self._claim(session.guest_id, command.table, token)
        if answer.table.settings.curtain:
            ok = Ok(id=command.id, table=command.table, seats=_held(answer.grants))
            return Answer(ok, Place(command.table), answer.table)
        if answer.grants and command.seat is not None:
            found = seated(command.id, answer.table, answer.grants[0])
            return replace(found, again=again, reads=reads)
        return Answer(Ok(id=command.id, table=command.table), Place(command.table), answer.table)

    async def claim_seat(
        self, guest_id: str, table_id: str, seat: int, token: str
    ) -> tuple[matchmaking.Table, matchmaking.SeatGrant]:
        """The table and this very seat, which the token proves or the guest holds; Refusal not_your_seat."""
        answer = await self._claim(guest_id, table_id, token)
        for grant in answer.grants:
            if grant.seat == seat:
                return answer.table, grant
        raise Refusal("not_your_seat")

    async def _claim(self, guest_id: str, table_id: str, token: str) -> matchmaking.ClaimSeatsResponse:
        request = matchmaking.ClaimSeatsRequest(table_id=table_id, guest_id=guest_id, token=token)
        return await ask(self._peers, shard_key(table_id), lambda stub: stub.ClaimSeats, request)

    async def _set_bot(self, session: Session, command: frames.SetBot) -> Answer:
        place = session.joined()
        request = matchmaking.SetBotRequest(
            token=place.token,
            guest_id=session.guest_id,
            table_id=place.table_id,
            seat=small_number(command.seat, "unknown_seat"),
            level=small_number(command.level, "bad_level"),
        )
        await ask(self._peers, shard_key(place.table_id), lambda stub: stub.SetBot, request)
        return Answer(Ok(id=command.id))

    async def leave_seat(self, place: Place) -> matchmaking.Table:
        request = matchmaking.LeaveSeatRequest(token=place.token)
        answer = await ask(self._peers, shard_key(place.table_id), lambda stub: stub.LeaveSeat, request)
        return answer.table

    async def set_rematch(self, place: Place, agree: bool, rotate: bool) -> None:
        request = matchmaking.SetRematchRequest(token=place.token, agree=agree, rotate=rotate)
        await ask(self._peers, shard_key(place.table_id), lambda stub: stub.SetRematch, request)


def _held(grants: Sequence[matchmaking.SeatGrant]) -> list[HeldSeat] | UnsetType:
    return [HeldSeat(grant.seat, grant.token) for grant in grants] or UNSET


def seated(request_id: str, table: matchmaking.Table, grant: matchmaking.SeatGrant) -> Answer:
    """The answer to whoever has got a seat, whose place it is from now on."""
    return Answer(
        Ok(id=request_id, table=table.table_id, seat=grant.seat, token=grant.token),
        Place(table.table_id, grant.seat, grant.token),
        table,
    )
