"""Reading the raw truth of a match: small questions about its state that views and replays share. Pure."""

from __future__ import annotations

from functools import lru_cache

from gen.tandemfog.feed.v1.feed_pb2 import RawBoard, RawState
from gen.tandemfog.types.v1.types_pb2 import VARIANT_FOG
from libs.rules.position import Position
from libs.rules.squares import BLACK, WHITE
from libs.wire import raw


def is_fog(state: RawState) -> bool:
    """Whether it is a fog game; else a tandem match."""
    return state.variant == VARIANT_FOG


def is_over(state: RawState) -> bool:
    """Whether the match has ended."""
    return state.HasField("outcome")


def position_of(state: RawState, board: int) -> Position:
    """The true position on a board."""
    return _position(state.boards[board].SerializeToString(deterministic=True), is_fog(state))


def side_to_move(board: RawBoard) -> int:
    """Whose turn it is on the board."""
    return WHITE if board.fen.split()[1] == "w" else BLACK


def mover_of(board: RawBoard, ply: int) -> int:
    """The side that made the move with this number on the board."""
    return (side_to_move(board) + board.ply - ply + 1) % 2


@lru_cache(maxsize=256)  # each viewer of an event asks for the same one
def _position(board: bytes, fog: bool) -> Position:
    return raw.position_of(RawBoard.FromString(board), "fog" if fog else "tandem")
