"""The frames of the browser protocol (docs/protocol.md) as types. Nothing else in the gateway speaks JSON.

A field that may be left out is UNSET when it is; a field that may be null says so. Commands are judged
here for their form only (types, unknown and missing fields): what a name, a level or a move may be is said
by the service whose rule it is, with a named refusal.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from libs.runtime.refusals import Refusal

FRAME_BYTES = 4096
"""The longest message of a browser that is read, in bytes."""

_REQUEST_ID = r"^[A-Za-z0-9_-]{1,64}$"
RequestId = Annotated[str, Meta(pattern=_REQUEST_ID)]
Board = Literal["A", "B"]


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """Base time and increment, in milliseconds."""

    initial_ms: int
    increment_ms: int


class Command(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="t"):
    """Anything that a browser asks for; `id` names the request."""

    id: RequestId


class CreateTable(Command, frozen=True, tag="create_table"):
    variant: str
    profile: str | UnsetType | None = UNSET
    time: TimeControl | UnsetType | None = UNSET
    public: bool = False
    curtain: bool | UnsetType = UNSET
    names: list[str] | UnsetType = UNSET


class PlayNow(Command, frozen=True, tag="play_now"):
    variant: str
    profile: str | UnsetType | None = UNSET
    time: TimeControl | UnsetType | None = UNSET
    name: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    level: int | UnsetType = UNSET


class ListTables(Command, frozen=True, tag="list_tables"):
    pass


class Join(Command, frozen=True, tag="join"):
    """`version` and `epoch` tell what was seen last. Every join is answered with a full view all the same,
    but who names a version only asks for what was missed: it takes no seat back from a later connection.
    `seat` is the one to be shown of several that the guest holds, or null for a spectator's view. `reader`:
    it was moved away before, and comes back over a new connection to go on reading."""

    table: str
    token: str | UnsetType = UNSET
    version: int | UnsetType = UNSET
    epoch: int | UnsetType = UNSET
    seat: int | UnsetType | None = UNSET
    reader: bool | UnsetType = UNSET


class TakeSeat(Command, frozen=True, tag="take_seat"):
    table: str
    seat: int | UnsetType = UNSET
    name: str | UnsetType = UNSET


class SetBot(Command, frozen=True, tag="set_bot"):
    seat: int
    level: int


class Move(Command, frozen=True, tag="move"):
    board: Board
    ply: int
    uci: str


class Lift(Command, frozen=True, tag="lift"):
    """The curtain between two people on one device; `token` proves the seat when the cookie does not."""

    seat: int
    ply: int
    token: str | UnsetType = UNSET


class Gesture(Command, frozen=True):
    """What a seat does without naming a square."""


class Resign(Gesture, frozen=True, tag="resign"):
    pass


class OfferDraw(Gesture, frozen=True, tag="offer_draw"):
    pass


class AcceptDraw(Gesture, frozen=True, tag="accept_draw"):
    pass


class DeclineDraw(Gesture, frozen=True, tag="decline_draw"):
    pass


class Abort(Gesture, frozen=True, tag="abort"):
    pass


class Leave(Command, frozen=True, tag="leave"):
    pass


class Say(Command, frozen=True, tag="say"):
    """Either `quick` or `text`."""

    quick: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class Rematch(Command, frozen=True, tag="rematch"):
    agree: bool
    rotate: bool = False


class QuickPlay(Command, frozen=True, tag="quick_play"):
    variant: str
    profile: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    party: str | UnsetType = UNSET


class QuickPlayBots(Command, frozen=True, tag="quick_play_bots"):
    pass


class LeaveQueue(Command, frozen=True, tag="leave_queue"):
    pass


class CreateParty(Command, frozen=True, tag="create_party"):
    profile: str | UnsetType = UNSET
    name: str | UnsetType = UNSET


class JoinParty(Command, frozen=True, tag="join_party"):
    party: str
    name: str | UnsetType = UNSET


class WatchList(Command, frozen=True, tag="watch_list"):
    on: bool


class Mute(Command, frozen=True, tag="mute"):
    on: bool


class Report(Command, frozen=True, tag="report"):
    """`number` is that of the partner's line."""

    number: int
    words: str = ""


class Ping(Command, frozen=True, tag="ping"):
    pass


AnyCommand = (
    CreateTable
    | PlayNow
    | ListTables
    | Join
    | TakeSeat
    | SetBot
    | Move
    | Lift
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | Abort
    | Leave
    | Say
    | Rematch
    | QuickPlay
    | QuickPlayBots
    | LeaveQueue
    | CreateParty
    | JoinParty
    | WatchList
    | Mute
    | Report
    | Ping
)
COMMANDS: dict[str, msgspec.json.Decoder[Any]] = {
    str(kind.__struct_config__.tag): msgspec.json.Decoder(kind) for kind in AnyCommand.__args__
}


class BadFrame(Exception):
    """A message that is no command. `refusal` names what is wrong, `id` is its request id if it has one."""

    def __init__(self, refusal: Refusal, request_id: str | None = None) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.id = request_id


class Heading(Struct):
    """What makes any object a message: its type and its request id, of whatever kind they are."""

    t: Any = None
    id: Any = None


_heading = msgspec.json.Decoder(Heading)


def read_command(message: bytes) -> AnyCommand:
    """The command in `message`. Raises BadFrame: frame_too_large, bad_frame (no JSON object with a type),
    unknown_frame, bad_request_id, bad_request (missing, unknown or wrongly typed fields)."""
    if len(message) > FRAME_BYTES:
        raise BadFrame(Refusal("frame_too_large"))
    try:
        heading = _heading.decode(message)
    except (msgspec.MsgspecError, RecursionError):
        raise BadFrame(Refusal("bad_frame")) from None
    known_id = isinstance(heading.id, str) and re.fullmatch(_REQUEST_ID, heading.id) is not None
    request_id = heading.id if known_id else None
    if not isinstance(heading.t, str):
        raise BadFrame(Refusal("bad_frame"), request_id)
    decoder = COMMANDS.get(heading.t)
    if decoder is None:
        raise BadFrame(Refusal("unknown_frame"), request_id)
    if request_id is None:
        raise BadFrame(Refusal("bad_request_id"))
    try:
        command: AnyCommand = decoder.decode(message)
    except msgspec.MsgspecError as error:
        raise BadFrame(Refusal("bad_request", f"The request is wrong: {error}."), request_id) from None
    return command


def encode(frame: Struct | list[Any] | dict[str, Any]) -> bytes:
    """The JSON text of a frame or of an HTTP answer."""
    return msgspec.json.encode(frame)
