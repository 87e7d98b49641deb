"""From the services' messages to frames, and from the browser's words to the services' numbers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UNSET, UnsetType

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from gen.tandemfog.types.v1 import types_pb2 as types
from gen.tandemfog.view.v1 import view_pb2 as view
from libs.runtime.refusals import Refusal
from services.gateway import pushed
from services.gateway.frames import TimeControl

VARIANTS = {"tandem": types.VARIANT_TANDEM, "fog": types.VARIANT_FOG}
PROFILES = {"online": types.PROFILE_ONLINE, "club": types.PROFILE_CLUB}
QUICK = {
    name.removeprefix("QUICK_MESSAGE_").lower(): number
    for name, number in types.QuickMessage.items()
    if number != types.QUICK_MESSAGE_UNSPECIFIED
}
VARIANT_NAMES: dict[int, str] = {number: name for name, number in VARIANTS.items()}
_PROFILE_NAMES: dict[int, str] = {number: name for name, number in PROFILES.items()}
_QUICK_NAMES = {number: name for name, number in QUICK.items()}
_TABLE_STATES = {
    number: name.removeprefix("TABLE_STATE_").lower() for name, number in matchmaking.TableState.items()
}
_BOARDS = "AB"
_UINT32 = 2**32 - 1


def settings_of(
    variant: str,
    profile: str | UnsetType | None,
    time: TimeControl | UnsetType | None,
    public: bool,
    curtain: bool = False,
) -> matchmaking.TableSettings:
    """What a table is to play; null is none, as in the frames of tables.

    Raises Refusal: bad_variant, bad_profile, bad_time, clock_required.
    """
    if variant not in VARIANTS:
        raise Refusal("bad_variant")
    settings = matchmaking.TableSettings(variant=VARIANTS[variant], public=public, curtain=curtain)
    if profile is not UNSET and profile is not None:
        if profile not in PROFILES:
            raise Refusal("bad_profile")
        settings.profile = PROFILES[profile]
    if time is None and variant == "tandem":
        raise Refusal("clock_required")
    if time is not UNSET and time is not None:
        if not (0 <= time.initial_ms <= _UINT32 and 0 <= time.increment_ms <= _UINT32):
            raise Refusal("bad_time")
        settings.time.initial_ms = time.initial_ms
        settings.time.increment_ms = time.increment_ms
    return settings


def bot_level(value: int) -> int:
    """A bot's level that was asked for by number: 0, which asks for none, is not one. Raises Refusal."""
    if value == 0:
        raise Refusal("bad_level")
    return small_number(value, "bad_level")


def small_number(value: int, reason: str) -> int:
    """`value` if the services can be asked about it at all; the rest is theirs to judge. Raises Refusal."""
    if not 0 <= value <= _UINT32:
        raise Refusal(reason)
    return value


def board_number(letter: str) -> int:
    return _BOARDS.index(letter)


def profile_name(number: int) -> str | None:
    return _PROFILE_NAMES.get(number)


def _time(holder: matchmaking.TableSettings | view.Setup) -> TimeControl | None:
    return TimeControl(holder.time.initial_ms, holder.time.increment_ms) if holder.HasField("time") else None


_SEAT_KINDS = ("free", "human", "bot")


def _seats(seats: Iterable[types.Seat]) -> list[pushed.Seat]:
    return [
        pushed.Seat(_SEAT_KINDS[seat.kind], seat.name, seat.level, seat.online)  # type: ignore[arg-type]
        for seat in seats
    ]


def table_frame(table: matchmaking.Table) -> pushed.Table:
    settings, rematch = table.settings, table.rematch
    return pushed.Table(
        table.table_id,
        table.version,
        _TABLE_STATES[table.state],
        VARIANT_NAMES[settings.variant],
        profile_name(settings.profile),
        _time(settings),
        settings.public,
        _seats(table.seats),
        table.starts_in_ms,
        table.closed_reason,
        pushed.RematchState(
            list(rematch.agreed), list(rematch.rotate), rematch.next_table_id, rematch.expires_in_ms
        ),
        settings.curtain,
    )


def table_state(table: matchmaking.Table) -> pushed.TableState:
    """The table frame without its type, for HTTP."""
    frame = table_frame(table)
    return pushed.TableState(*(getattr(frame, name) for name in pushed.TableState.__struct_fields__))


def table_entry(table: matchmaking.Table) -> pushed.TableEntry:
    settings = table.settings
    return pushed.TableEntry(
        table.table_id,
        _TABLE_STATES[table.state],
        VARIANT_NAMES[settings.variant],
        profile_name(settings.profile),
        _time(settings),
        settings.public,
        _seats(table.seats),
    )


def _boards(boards: Iterable[view.BoardView]) -> dict[str, pushed.BoardState]:
    return {
        _BOARDS[board.board]: pushed.BoardState(
            board.pieces,
            list(board.promoted),
            list(board.hands) or None,
            board.fen or None,
            "white" if board.white_to_move else "black",
            board.ply,
            board.state or None,
            [square for square in board.last_move if square],
        )
        for board in boards
    }


def _clocks(clocks: view.Clocks) -> pushed.ClockState:
    return pushed.ClockState(clocks.at_ms, list(clocks.remaining_ms), list(clocks.running), clocks.age_ms)


def _moves(moves: Iterable[view.MoveEntry]) -> list[pushed.MoveLine]:
    return [
        pushed.MoveLine(
            _BOARDS[move.board],
            move.ply,
            move.san or None,
            move.uci or None,
            move.mark or None,
            move.at_ms,
            None if move.remaining_ms < 0 else move.remaining_ms,
        )
        for move in moves
    ]


def _standing(standing: view.Standing) -> pushed.StandingState:
    return pushed.StandingState(list(standing.draw_agreed), standing.may_abort, standing.may_offer_draw)


def _legal(legal: view.Legal) -> pushed.LegalMoves:
    origins = {getattr(origin, "from"): list(origin.to) for origin in legal.origins}
    drops = pushed.DropSquares(list(legal.piece_drops), list(legal.pawn_drops))
    return pushed.LegalMoves(legal.ply, origins, drops)


def _result(outcome: types.Outcome) -> pushed.Result:
    return pushed.Result(outcome.winner or None, outcome.reason)


def _talk(line: types.TalkLine) -> pushed.TalkEntry:
    quick = _QUICK_NAMES.get(line.quick)
    return pushed.TalkEntry(line.number, line.seat, quick, None if quick else line.text, line.at_ms)


def _outages(pairs: Sequence[int]) -> list[pushed.Outage]:
    return [pushed.Outage(*pair) for pair in zip(pairs[::2], pairs[1::2], strict=True)]


def talk_frame(match_id: str, line: types.TalkLine) -> pushed.Talk:
    entry = _talk(line)
    return pushed.Talk(match_id, entry.number, entry.seat, entry.quick, entry.text, entry.at_ms)


def view_frame(shown: view.View) -> pushed.Full | pushed.Delta:
    """What one viewer may see, whole or what changed of it."""
    return _full(shown) if shown.full else _delta(shown)


def _full(shown: view.View) -> pushed.Full:
    setup = shown.setup
    return pushed.Full(
        shown.match_id,
        shown.version,
        shown.epoch,
        VARIANT_NAMES[setup.variant],
        profile_name(setup.profile),
        _time(setup),
        setup.seat if setup.seated else None,
        _seats(shown.seats.seats),
        _boards(shown.boards),
        _clocks(shown.clocks) if shown.HasField("clocks") else None,
        _moves(shown.moves),
        _standing(shown.standing),
        _legal(shown.legal) if setup.seated else None,
        _result(shown.outcome) if shown.HasField("outcome") else None,
        [_talk(line) for line in shown.talk],
        shown.muted,
        _outages(shown.outages_ms),
    )


def _delta(shown: view.View) -> pushed.Delta:
    return pushed.Delta(
        table=shown.match_id,
        version=shown.version,
        epoch=shown.epoch,
        seats=_seats(shown.seats.seats) if shown.HasField("seats") else UNSET,
        boards=_boards(shown.boards) if shown.boards else UNSET,
        clocks=_clocks(shown.clocks) if shown.HasField("clocks") else UNSET,
        moves=_moves(shown.moves) if shown.moves else UNSET,
        standing=_standing(shown.standing) if shown.HasField("standing") else UNSET,
        legal=_legal(shown.legal) if shown.HasField("legal") else UNSET,
        result=_result(shown.outcome) if shown.HasField("outcome") else UNSET,
        outages=_outages(shown.outages_ms) if shown.outages_ms else UNSET,
    )


def replay(answer: view.ReplayMatchResponse) -> pushed.Replay:
    """A finished match for HTTP."""

    def positions(side: Iterable[view.ReplayPosition]) -> list[dict[str, pushed.BoardState]]:
        return [_boards(position.boards) for position in side]

    return pushed.Replay(
        VARIANT_NAMES[answer.variant],
        _moves(answer.moves),
        positions(answer.full),
        positions(answer.white),
        positions(answer.black),
        _result(answer.outcome),
    )
