"""What a viewer may do: draw offers, permissions, legal moves. Raw truth in, parts of a view out. Pure."""

from __future__ import annotations

from typing import NamedTuple

from gen.tandemfog.feed.v1.feed_pb2 import Moved, RawEvent, RawState
from gen.tandemfog.types.v1.types_pb2 import SEAT_KIND_HUMAN
from gen.tandemfog.view.v1.view_pb2 import Legal, Standing, View
from libs.rules.tandem import board_of, partner_of, seat_of, side_of
from libs.wire.terms import profile_of
from services.visibility.boards import legal_moves, no_moves
from services.visibility.truth import is_fog, is_over, mover_of, position_of, side_to_move

_ABORT_UNTIL_PLY = 2
"""T-abort: from the second single move on either board on, nobody may abort."""


class Own(NamedTuple):
    """What a viewer's frame says of the viewer alone.

    ``board``: that of the seat whose legal moves are told, or None; ``on_turn``: whether it may move there.
    """

    knows_offers: bool = False
    may_abort: bool = False
    may_offer_draw: bool = False
    board: int | None = None
    on_turn: bool = False


def own_parts(state: RawState, seat: int | None, event: RawEvent | None) -> Own:
    """The own parts for who looks from a seat (None: a spectator) after the event; None: of a full view."""
    if seat is None:
        return Own(knows_offers=not is_fog(state) and not is_over(state))  # F-spectators
    board, boards = board_of(seat), state.boards
    if is_over(state):
        return Own(board=board)
    raw = boards[board]
    told = event is None or (event.HasField("moved") and _concerns(event.moved, state, seat))
    human, fog, offered = state.seats[seat].kind == SEAT_KIND_HUMAN, is_fog(state), bool(state.draw_agreed)
    return Own(
        knows_offers=True,
        may_abort=human and max([each.ply for each in boards]) < _ABORT_UNTIL_PLY,
        # Bots never offer in tandem.
        may_offer_draw=(human or fog) and not offered and raw.ply >= state.offer_again_ply[seat],
        board=board if told else None,
        on_turn=told and side_to_move(raw) == side_of(seat),
    )


def add_own(view: View, state: RawState, own: Own) -> None:
    """Put the own parts into a view, in place of any others."""
    view.standing.CopyFrom(  # a move or going offline ends an offer, too
        Standing(
            draw_agreed=state.draw_agreed if own.knows_offers else (),
            may_abort=own.may_abort,
            may_offer_draw=own.may_offer_draw,
        )
    )
    if own.board is None:
        view.ClearField("legal")
    else:
        view.legal.CopyFrom(_legal(state, own.board, own.on_turn))


def _legal(state: RawState, board: int, on_turn: bool) -> Legal:
    """Where the pieces of who is to move may go; nowhere for the other side."""
    ply = state.boards[board].ply
    if not on_turn:
        return no_moves(ply)
    return legal_moves(position_of(state, board), profile_of(state.profile), ply)


def _concerns(moved: Moved, state: RawState, seat: int) -> bool:
    """Whether a move changes the seat's position, turn or hand."""
    if board_of(seat) == moved.board:
        return True
    if not moved.captured:
        return False
    mover = seat_of(moved.board, mover_of(state.boards[moved.board], moved.ply))
    return seat == partner_of(mover)
