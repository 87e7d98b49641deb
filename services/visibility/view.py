"""What one viewer may see of one match: raw truth in, a View or nothing out. Pure.

The law (F-secret): everything in a view of a running fog game is a function of what its viewer may see.
So nothing here reads the true position for a fog viewer but through `boards`, and one event is one view,
with the same parts whatever the event hides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchResponse, Moved, RawEvent, RawState
from gen.tandemfog.types.v1.types_pb2 import TalkLine
from gen.tandemfog.view.v1.view_pb2 import (
    BoardView,
    MoveEntry,
    SeatList,
    Setup,
    View,
)
from libs.rules.squares import WHITE
from libs.rules.tandem import side_of, team_of
from services.visibility.boards import (
    fog_board,
    hidden_board,
    lifted_board,
    tandem_board,
)
from services.visibility.own import Own, add_own, own_parts
from services.visibility.truth import is_fog, is_over, mover_of, position_of, side_to_move


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: the holder of a seat, or a spectator (`seat` None)."""

    seat: int | None


def fog_lifts(state: RawState) -> bool:
    """Whether everybody now sees a fog game in full, which takes a full view (F-after)."""
    return is_fog(state) and is_over(state)


def is_curtained(state: RawState, viewer: Viewer) -> bool:
    """Whether the curtain hangs between a seat's viewer and the match (F-curtain).

    Of two people on one device only the side to move sees, and only once it has lifted the curtain.
    """
    if viewer.seat is None or not state.HasField("lifts") or is_over(state):
        return False
    board = state.boards[0]
    return state.lifts == board.ply or side_to_move(board) != side_of(viewer.seat)


def version_for(state: RawState, viewer: Viewer) -> int:
    """The number of the viewer's latest frame: a spectator does not count what spectators may not know of."""
    return state.public_version if viewer.seat is None else state.version


def view_of_event(event: RawEvent, state: RawState, viewer: Viewer) -> View | None:
    """The change that an event makes for the viewer, or None when the viewer may not know of it.

    `state` is the one after the event. When `fog_lifts(state)` a change says too little: use `full_view`. The
    curtain falls with a move, but whoever made it is still shown what came of it.
    """
    if viewer.seat is None and not event.public:
        return None
    if is_curtained(state, viewer) and not _is_move_of(event, state, viewer):
        return None
    view = View(match_id=state.match_id, version=version_for(state, viewer), epoch=state.epoch)
    what = event.WhichOneof("what")
    over = is_over(state)
    if what == "presence":
        view.seats.CopyFrom(_seats(state, viewer))
    if what == "moved":
        view.boards.extend(_boards_of_move(event.moved, state, viewer))
        view.moves.extend(_moves([event], state, viewer))
    if what in ("moved", "lifted") or over:
        _add_clocks(view, state)
    if over:
        view.outcome.CopyFrom(state.outcome)
    add_own(view, state, own_parts(state, viewer.seat, event))
    return view


def tandem_views_of_event(
    event: RawEvent, state: RawState, viewers: Iterable[Viewer]
) -> list[tuple[View, list[Viewer]]]:
    """`view_of_event` of a tandem match for all its viewers, made once for those who are shown the same.

    Everybody sees a tandem match in full: what differs is only what they may do. Not for fog.
    """
    alike: dict[tuple[int, Own], list[Viewer]] = {}
    for viewer in viewers:
        if viewer.seat is not None or event.public:
            own = own_parts(state, viewer.seat, event)
            alike.setdefault((version_for(state, viewer), own), []).append(viewer)
    views: list[tuple[View, list[Viewer]]] = []
    for (version, own), same in alike.items():
        if views:
            view = View()
            view.CopyFrom(views[0][0])
            view.version = version
            add_own(view, state, own)
        else:
            view = view_of_event(event, state, same[0]) or View()
        views.append((view, same))
    return views


def full_view(match: GetMatchResponse, viewer: Viewer) -> View:
    """All that the viewer may see of the match now. A seat must be one of the match, not curtained."""
    state = match.state
    last = {event.moved.board: event.moved for event in match.log if event.WhichOneof("what") == "moved"}
    view = View(
        match_id=state.match_id,
        version=version_for(state, viewer),
        epoch=state.epoch,
        full=True,
        setup=Setup(
            variant=state.variant,
            profile=state.profile,
            seated=viewer.seat is not None,
            seat=viewer.seat or 0,
        ),
        boards=[_board(state, board, last.get(board), viewer) for board in range(len(state.boards))],
        seats=_seats(state, viewer),
        moves=_moves(match.log, state, viewer),
    )
    if state.HasField("time"):
        view.setup.time.CopyFrom(state.time)
    _add_clocks(view, state)
    add_own(view, state, own_parts(state, viewer.seat, None))
    if viewer.seat is not None and not is_fog(state):
        view.talk.extend(_talk(match, viewer.seat))
        view.muted = viewer.seat in match.muting
    if is_over(state):
        view.outcome.CopyFrom(state.outcome)
    return view


def _is_move_of(event: RawEvent, state: RawState, viewer: Viewer) -> bool:
    """Whether the event is a move that this seat of a fog game has made."""
    is_move = event.WhichOneof("what") == "moved"
    return is_move and mover_of(state.boards[0], event.moved.ply) == viewer.seat


def _talk(match: GetMatchResponse, seat: int) -> list[TalkLine]:
    """The lines of the seat's team without those that it had muted."""
    first = team_of(seat) == 1
    muted = frozenset(match.muted_one if first else match.muted_two)
    lines = match.talk_one if first else match.talk_two
    return [line for line in lines if line.seat == seat or line.number not in muted]


def _boards_of_move(moved: Moved, state: RawState, viewer: Viewer) -> list[BoardView]:
    """The board moved on, and the other one when a piece arrived there, in one step (T-capture)."""
    boards = [_board(state, moved.board, moved, viewer)]
    if moved.captured and not is_fog(state):
        boards.append(_board(state, 1 - moved.board, None, viewer))
    return boards


def _board(state: RawState, board: int, last: Moved | None, viewer: Viewer) -> BoardView:
    """A board; `last` is the last move made on it, as far as it is known."""
    raw = state.boards[board]
    last_uci = "" if last is None else last.uci
    if not is_fog(state):
        return tandem_board(position_of(state, board), board, raw.ply, raw.verdict, last_uci)
    if is_over(state):
        return lifted_board(position_of(state, board), raw.ply, last_uci)
    if viewer.seat is None:
        return hidden_board(side_to_move(raw) == WHITE, raw.ply)
    own = last is not None and mover_of(raw, last.ply) == side_of(viewer.seat)
    return fog_board(position_of(state, board), side_of(viewer.seat), raw.ply, last_uci if own else "")


def _moves(log: Sequence[RawEvent], state: RawState, viewer: Viewer) -> list[MoveEntry]:
    """The move list's entries for these events (F-moves, F-spectators)."""
    moves = [event for event in log if event.WhichOneof("what") == "moved"]
    if not is_fog(state) or is_over(state):
        return [_entry(event, written=True, marked=True) for event in moves]
    if viewer.seat is None:
        return []
    owns = [mover_of(state.boards[0], event.moved.ply) == side_of(viewer.seat) for event in moves]
    # The mark of an own move would tell whether the other side sees the square.
    return [_entry(event, written=own, marked=not own) for event, own in zip(moves, owns, strict=True)]


def _entry(event: RawEvent, written: bool, marked: bool) -> MoveEntry:
    """A line of the move list: that a move was made and when; what it was; where a piece fell unseen."""
    moved = event.moved
    return MoveEntry(
        board=moved.board,
        ply=moved.ply,
        san=moved.san if written else "",
        uci=moved.uci if written else "",
        mark=moved.mark if marked else "",
        at_ms=event.at_us // 1000,
        remaining_ms=-1 if moved.remaining_us < 0 else moved.remaining_us // 1000,
    )


def _seats(state: RawState, viewer: Viewer) -> SeatList:
    """The seats; presence in a running fog game is not for spectators, who have no frame for its changes."""
    seats = SeatList(seats=state.seats)
    if is_fog(state) and viewer.seat is None and not is_over(state):
        for seat in seats.seats:
            seat.online = True
    return seats


def _add_clocks(view: View, state: RawState) -> None:
    """All clocks as they stood at the state's stamp, if there are any, and the outages so far."""
    if state.clocks:
        view.clocks.at_ms = state.at_us // 1000
        view.clocks.remaining_ms.extend(max(0, clock.remaining_us // 1000) for clock in state.clocks)
        view.clocks.running.extend(clock.running for clock in state.clocks)
    for outage in state.outages:
        view.outages_ms.extend((outage.at_ms, outage.lasted_ms))
