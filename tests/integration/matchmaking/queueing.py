"""People who wait, as their gateway speaks for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as messages
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import call
from tests.integration.matchmaking.harness import Matchmaking

PARTY, WAITING = messages.TICKET_STATE_PARTY, messages.TICKET_STATE_WAITING
SEATED, OVER = messages.TICKET_STATE_SEATED, messages.TICKET_STATE_OVER
TANDEM, FOG = types_pb2.VARIANT_TANDEM, types_pb2.VARIANT_FOG
WITHIN_S = 30
# On a busy machine nobody is to be passed over for a heartbeat that is late.
PATIENT = {"queue_present_ms": 30_000, "queue_absent_ms": 60_000}
_requests = count(1)


class Person:
    """A guest whose ticket is attended. ``news`` are all its different states, in order."""

    def __init__(self, guest_id: str, matchmaking: Matchmaking) -> None:
        self.guest_id = guest_id
        self.matchmaking = matchmaking
        self.ticket = messages.Ticket()
        self.news: list[messages.Ticket] = []
        self.changed = asyncio.Condition()

    def take(self, ticket: messages.Ticket) -> None:
        def told(ticket: messages.Ticket) -> tuple[object, ...]:
            return ticket.state, ticket.reason, ticket.table.table_id, len(ticket.members)

        if not self.news or told(ticket) != told(self.news[-1]):
            self.news.append(ticket)
        self.ticket = ticket

    async def quick_play(self, variant: types_pb2.Variant.ValueType = TANDEM, party: str = "") -> None:
        request = messages.QuickPlayRequest(
            request_id=f"r{next(_requests)}",
            guest_id=self.guest_id,
            name=self.guest_id,
            variant=variant,
            party=party,
        )
        self.take((await call(self.matchmaking.queue.QuickPlay, request)).ticket)

    async def create_party(self) -> str:
        request = messages.CreatePartyRequest(
            request_id=f"r{next(_requests)}", guest_id=self.guest_id, name=self.guest_id
        )
        self.take((await call(self.matchmaking.queue.CreateParty, request)).ticket)
        return self.ticket.ticket_id

    async def join_party(self, party: str) -> None:
        request = messages.JoinPartyRequest(party=party, guest_id=self.guest_id, name=self.guest_id)
        self.take((await call(self.matchmaking.queue.JoinParty, request)).ticket)

    async def accept_bots(self) -> None:
        request = messages.AcceptBotsRequest(ticket_id=self.ticket.ticket_id, guest_id=self.guest_id)
        self.take((await call(self.matchmaking.queue.AcceptBots, request)).ticket)

    async def leave_queue(self) -> None:
        request = messages.LeaveQueueRequest(ticket_id=self.ticket.ticket_id, guest_id=self.guest_id)
        self.take((await call(self.matchmaking.queue.LeaveQueue, request)).ticket)

    async def leave_seat(self) -> None:
        await call(
            self.matchmaking.tables.LeaveSeat, messages.LeaveSeatRequest(token=self.ticket.grant.token)
        )

    async def until(self, condition: Callable[[messages.Ticket], object]) -> messages.Ticket:
        async with asyncio.timeout(WITHIN_S), self.changed:
            while not condition(self.ticket):
                await self.changed.wait()
        return self.ticket

    async def until_seated(self) -> messages.Ticket:
        return await self.until(lambda ticket: ticket.state == SEATED)


class Gateway:
    """Attends the people given to it, every 20 ms, through one replica."""

    def __init__(self, matchmaking: Matchmaking) -> None:
        self.matchmaking = matchmaking
        self.people: list[Person] = []

    def person(self, guest_id: str) -> Person:
        person = Person(guest_id, self.matchmaking)
        self.people.append(person)
        return person

    async def lose(self, person: Person) -> None:
        """The person's last connection has ended."""
        self.people.remove(person)
        gone = messages.Attendance(ticket_id=person.ticket.ticket_id, guest_id=person.guest_id, gone=True)
        await call(self.matchmaking.queue.Attend, messages.AttendRequest(here=[gone]))

    async def run(self) -> None:
        while True:
            people = [person for person in self.people if person.ticket.ticket_id]
            here = [
                messages.Attendance(ticket_id=person.ticket.ticket_id, guest_id=person.guest_id)
                for person in people
            ]
            answer = await call(self.matchmaking.queue.Attend, messages.AttendRequest(here=here))
            for person, ticket in zip(people, answer.tickets, strict=True):
                async with person.changed:
                    if ticket.ticket_id == person.ticket.ticket_id:
                        person.take(ticket)
                        person.changed.notify_all()
            await asyncio.sleep(0.02)


@asynccontextmanager
async def attending(matchmaking: Matchmaking) -> AsyncIterator[Gateway]:
    gateway = Gateway(matchmaking)
    task = asyncio.create_task(gateway.run())
    try:
        yield gateway
        assert not task.done(), task.result()
    finally:
        task.cancel()
