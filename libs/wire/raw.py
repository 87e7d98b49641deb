"""Rules values <-> the raw state of a match, in full truth: for game and visibility only. Pure.

Everything of the rules is in the state: ``game_of`` after ``write_game`` gives an equal value.
"""

from dataclasses import replace

from gen.tandemfog.feed.v1.feed_pb2 import RawBoard, RawState, Repetition
from libs.rules.fog import FogGame
from libs.rules.position import Position, Variant
from libs.rules.tandem import TandemMatch
from libs.wire.terms import (
    outcome_message,
    outcome_of,
    profile_number,
    profile_of,
    variant_number,
    variant_of,
)

Game = TandemMatch | FogGame
SCHEMA = 1
"""The form of states and events that this code writes. It rises when an earlier reader would get them wrong;
a field that it can do without is no reason. Readers take every form up to their own."""


def is_readable(state: RawState) -> bool:
    """Whether this code understands the state's form; one that a newer replica has written it may not."""
    return state.schema <= SCHEMA


def raw_board(position: Position, ply: int, verdict: str) -> RawBoard:
    """One board; ``verdict`` is the rules' word for the side to move."""
    white, black = position.kings_unmoved
    return RawBoard(
        fen=position.fen(), white_king_unmoved=white, black_king_unmoved=black, ply=ply, verdict=verdict
    )


def position_of(board: RawBoard, variant: Variant) -> Position:
    """The position on a board."""
    unmoved = None if variant == "fog" else (board.white_king_unmoved, board.black_king_unmoved)
    return Position.from_fen(board.fen, variant, unmoved)


def write_game(state: RawState, game: Game, verdicts: tuple[str, ...] | None = None) -> None:
    """Put variant, profile, boards, repetitions and outcome of ``game`` into ``state``.

    ``verdicts`` per board, when the caller knows them already.
    """
    del state.boards[:]
    del state.repetitions[:]
    state.ClearField("outcome")
    if isinstance(game, TandemMatch):
        state.variant = variant_number("tandem")
        state.profile = profile_number("tandem", game.profile)
        verdicts = verdicts or (game.verdict(0), game.verdict(1))
        for position, ply, verdict in zip(game.positions, game.plies, verdicts, strict=True):
            state.boards.append(raw_board(position, ply, verdict))
    else:
        state.variant = variant_number("fog")
        state.profile = profile_number("fog", "online")
        verdict = verdicts[0] if verdicts else game.position.verdict()
        state.boards.append(raw_board(game.position, game.plies, verdict))
        state.repetitions.extend(Repetition(position=text, count=count) for text, count in game.repetition())
    if game.outcome is not None:
        state.outcome.CopyFrom(outcome_message(game.outcome))


def game_of(state: RawState) -> Game:
    """The rules' value that a state holds, its outcome included; ValueError for a state of no variant."""
    variant = variant_of(state.variant)
    outcome = outcome_of(state.outcome) if state.HasField("outcome") else None
    if variant == "tandem":
        first, second = (position_of(board, variant) for board in state.boards)
        plies = (state.boards[0].ply, state.boards[1].ply)
        return TandemMatch(profile_of(state.profile), (first, second), plies, outcome)
    if variant == "fog":
        board = state.boards[0]
        repetition = tuple((entry.position, entry.count) for entry in state.repetitions)
        game = FogGame.at(position_of(board, variant), board.ply, repetition)
        return replace(game, outcome=outcome)
    raise ValueError("the state is of no variant")
