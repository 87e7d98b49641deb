"""A whole match as visibility and the archive get it, put together from a reading of the store. Pure."""

from __future__ import annotations

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchResponse, RawState
from gen.tandemfog.types.v1.types_pb2 import SEAT_KIND_HUMAN
from services.game.stamps import logged_event, read_stamp, stamped_state
from services.game.store import Reading
from services.game.talk import talk_line

NOBODY = "?"
"""Who played, once the names have been forgotten: the notation's own sign for it."""


def state_of(reading: Reading) -> RawState:
    """The state of a reading, stamped."""
    return stamped_state(reading.state, read_stamp(reading.stamp))


def whole_match(reading: Reading) -> GetMatchResponse:
    """All of a match: its state, its log, what was said."""
    one, two = ([talk_line(entry) for entry in talk] for talk in (reading.talk_one, reading.talk_two))
    return GetMatchResponse(
        state=state_of(reading),
        log=[logged_event(entry) for entry in reading.log],
        talk_one=[told.line for told in one],
        talk_two=[told.line for told in two],
        muted_one=[told.line.number for told in one if told.muted],
        muted_two=[told.line.number for told in two if told.muted],
        muting=[int(seat) for seat in reading.muting],
    )


def to_archive(reading: Reading) -> bytes:
    """A finished match for good: without a word of what was said."""
    return GetMatchResponse(
        state=state_of(reading), log=[logged_event(entry) for entry in reading.log]
    ).SerializeToString()


def nameless(body: bytes) -> bytes:
    """An archived match without its people's names; bots keep theirs."""
    match = GetMatchResponse.FromString(body)
    for seat in match.state.seats:
        if seat.kind == SEAT_KIND_HUMAN:
            seat.name = NOBODY
    return match.SerializeToString()
