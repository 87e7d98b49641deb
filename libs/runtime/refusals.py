"""The named refusals of all services, and the one table that maps them to gRPC status and words.

A service raises ``Refusal(reason)``; the servicer turns it into a status whose trailing metadata key
``reason`` names it; the caller's side turns that back into a ``Refusal``. Unknown names are a bug.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, TypeVar

import grpc

from libs.runtime.logs import bind

_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_STATE = grpc.StatusCode.FAILED_PRECONDITION
_ABSENT = grpc.StatusCode.NOT_FOUND
_DENIED = grpc.StatusCode.PERMISSION_DENIED
_TAKEN = grpc.StatusCode.ALREADY_EXISTS
_BUSY = grpc.StatusCode.UNAVAILABLE
_MANY = grpc.StatusCode.RESOURCE_EXHAUSTED
_LARGE = grpc.StatusCode.OUT_OF_RANGE

REASONS: dict[str, tuple[grpc.StatusCode, str]] = {
    # Frames and requests.
    "bad_frame": (_INVALID, "The message could not be read."),
    "unknown_frame": (_INVALID, "There is no message of that type."),
    "frame_too_large": (_INVALID, "The message is too large."),
    "bad_request": (_INVALID, "The request is incomplete or wrong."),
    "bad_request_id": (_INVALID, "A request id has 1 to 64 letters, digits, '-' or '_'."),
    "too_fast": (_MANY, "Too many messages; wait a little."),
    "too_many_connections": (_MANY, "Too many connections from your address; close some."),
    "blocked": (_DENIED, "Connections from your address are not taken at the moment."),
    "too_many_tables": (_MANY, "You have made many tables; wait a little."),
    "not_joined": (_STATE, "Join a table first."),
    # Games to be read.
    "text_too_large": (_LARGE, "A game to be read has at most 256 kB."),
    "unreadable_game": (_INVALID, "There is no game in this text."),
    # Tables.
    "unknown_table": (_ABSENT, "There is no such table."),
    "unknown_seat": (_INVALID, "The table has no such seat."),
    "seat_taken": (_TAKEN, "Somebody sits there already."),
    "no_free_seat": (_STATE, "Every seat is taken."),
    "already_started": (_STATE, "The match has started."),
    "table_closed": (_STATE, "The table is closed."),
    "bad_variant": (_INVALID, "Choose tandem or fog."),
    "bad_profile": (_INVALID, "Choose online or club."),
    "bad_time": (_INVALID, "Base time is 15 seconds to 60 minutes, increment 0 to 60 seconds."),
    "clock_required": (_INVALID, "A tandem table always has a clock."),
    "fog_not_combinable": (_INVALID, "Fog of war cannot be combined with another variant, profile or setup."),
    "curtain_not_combinable": (
        _INVALID,
        "Two people on one device play Fog of war, without computers and unlisted.",
    ),
    "bad_name": (_INVALID, "A name has 1 to 20 visible characters."),
    "bad_level": (_INVALID, "A bot's level is 1 to 5."),
    "not_your_table": (_DENIED, "Only somebody at the table may do that."),
    "start_failed": (_BUSY, "The match could not be started."),
    "no_rematch": (_STATE, "A rematch is not possible now."),
    # The queue.
    "not_waiting": (_STATE, "You are not waiting for a table."),
    "bots_not_offered": (_STATE, "Computers are offered to those who have waited a while."),
    "unknown_party": (_ABSENT, "There is no such pair any more."),
    "party_full": (_TAKEN, "The pair is complete."),
    "party_incomplete": (_STATE, "Your partner has not come yet."),
    # Seats and tokens.
    "bad_token": (_DENIED, "The seat's token is not valid."),
    "not_your_seat": (_DENIED, "That is not your seat."),
    "moved": (_STATE, "The seat is held by a later connection; join again to take it back."),
    "stale_lease": (_DENIED, "Another worker holds the seat."),
    # Commands in a match.
    "unknown_match": (_ABSENT, "There is no such match."),
    "over": (_STATE, "The match is over."),
    "not_your_turn": (_STATE, "It is not your turn."),
    "stale": (_STATE, "The move answers another position."),
    "illegal_move": (_INVALID, "That move is not possible."),
    "bad_uci": (_INVALID, "A move is written like e2e4, e7e8q or N@f3."),
    "not_in_hand": (_INVALID, "That piece is not in your hand."),
    "square_occupied": (_INVALID, "A piece can only be dropped on an empty square."),
    "pawn_on_last_rank": (_INVALID, "Pawns are never dropped on rank 1 or 8."),
    "leaves_king_in_check": (_INVALID, "The king would be in check."),
    "no_piece": (_INVALID, "There is no piece of yours on that square."),
    "wrong_side": (_INVALID, "That piece is not yours to move."),
    "wrong_board": (_INVALID, "Your seat is on the other board."),
    "abort_gone": (_STATE, "The match can no longer be aborted."),
    "offer_stands": (_STATE, "Your offer stands already."),
    "offer_too_soon": (_STATE, "Make two more moves before you offer again."),
    "no_offer": (_STATE, "There is no draw offer."),
    "not_for_bots": (_STATE, "That is for people to decide, not for a computer."),
    "curtain_down": (_STATE, "The curtain is down until the side to move lifts it."),
    "curtain_up": (_STATE, "The curtain has been lifted already."),
    "no_curtain": (_STATE, "There is no curtain at this table."),
    "bad_gesture": (_INVALID, "There is no such action."),
    "text_too_long": (_INVALID, "A message has at most 200 characters."),
    "empty_text": (_INVALID, "The message is empty."),
    "bad_text": (_INVALID, "A message has no control characters and none that turn its direction."),
    "talk_too_fast": (_MANY, "Too many messages to your partner; wait a little."),
    "no_partner": (_STATE, "There is no partner to talk to."),
    "unknown_line": (_ABSENT, "Your partner has said no such thing."),
    "already_reported": (_TAKEN, "That has been reported."),
    "still_running": (_STATE, "The match is still running."),
    "busy": (_BUSY, "Too much at once; try again."),
    "draining": (_BUSY, "This server is about to stop; connect again."),
    "unavailable": (_BUSY, "A part of the service does not answer; try again."),
    "unconfirmed": (_BUSY, "The move was made but is not yet safe on a second store."),
}

Request = TypeVar("Request")
Response = TypeVar("Response")

REASON_KEY = "reason"
"""Trailing metadata key that carries the reason."""


class Refusal(Exception):
    """A named refusal. ``reason`` is a key of REASONS, ``detail`` a sentence for people."""

    def __init__(self, reason: str, detail: str = "") -> None:
        if reason not in REASONS:
            raise KeyError(f"unnamed refusal: {reason}")
        self.reason = reason
        self.detail = detail or REASONS[reason][1]
        super().__init__(f"{reason}: {self.detail}")


async def refuse(context: grpc.aio.ServicerContext[Any, Any], refusal: Refusal) -> NoReturn:
    """End the RPC with the refusal's status, its detail and its reason in the trailing metadata."""
    status, _ = REASONS[refusal.reason]
    bind(reason=refusal.reason)
    await context.abort(status, refusal.detail, ((REASON_KEY, refusal.reason),))
    raise AssertionError("abort always raises")


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """Return the reason that a failed RPC names; "" when it names none: then no service of ours answered."""
    for key, value in error.trailing_metadata() or ():
        if key == REASON_KEY and value in REASONS:
            return str(value)
    return ""


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """Return the refusal that a failed RPC carries; any other failure is ``unavailable``."""
    reason = reason_of(error)
    return Refusal(reason, error.details() or "") if reason else Refusal("unavailable")


def error_of(code: grpc.StatusCode, reason: str = "", detail: str = "") -> grpc.aio.AioRpcError:
    """Return the error with which a call would have failed, for what did not travel as one.

    A known `reason` comes with its own status and `refusal_of` finds it again; else the status is `code`.
    """
    nothing = grpc.aio.Metadata()
    if reason not in REASONS:
        return grpc.aio.AioRpcError(code, nothing, nothing, detail)
    return grpc.aio.AioRpcError(REASONS[reason][0], nothing, grpc.aio.Metadata((REASON_KEY, reason)), detail)


def is_gone(error: grpc.aio.AioRpcError) -> bool:
    """Tell whether the member that was asked cannot answer at all, so that another one may.

    A named refusal is an answer, whatever its status; only ``draining`` sends the caller elsewhere.
    """
    unavailable = error.code() == grpc.StatusCode.UNAVAILABLE
    return unavailable and refusal_of(error).reason in ("unavailable", "draining")


async def call(
    method: Callable[..., Awaitable[Response]], request: Request, timeout_s: float = 5.0
) -> Response:
    """Call a unary RPC and raise its failure as a Refusal."""
    try:
        return await method(request, timeout=timeout_s)
    except grpc.aio.AioRpcError as error:
        raise refusal_of(error) from error
