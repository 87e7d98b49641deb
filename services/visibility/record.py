"""A finished match as text and as positions. Pure; callers see to it that it is finished (F-after)."""

from __future__ import annotations

from collections.abc import Iterator

from gen.tandemfog.feed.v1.feed_pb2 import GetMatchResponse, RawEvent
from gen.tandemfog.view.v1.view_pb2 import (
    BoardView,
    ExportMatchResponse,
    ReplayMatchResponse,
    ReplayPosition,
)
from libs.rules import outcome as endings
from libs.rules.bpgn import write_bpgn
from libs.rules.movetext import Result
from libs.rules.outcome import Outcome, is_aborted
from libs.rules.pgn import write_pgn
from libs.rules.position import Position
from libs.rules.record import MatchRecord, RecordMove, normal_start, replay_fog, replay_tandem
from libs.rules.squares import BLACK, WHITE
from libs.wire.terms import outcome_of, profile_of
from services.visibility.boards import fog_board, lifted_board, seen_fen, tandem_board
from services.visibility.truth import is_fog
from services.visibility.view import Viewer, full_view

SEAT_TAGS = {"tandem": ("WhiteA", "BlackA", "WhiteB", "BlackB"), "fog": ("White", "Black")}
"""The tags that name who sat where, by seat."""
_TANDEM_SIDES = {1: "Team 1 (White on A, Black on B)", 2: "Team 2 (Black on A, White on B)"}
_FOG_SIDES = {1: "White", 2: "Black"}
_DECIDED = {
    endings.MATE: "{loser} is checkmated",
    endings.TIME: "{loser} loses on time",
    endings.RESIGNATION: "{loser} resigns",
    endings.LEAVING: "{loser} left",
    endings.KING_CAPTURED: "king captured, {winner} wins",
}
_DRAWN = {
    endings.AGREEMENT: "draw agreed",
    endings.NOBODY_CAN_MOVE: "draw, nobody can ever move again",
    endings.MOVE_LIMIT: "draw, 800 moves on both boards together",
    endings.NO_MOVES: "draw, no legal move",
    endings.THREEFOLD: "draw, threefold repetition",
    endings.FIFTY_MOVES: "draw, fifty moves without a pawn move or capture",
    endings.ABORTED: "aborted",
    endings.NOBODY_PLAYED: "aborted, nobody played",
    endings.IDLE: "closed, no move for too long",
    endings.CLOSED: "closed",
}


def export_match(match: GetMatchResponse) -> ExportMatchResponse:
    """The match as BPGN (tandem) or PGN (fog), with the clocks in milliseconds."""
    record = record_of(match)
    if is_fog(match.state):
        return ExportMatchResponse(text=write_pgn(record), format="pgn")
    return ExportMatchResponse(text=write_bpgn(record), format="bpgn")


def replay_match(match: GetMatchResponse) -> ReplayMatchResponse:
    """Every position of the match in full, and in fog also as each side saw it (F-after)."""
    state = match.state
    replay = ReplayMatchResponse(
        variant=state.variant, moves=full_view(match, Viewer(None)).moves, outcome=state.outcome
    )
    add_positions(replay, record_of(match))
    return replay


def add_positions(replay: ReplayMatchResponse, record: MatchRecord) -> None:
    """The record's positions with their FENs, the start first; in fog also as each side saw them."""
    if record.variant == "tandem":
        replay.full.extend(_tandem_positions(record))
        return
    for ply, (position, uci) in enumerate(_fog_positions(record)):
        replay.full.append(_at(lifted_board(position, ply, uci)))
        replay.full[-1].boards[0].fen = position.fen()
        for side, seen in ((WHITE, replay.white), (BLACK, replay.black)):
            own = uci if position.turn != side else ""
            seen.append(_at(fog_board(position, side, ply, own)))
            seen[-1].boards[0].fen = seen_fen(position, side)


def record_of(match: GetMatchResponse) -> MatchRecord:
    """The match in the form that the rules write."""
    state = match.state
    fog = is_fog(state)
    tags = {"Event": "Fog of War" if fog else "Tandem chess", "Site": "tandemfog"}
    for tag, seat in zip(SEAT_TAGS["fog" if fog else "tandem"], state.seats, strict=True):
        tags[tag] = seat.name
    if state.HasField("time"):
        tags["TimeControl"] = f"{_seconds(state.time.initial_ms)}+{_seconds(state.time.increment_ms)}"
    outcome = outcome_of(state.outcome)
    return MatchRecord(
        tags=tags,
        variant="fog" if fog else "tandem",
        profile=profile_of(state.profile),
        start_fens=normal_start("fog" if fog else "tandem"),
        moves=tuple(_record_move(event) for event in match.log if event.WhichOneof("what") == "moved"),
        result=_result(outcome),
        ending=_ending(outcome, _FOG_SIDES if fog else _TANDEM_SIDES),
    )


def _record_move(event: RawEvent) -> RecordMove:
    moved = event.moved
    clock_ms = None if moved.remaining_us < 0 else moved.remaining_us // 1000
    return RecordMove(moved.board, moved.uci, clock_ms, event.at_us // 1000)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g}"


def _result(outcome: Outcome) -> Result:
    if outcome.winner is None:
        return "*" if is_aborted(outcome) else "1/2-1/2"
    return "1-0" if outcome.winner == 1 else "0-1"


def ending_reason(ending: str) -> str:
    """The reason in an ending that `export_match` wrote; "" for any other."""
    sides = (*_TANDEM_SIDES.values(), *_FOG_SIDES.values())
    written = {
        text.format(winner=side, loser=side): reason for reason, text in _DECIDED.items() for side in sides
    }
    return written.get(ending) or next((reason for reason, text in _DRAWN.items() if text == ending), "")


def _ending(outcome: Outcome, sides: dict[int, str]) -> str:
    """How it ended, for a reader."""
    if outcome.winner is None:
        return _DRAWN[outcome.reason]
    return _DECIDED[outcome.reason].format(winner=sides[outcome.winner], loser=sides[3 - outcome.winner])


def _at(*boards: BoardView) -> ReplayPosition:
    return ReplayPosition(boards=boards)


def _fog_positions(record: MatchRecord) -> Iterator[tuple[Position, str]]:
    """Each position with the move that led to it, "" for the start."""
    yield Position.start("fog"), ""
    for step in replay_fog(record):
        yield step.game.position, step.uci


def _tandem_positions(record: MatchRecord) -> Iterator[ReplayPosition]:
    start = Position.start("tandem")
    last = ["", ""]
    yield _at(*(tandem_board(start, board, 0, "normal", "") for board in (0, 1)))
    for step in replay_tandem(record):
        last[step.board] = step.uci
        yield _at(
            *(
                tandem_board(position, board, step.match.plies[board], step.verdicts[board], last[board])
                for board, position in enumerate(step.match.positions)
            )
        )
