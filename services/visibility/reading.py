"""A game in somebody's own text, shown as a finished match is. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gen.tandemfog.types.v1.types_pb2 import TimeControl
from gen.tandemfog.view.v1.view_pb2 import (
    Clocks,
    MoveEntry,
    ReadGameResponse,
    ReplayMatchResponse,
    Tag,
    TextProblem,
)
from libs.rules import movetext, outcome
from libs.rules.bpgn import read_bpgn
from libs.rules.errors import BadText, Problem
from libs.rules.fog import FogStep
from libs.rules.outcome import Outcome
from libs.rules.pgn import read_pgn
from libs.rules.position import Position
from libs.rules.record import MatchRecord, replay_fog, replay_tandem
from libs.rules.squares import BLACK, square_name
from libs.rules.tandem import TandemStep, seat_of
from libs.wire.terms import outcome_message, profile_number, variant_number
from services.visibility.record import SEAT_TAGS, add_positions, ending_reason
from services.visibility.timing import LONGEST_MS, Timing, timing_of

MOST_BYTES = 262_144
MOST_PROBLEMS = 20
"""A damaged text may have very many; these many are told."""
MOST_MOVES = 1_500
"""A tandem match ends with 800; only a game of fog may have more."""
_LABEL = re.compile(r"(?<!\S)[0-9]{1,6}[AaBb]\.")
_ENDINGS = (
    (re.compile(r"(.*) (?:is )?checkmated"), outcome.MATE),
    (re.compile(r"(.*) (?:forfeits|loses) on time"), outcome.TIME),
    (re.compile(r"(.*) resigns"), outcome.RESIGNATION),
)
"""How other servers say who lost, and by what."""
_WINNERS = {"1-0": 1, "0-1": 2}
UNKNOWN = "unknown"
DRAW = "draw"
"""Reasons where neither moves nor text tell one; a draw is known to be one."""

Steps = Sequence[TandemStep | FogStep]


def read_game(text: bytes) -> ReadGameResponse:
    """The game in a BPGN or PGN text with all its positions, as far as it can be read, and what is wrong."""
    try:
        record, problems = read_pgn(text) if _is_fog(text) else read_bpgn(text)
    except BadText as error:
        return ReadGameResponse(
            problems=[TextProblem(reason=error.reason, detail=error.detail, where=error.where, stops=True)]
        )
    if len(record.moves) > MOST_MOVES:
        record = replace(record, moves=record.moves[:MOST_MOVES])
        sentence = f"Only {MOST_MOVES} moves are shown."
        problems.append(Problem(sentence, "too_many_moves", f"move {MOST_MOVES + 1}", stops=True))
    steps: Steps = list(replay_tandem(record)) if record.variant == "tandem" else list(replay_fog(record))
    tags = SEAT_TAGS[record.variant]
    names = [record.tags.get(tag, "") for tag in tags]
    ended, loser = _ended(record, steps, names)
    timing = timing_of(record, loser if ended.reason == outcome.TIME else None)
    answer = ReadGameResponse(
        game=_game(record, steps, ended, timing),
        profile=profile_number(record.variant, record.profile),
        start_ms=map(_shown_ms, timing.start_ms),
        names=names,
        tags=[Tag(name=name, value=value) for name, value in record.tags.items() if name not in tags],
        ending=record.ending,
        # What stopped the reading comes first: it says most.
        problems=map(_problem, sorted(problems, key=lambda problem: not problem.stops)[:MOST_PROBLEMS]),
    )
    if timing.control is not None:
        answer.time.CopyFrom(TimeControl(initial_ms=timing.control[0], increment_ms=timing.control[1]))
    if timing.start_ms:
        answer.clocks.CopyFrom(
            Clocks(
                at_ms=timing.end_ms, remaining_ms=map(_shown_ms, timing.left_ms), running=[False] * len(tags)
            )
        )
    return answer


def _is_fog(text: bytes) -> bool:
    """Whether it is to be read as a PGN: it has no label of a board, or names its variant."""
    decoded = movetext.decode(text)
    tags, offset = movetext.read_tags(decoded, [])
    return "Variant" in tags or not ("WhiteA" in tags or _LABEL.search(decoded, offset))


def _game(record: MatchRecord, steps: Steps, ended: Outcome, timing: Timing) -> ReplayMatchResponse:
    replay = ReplayMatchResponse(variant=variant_number(record.variant), outcome=outcome_message(ended))
    add_positions(replay, record)
    # The players' numbers for the moves of a set-up go on from its own.
    made_before = [_plies_before(Position.from_fen(fen, record.variant)) for fen in record.start_fens]
    for positions in (replay.full, replay.white, replay.black):
        for position in positions:
            for board in position.boards:
                board.ply += made_before[board.board]
    plies = list(made_before)
    for step, move, at_ms in zip(steps, record.moves, timing.at_ms, strict=True):
        plies[move.board] += 1
        mark = step.mark if isinstance(step, FogStep) else None
        replay.moves.append(
            MoveEntry(
                board=move.board,
                ply=plies[move.board],
                san=step.san,
                uci=step.uci,
                mark="" if mark is None else square_name(mark),
                at_ms=at_ms,
                remaining_ms=-1 if move.clock_ms is None else _shown_ms(move.clock_ms),
            )
        )
    return replay


def _shown_ms(clock_ms: int) -> int:
    """A clock as a frame can carry it: a text may say anything."""
    return min(max(0, clock_ms), LONGEST_MS)


def _plies_before(start: Position) -> int:
    return 2 * (start.fullmove - 1) + (start.turn == BLACK)


def _ended(record: MatchRecord, steps: Steps, names: Sequence[str]) -> tuple[Outcome, int | None]:
    """How it ended, by the moves or else by what the text says, and the seat that lost, where it is known."""
    if steps and isinstance(steps[-1], TandemStep) and steps[-1].match.outcome is not None:
        return steps[-1].match.outcome, None
    if steps and isinstance(steps[-1], FogStep) and steps[-1].game.outcome is not None:
        return steps[-1].game.outcome, None
    winner = _WINNERS.get(record.result)
    if reason := ending_reason(record.ending):
        return Outcome(winner, reason), None
    for pattern, reason in _ENDINGS:
        found = pattern.fullmatch(record.ending)
        if found and names.count(found[1]) == 1:
            # Some texts give the result of the board that ended: the name tells whose team lost.
            loser = names.index(found[1])
            return Outcome(_winner_over(loser, record.variant), reason), loser
    if record.result == "1/2-1/2":
        return Outcome(None, outcome.AGREEMENT if "agree" in record.ending else DRAW), None
    if "abort" in record.ending:
        return Outcome(None, outcome.ABORTED), None
    return Outcome(winner, UNKNOWN), None


def _winner_over(seat: int, variant: str) -> int:
    if variant == "fog":
        return 2 - seat
    first = seat in (seat_of(0, 0), seat_of(1, 1))
    return 2 if first else 1


def _problem(problem: Problem) -> TextProblem:
    return TextProblem(reason=problem.reason, detail=str(problem), where=problem.where, stops=problem.stops)
