"""Commands about waiting for a table with whoever else waits: what matchmaking's queue is asked."""

from __future__ import annotations

from msgspec import UNSET

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from libs.runtime.refusals import Refusal
from services.gateway import frames
from services.gateway.backends import Backends, ask
from services.gateway.lobby import Answer
from services.gateway.pushed import Ok
from services.gateway.session import Session
from services.gateway.translate import settings_of

WaitingCommand = (
    frames.QuickPlay | frames.QuickPlayBots | frames.LeaveQueue | frames.CreateParty | frames.JoinParty
)


class WaitingRoom:
    """Answers those who wait, or want to."""

    def __init__(self, backends: Backends) -> None:
        self._peers = backends.queue

    async def answer(self, session: Session, command: WaitingCommand) -> Answer:
        """The answer to one command. Raises Refusal when it is no."""
        match command:
            case frames.QuickPlay():
                return await self._quick_play(session, command)
            case frames.CreateParty():
                return await self._create_party(session, command)
            case frames.JoinParty():
                return await self._join_party(session, command)
            case frames.QuickPlayBots():
                return await self._take_bots(session, command)
            case frames.LeaveQueue():
                ticket = await self._leave(_ticket(session), session.guest_id)
                return Answer(Ok(id=command.id), ticket=ticket)

    async def _quick_play(self, session: Session, command: frames.QuickPlay) -> Answer:
        wish = settings_of(command.variant, command.profile, UNSET, public=True)
        request = matchmaking.QuickPlayRequest(
            request_id=command.id,
            guest_id=session.guest_id,
            name=command.name or "",
            variant=wish.variant,
            profile=wish.profile,
            party=command.party or "",
        )
        answer = await ask(self._peers, session.guest_id, lambda stub: stub.QuickPlay, request)
        return await self._waits(session, Ok(id=command.id), answer.ticket)

    async def _create_party(self, session: Session, command: frames.CreateParty) -> Answer:
        wish = settings_of("tandem", command.profile, UNSET, public=True)
        request = matchmaking.CreatePartyRequest(
            request_id=command.id, guest_id=session.guest_id, name=command.name or "", profile=wish.profile
        )
        answer = await ask(self._peers, session.guest_id, lambda stub: stub.CreateParty, request)
        return await self._waits(session, _party(command.id, answer.ticket), answer.ticket)

    async def _join_party(self, session: Session, command: frames.JoinParty) -> Answer:
        request = matchmaking.JoinPartyRequest(
            party=command.party, guest_id=session.guest_id, name=command.name or ""
        )
        answer = await ask(self._peers, session.guest_id, lambda stub: stub.JoinParty, request)
        return await self._waits(session, _party(command.id, answer.ticket), answer.ticket)

    async def _take_bots(self, session: Session, command: frames.QuickPlayBots) -> Answer:
        request = matchmaking.AcceptBotsRequest(ticket_id=_ticket(session), guest_id=session.guest_id)
        answer = await ask(self._peers, session.guest_id, lambda stub: stub.AcceptBots, request)
        return Answer(Ok(id=command.id), ticket=answer.ticket)

    async def _waits(self, session: Session, ok: Ok, ticket: matchmaking.Ticket) -> Answer:
        """A connection waits once: another wish than before takes the former place's stead."""
        former = session.ticket_id
        if former and former != ticket.ticket_id:
            try:
                await self._leave(former, session.guest_id)
            except Refusal as refusal:
                if refusal.reason not in ("not_waiting", "unknown_party"):
                    raise
        return Answer(ok, ticket=ticket)

    async def _leave(self, ticket_id: str, guest_id: str) -> matchmaking.Ticket:
        request = matchmaking.LeaveQueueRequest(ticket_id=ticket_id, guest_id=guest_id)
        answer = await ask(self._peers, guest_id, lambda stub: stub.LeaveQueue, request)
        return answer.ticket


def _party(request_id: str, ticket: matchmaking.Ticket) -> Ok:
    return Ok(id=request_id, party=ticket.ticket_id)


def _ticket(session: Session) -> str:
    if not session.ticket_id:
        raise Refusal("not_waiting")
    return session.ticket_id
