"""Tickets as messages: what each of those who wait may know. Guest ids stay here."""

from __future__ import annotations

from collections.abc import Mapping

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from services.matchmaking.issuer import Issuer
from services.matchmaking.messages import profile_number, table_message, variant_number
from services.matchmaking.store import Loaded
from services.matchmaking.ticket import QueueLimits, bots_offered, is_online
from services.matchmaking.tickets import LoadedTicket, pool_of

_STATES = {
    "party": messages.TICKET_STATE_PARTY,
    "waiting": messages.TICKET_STATE_WAITING,
    "seating": messages.TICKET_STATE_WAITING,
    "seated": messages.TICKET_STATE_SEATED,
    "over": messages.TICKET_STATE_OVER,
}


def ticket_message(
    loaded: LoadedTicket, guest_id: str, tables: Mapping[str, Loaded], issuer: Issuer, limits: QueueLimits
) -> messages.Ticket:
    """Return the ticket as that guest may see it; over, for one who is not in it (any more).

    ``tables`` are those of seated tickets, as far as they are there.
    """
    ticket, now_ms = loaded.ticket, loaded.now_ms
    message = messages.Ticket(
        ticket_id=ticket.ticket_id,
        state=_STATES[ticket.state],
        variant=variant_number(ticket.pool.variant),
        profile=profile_number(ticket.pool.profile),
        is_party=ticket.is_party,
        reason=ticket.reason,
    )
    number = next((n for n, member in enumerate(ticket.members) if member.guest_id == guest_id), None)
    if number is None:
        message.state, message.reason = messages.TICKET_STATE_OVER, "left"
        return message
    message.members.extend(
        messages.TicketMember(name=member.name, online=is_online(member, loaded.heard, now_ms, limits))
        for member in ticket.members
    )
    if ticket.state in ("waiting", "seating"):
        message.waited_ms = max(0, now_ms - ticket.since_ms)
        message.waiting = loaded.waiting
        message.bots_offered = bots_offered(ticket, now_ms, limits)
    if ticket.state == "seated" and ticket.table_id in tables:
        message.table.CopyFrom(table_message(tables[ticket.table_id].table, now_ms))
        message.grant.seat = ticket.seats[number]
        message.grant.token = issuer.person_token(ticket.table_id, message.grant.seat, lease=1)
    return message


def forgotten_ticket(ticket_id: str) -> messages.Ticket:
    """A ticket that nobody has spoken of for long."""
    pool = pool_of(ticket_id)
    return messages.Ticket(
        ticket_id=ticket_id,
        state=messages.TICKET_STATE_OVER,
        variant=variant_number(pool.variant),
        profile=profile_number(pool.profile),
        reason="no_connection",
    )
