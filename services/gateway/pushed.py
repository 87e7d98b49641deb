"""The frames that the server sends: answers to commands, and what is pushed without being asked."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from services.gateway.frames import TimeControl

Color = Literal["white", "black"]


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["free", "human", "bot"]
    name: str
    level: int
    online: bool


class TableEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A table in a list."""

    table: str
    state: str
    variant: str
    profile: str | None
    time: TimeControl | None
    public: bool
    seats: list[Seat]


class RematchState(Struct, frozen=True, forbid_unknown_fields=True):
    """Who agreed, who asked to rotate, and the next table ("" until all agreed)."""

    agreed: list[int]
    rotate: list[int]
    next_table: str
    expires_in_ms: int


class TableState(Struct, frozen=True, forbid_unknown_fields=True):
    """A table before the start and after the end, as HTTP gives it."""

    table: str
    version: int
    state: str
    variant: str
    profile: str | None
    time: TimeControl | None
    public: bool
    seats: list[Seat]
    starts_in_ms: int
    closed_reason: str
    rematch: RematchState
    curtain: bool


class Table(TableState, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="table"):
    """The same as a frame."""


class HeldSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """One of several seats that a guest holds at a table."""

    seat: int
    token: str


class Ok(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="t", tag="ok"):
    id: str
    version: int | UnsetType = UNSET
    duplicate: bool | UnsetType = UNSET
    table: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    token: str | UnsetType = UNSET
    tables: list[TableEntry] | UnsetType = UNSET
    party: str | UnsetType = UNSET
    seats: list[HeldSeat] | UnsetType = UNSET


class Error(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="error"):
    id: str | None
    reason: str
    detail: str


class BoardState(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as the viewer sees it; hands, FEN and state are null in fog."""

    pieces: str
    promoted: list[str]
    hands: list[str] | None
    fen: str | None
    turn: Color
    ply: int
    state: str | None
    last: list[str]


class ClockState(Struct, frozen=True, forbid_unknown_fields=True):
    at_ms: int
    remaining_ms: list[int]
    running: list[bool]
    age_ms: int


class MoveLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A move; san and uci are null when fog hides it."""

    board: str
    ply: int
    san: str | None
    uci: str | None
    mark: str | None
    at_ms: int
    remaining_ms: int | None


class StandingState(Struct, frozen=True, forbid_unknown_fields=True):
    draw_agreed: list[int]
    may_abort: bool
    may_offer_draw: bool


class DropSquares(Struct, frozen=True, forbid_unknown_fields=True):
    pieces: list[str]
    pawns: list[str]


class LegalMoves(Struct, frozen=True, forbid_unknown_fields=True, rename={"origins": "from"}):
    ply: int
    origins: dict[str, list[str]]
    drops: DropSquares


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    winner: int | None
    reason: str


class TalkEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A line said in one's own team: a quick message or a text."""

    number: int
    seat: int
    quick: str | None
    text: str | None
    at_ms: int


class Outage(Struct, frozen=True, forbid_unknown_fields=True):
    """A pause of the whole service: match time at which it began, and its length."""

    at_ms: int
    length_ms: int


class Full(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="full"):
    table: str
    version: int
    epoch: int
    variant: str
    profile: str | None
    time: TimeControl | None
    you: int | None
    seats: list[Seat]
    boards: dict[str, BoardState]
    clocks: ClockState | None
    moves: list[MoveLine]
    standing: StandingState
    legal: LegalMoves | None
    result: Result | None
    talk: list[TalkEntry]
    muted: bool
    outages: list[Outage]


class Delta(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="t", tag="delta"):
    table: str
    version: int
    epoch: int
    seats: list[Seat] | UnsetType = UNSET
    boards: dict[str, BoardState] | UnsetType = UNSET
    clocks: ClockState | UnsetType = UNSET
    moves: list[MoveLine] | UnsetType = UNSET
    standing: StandingState | UnsetType = UNSET
    legal: LegalMoves | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    outages: list[Outage] | UnsetType = UNSET


class Talk(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="talk"):
    table: str
    number: int
    seat: int
    quick: str | None
    text: str | None
    at_ms: int


class Moved(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="moved"):
    """The seat is held by a later connection; this one may look on, and join again to hold it."""

    table: str


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    online: bool


class Queue(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="queue"):
    """How the waiting for a table goes."""

    state: Literal["party", "waiting", "over"]
    variant: str
    profile: str | None
    party: str | None
    members: list[Member]
    waited_ms: int
    waiting: int
    bots_offered: bool
    reason: str


class Seated(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="seated"):
    """The waiting has ended with a seat."""

    table: str
    seat: int
    token: str


class ListOfTables(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="list"):
    tables: list[TableEntry]


class Announcement(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="announcement"):
    """What the operator tells everybody: a restart in so long; an empty `what` takes it back."""

    what: Literal["restart", ""]
    in_ms: int


class Bye(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="bye"):
    """The last frame: "draining", "bad_frames", "too_fast" or "blocked"."""

    reason: str


class Replay(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished match, position by position."""

    variant: str
    moves: list[MoveLine]
    full: list[dict[str, BoardState]]
    white: list[dict[str, BoardState]]
    black: list[dict[str, BoardState]]
    result: Result


AnyPushed = (
    Ok | Error | Table | Full | Delta | Talk | Queue | Seated | ListOfTables | Moved | Announcement | Bye
)
_pushed: msgspec.json.Decoder[AnyPushed] = msgspec.json.Decoder(AnyPushed)


def read_pushed(message: bytes | str) -> AnyPushed:
    """The frame in a message of the server. Raises msgspec.ValidationError for anything else."""
    return _pushed.decode(message)
