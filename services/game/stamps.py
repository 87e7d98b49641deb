"""What the commit stamps on states and events: versions and times. The text is lua/match.lua's. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from gen.tandemfog.feed.v1.feed_pb2 import EventWithState, RawEvent, RawState


@dataclass(frozen=True, slots=True)
class Stamp:
    """One stamp. Times are microseconds of match time.

    ``remaining_us`` per seat, empty without a clock; ``running``: seats whose clock runs; ``outages`` as
    (began, lasted); ``lag_us``: the network delay that a mover was credited (T-lag).
    """

    version: int
    public_version: int
    is_public: bool
    epoch: int
    at_us: int
    remaining_us: tuple[int, ...]
    running: frozenset[int]
    outages: tuple[tuple[int, int], ...]
    lag_us: int


def _numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(map(int, text.split(",")))


def read_stamp(text: bytes) -> Stamp:
    """Read a stamp as the store keeps it."""
    version, public, is_public, epoch, at, remaining, running, outages, *lag = text.decode().split(" ")
    pauses = [] if outages == "-" else [pause.split(":") for pause in outages.split(",")]
    return Stamp(
        version=int(version),
        public_version=int(public),
        is_public=is_public == "1",
        epoch=int(epoch),
        at_us=int(at),
        remaining_us=_numbers(remaining),
        running=frozenset(_numbers(running)),
        outages=tuple((int(began), int(lasted)) for began, lasted in pauses),
        lag_us=int(lag[0]) if lag else 0,  # a match from before delays were credited has none
    )


def stamped_state(state: bytes, stamp: Stamp) -> RawState:
    """The kept state with its stamp."""
    message = RawState.FromString(state)
    _stamp_state(message, stamp)
    return message


def _stamp_state(message: RawState, stamp: Stamp) -> None:
    message.version = stamp.version
    message.public_version = stamp.public_version
    message.epoch = stamp.epoch
    message.at_us = stamp.at_us
    for seat, remaining_us in enumerate(stamp.remaining_us):
        message.clocks.add(remaining_us=remaining_us, running=seat in stamp.running)
    for began_us, lasted_us in stamp.outages:
        message.outages.add(at_ms=began_us // 1000, lasted_ms=lasted_us // 1000)


def stamped_event(event: bytes, stamp: Stamp) -> RawEvent:
    """The kept event with its stamp; a move gets its maker's clock, -1 without one, and credit."""
    message = RawEvent.FromString(event)
    _stamp_event(message, stamp)
    return message


def _stamp_event(message: RawEvent, stamp: Stamp) -> None:
    message.version = stamp.version
    message.at_us = stamp.at_us
    message.public = stamp.is_public
    if message.HasField("moved"):
        moved = message.moved
        moved.lag_us = stamp.lag_us
        mover = 2 * moved.board + (moved.ply - 1) % 2
        moved.remaining_us = stamp.remaining_us[mover] if stamp.remaining_us else -1


def stamp_both(item: EventWithState, event: bytes, state: bytes, stamp_text: bytes) -> None:
    """Put an event and the state after it, both with their stamp, into an empty item."""
    stamp = read_stamp(stamp_text)
    item.event.MergeFromString(event)
    _stamp_event(item.event, stamp)
    item.state.MergeFromString(state)
    _stamp_state(item.state, stamp)


def logged_event(entry: bytes) -> RawEvent:
    """An entry of a match's log: the stamp, a line break, the event."""
    stamp_text, _, event = entry.partition(b"\n")
    return stamped_event(event, read_stamp(stamp_text))
