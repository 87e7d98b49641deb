"""A match as a value that can be kept, written and read: an ordered list of (board, move, clock, time)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from libs.rules.errors import RulesError
from libs.rules.fog import FogGame, FogStep
from libs.rules.movetext import Result
from libs.rules.position import Position, Profile, Variant
from libs.rules.tandem import TandemMatch, TandemStep


@dataclass(frozen=True, slots=True)
class RecordMove:
    """One single move, in the true order of both boards.

    board: BOARD_A or BOARD_B, in fog always 0. clock_ms: what the mover had left after the move, negative
    when a flag fell late; at_ms: when it was made, counted from the start of the match. None where it is
    not known.
    """

    board: int
    uci: str
    clock_ms: int | None = None
    at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A whole match, tandem or fog.

    tags: what the header says beyond the other fields (names, date, TimeControl ...), never Result,
    Variant, Profile or the set-up. start_fens: one for each board. result: in tandem "1-0" = team 1 (White
    on A, Black on B) won, in fog White; "*" = none. ending: the closing remark ("WhiteB checkmated"), may
    be empty. start_clocks_ms: a set-up's clocks by seat (A-White, A-Black, B-White, B-Black), None where
    none are given.
    """

    tags: Mapping[str, str]
    variant: Variant
    profile: Profile
    start_fens: tuple[str, ...]
    moves: tuple[RecordMove, ...]
    result: Result
    ending: str = ""
    start_clocks_ms: tuple[int, int, int, int] | None = None

    def positions_after(self, count: int) -> tuple[Position, ...]:
        """The position on each board after the first `count` single moves; errors as in `replay_tandem`."""
        positions = _start_positions(self)
        if self.variant == "tandem":
            for _, tandem_step in zip(range(count), replay_tandem(self), strict=False):
                positions = tandem_step.match.positions
        else:
            for _, fog_step in zip(range(count), replay_fog(self), strict=False):
                positions = (fog_step.game.position,)
        return positions


def normal_start(variant: Variant) -> tuple[str, ...]:
    """The start FEN of each board of a match that has no set-up."""
    return (Position.start(variant).fen(),) * (2 if variant == "tandem" else 1)


def start_match(record: MatchRecord) -> TandemMatch:
    """The tandem match before its first move; raises BadText for a damaged start FEN."""
    board_a, board_b = _start_positions(record)
    return TandemMatch.at((board_a, board_b), record.profile)


def start_game(record: MatchRecord) -> FogGame:
    """The fog game before its first move; raises BadText for a damaged start FEN."""
    (position,) = _start_positions(record)
    return FogGame.at(position)


def replay_tandem(record: MatchRecord) -> Iterator[TandemStep]:
    """Each move of a tandem record, played in order by the rules.

    Raises the rules' own error (IllegalMove, MatchOver, BadText) at a move that cannot be played, with
    `where` = "move N", counted from 1.
    """
    match = start_match(record)
    for number, move in enumerate(record.moves, 1):
        with _naming_the_move(number):
            step = match.play(move.board, move.uci)
        yield step
        match = step.match


def replay_fog(record: MatchRecord) -> Iterator[FogStep]:
    """Each move of a fog record, played in order by the rules; errors as in `replay_tandem`."""
    game = start_game(record)
    for number, move in enumerate(record.moves, 1):
        with _naming_the_move(number):
            step = game.play(move.uci)
        yield step
        game = step.game


@contextmanager
def _naming_the_move(number: int) -> Iterator[None]:
    try:
        yield
    except RulesError as error:
        raise type(error)(error.reason, error.detail, f"move {number}") from error


def _start_positions(record: MatchRecord) -> tuple[Position, ...]:
    return tuple(Position.from_fen(fen, record.variant) for fen in record.start_fens)
