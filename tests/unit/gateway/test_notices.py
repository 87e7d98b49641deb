"""Whoever sits where somebody is to be blocked: their address, if it is known, and nobody else's."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import structlog.testing

from gen.tandemfog.operations.v1.operations_pb2 import (
    BlockedAddress,
    BlockRequest,
    GetNoticesResponse,
    UnblockRequest,
)
from libs.runtime.refusals import Refusal
from services.gateway.addresses import UNKNOWN
from services.gateway.notices import Notices, seat_path

KARIS, OLAS = (seat_path("07" + letter * 24, 0) for letter in "ab")


def block(address: str, words: str = "rude") -> BlockedAddress:
    until_ms = time.time_ns() // 1_000_000 + 60_000
    return BlockedAddress(address=address, until_ms=until_ms, who="kari", words=words)


@dataclass(eq=False)
class Sink:
    address: str
    seat_path: str

    def show_announcement(self, _frame: bytes) -> None:
        raise AssertionError("nothing is announced")


class Told(Notices):
    """Notes what game is told; `refuses` are reasons by the address that it is told of."""

    def __init__(self, refuses: dict[str, str] | None = None) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.done: list[tuple[str, str]] = []
        self._refuses = refuses or {}

    async def _ask(self, _method: Any, request: Any) -> Any:
        is_block = isinstance(request, BlockRequest)
        assert is_block or isinstance(request, UnblockRequest)
        address = request.blocked.address if is_block else request.address
        if address in self._refuses:
            raise Refusal(self._refuses[address])
        self.done.append(("block" if is_block else "unblock", address))


async def caught(notices: Told, *sinks: Sink) -> list[tuple[str, str]]:
    """What is told of it after a look: seats that were not blocked, and why."""
    for sink in sinks:
        notices.watch(sink)
    notices.take(GetNoticesResponse(blocked=[block(KARIS), block(OLAS)]))
    with structlog.testing.capture_logs() as lines:
        await notices._catch()
    assert {line["event"] for line in lines} <= {"seat_not_blocked"}
    return [(line["seat"], line["reason"]) for line in lines]


async def test_who_sits_there_is_blocked_at_every_address_and_the_seat_is_not_listed_any_more() -> None:
    notices = Told()
    sinks = (Sink("203.0.113.7", KARIS), Sink("203.0.113.8", KARIS), Sink("203.0.113.9", "t/other/1"))
    assert await caught(notices, *sinks) == []
    assert sorted(notices.done[:2]) == [("block", "203.0.113.7"), ("block", "203.0.113.8")]
    assert notices.done[2:] == [("unblock", KARIS)]


async def test_an_address_that_is_not_known_is_never_blocked() -> None:
    notices = Told()
    unknown = Sink(UNKNOWN, KARIS)
    assert await caught(notices, unknown) == [(KARIS, "the address is not known")]
    assert await caught(notices, unknown) == [], "told once a minute, not once a second"
    assert notices.done == []
    notices.take(GetNoticesResponse(blocked=[block(UNKNOWN), block("203.0.113.7")]))
    assert notices.blocks("203.0.113.7")
    assert not notices.blocks(UNKNOWN)


async def test_a_seat_whose_block_is_refused_does_not_hold_up_the_others() -> None:
    for refused, seat in (("203.0.113.7", KARIS), ("203.0.113.8", OLAS)):
        notices = Told({refused: "bad_request"})
        told = await caught(notices, Sink("203.0.113.7", KARIS), Sink("203.0.113.8", OLAS))
        assert told == [(seat, "bad_request")]
        other, others_seat = ("203.0.113.8", OLAS) if seat == KARIS else ("203.0.113.7", KARIS)
        assert notices.done == [("block", other), ("unblock", others_seat)]


async def test_a_seat_that_another_gateway_has_taken_off_the_list_is_no_failure() -> None:
    notices = Told({KARIS: "bad_request"})
    assert await caught(notices, Sink("203.0.113.7", KARIS)) == []
    assert notices.done == [("block", "203.0.113.7")]
    notices = Told({KARIS: "unavailable"})
    assert await caught(notices, Sink("203.0.113.7", KARIS)) == [(KARIS, "unavailable")]
