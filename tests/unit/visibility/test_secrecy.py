"""F-secret as a law over frames: two games that look the same to a viewer give that viewer the same bytes."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gen.tandemfog.feed.v1.feed_pb2 import EventWithState
from libs.rules.fog import FogGame, FogStep
from libs.rules.observe import observed
from services.visibility.view import Viewer, full_view, view_of_event
from tests.unit.visibility.referee import Referee

PLIES = 20
GAMES = 150
STARTS = (  # the start, and positions where castling, promotions and captures are near
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/1P4p1/8/2p2P2/2P2p2/8/1p4P1/R3K2R w KQkq - 0 1",
    "4k3/pp4Pp/2n5/8/8/2N5/PP4pP/4K3 w - - 0 1",
)
TRIES = 6  # moves tried for each game and turn of the other side


def looks(step: FogStep, side: int) -> tuple[object, ...]:
    """What a side may learn from a move, by the rules alone."""
    sight = observed(step.game.position, side)
    mark = None if step.side == side else step.mark
    return sight.squares, tuple(sorted(sight.pieces.items())), mark, step.game.outcome


def twin_moves(first: Referee, second: Referee, side: int, dice: Random) -> tuple[str, str] | None:
    """A move for each game after which both look the same to `side`: different ones of the other side where
    there are any, one and the same of its own. None when every continuation tells them apart or ends one."""
    moves = [list(referee.positions[0].legal_moves()) for referee in (first, second)]
    own = first.positions[0].turn == side
    if own:
        assert moves[0] == moves[1], "what a seat may play depends on what it cannot see"
    for options in moves:
        dice.shuffle(options)
    others = {} if own else {uci: looks(rules_play(second, uci), side) for uci in moves[1][:TRIES]}
    for uci in moves[0] if own else [*moves[0][:TRIES], *others]:
        if uci not in moves[0] or (step := rules_play(first, uci)).game.outcome is not None:
            continue
        seen = looks(step, side)
        if own and looks(rules_play(second, uci), side) == seen:
            return uci, uci
        for other in sorted(others, key=lambda option: option == uci):
            if others[other] == seen:
                return uci, other
    return None


def rules_play(referee: Referee, uci: str) -> FogStep:
    assert isinstance(referee.rules, FogGame)
    return referee.rules.play(uci)


def frame(item: EventWithState, viewer: Viewer) -> bytes:
    view = view_of_event(item.event, item.state, viewer)
    return b"" if view is None else view.SerializeToString(deterministic=True)


def full(referee: Referee, viewer: Viewer) -> bytes:
    return full_view(referee.match(), viewer).SerializeToString(deterministic=True)


def play_twins(side: int, dice: Random, hidden: Counter[str]) -> None:
    """Plays two games that look the same to `side` and compares what it and a spectator are sent."""
    fen = dice.choice(STARTS)
    first, second = Referee.fog_at(fen), Referee.fog_at(fen)
    viewers = (Viewer(side), Viewer(None))
    for _ in range(PLIES):
        pair = twin_moves(first, second, side, dice)
        if pair is None:
            break
        items = first.play(pair[0]), second.play(pair[1])
        for viewer in viewers:
            assert frame(items[0], viewer) == frame(items[1], viewer)
        note_differences(items[0], items[1], hidden)
    for viewer in viewers:
        assert full(first, viewer) == full(second, viewer)
    hidden["plies"] += first.state.boards[0].ply
    hidden["pairs that differ"] += first.positions != second.positions


def note_differences(one: EventWithState, other: EventWithState, hidden: Counter[str]) -> None:
    """Counts what differed behind the fog."""
    moves = one.event.moved, other.event.moved
    fens = one.state.boards[0].fen.split(), other.state.boards[0].fen.split()
    hidden["moves"] += moves[0].uci != moves[1].uci
    hidden["placements"] += fens[0][0] != fens[1][0]
    hidden["castling_rights"] += fens[0][2] != fens[1][2]
    hidden["en_passant"] += fens[0][3] != fens[1][3]
    hidden["counters"] += fens[0][4] != fens[1][4]
    hidden["promotions"] += moves[0].uci != moves[1].uci and any(move.uci[4:] for move in moves)
    hidden["captures"] += moves[0].uci != moves[1].uci and moves[0].captured != ""
    hidden["san_lengths"] += len(moves[0].san) != len(moves[1].san)


@pytest.mark.rule("F-secret")
def test_games_that_look_the_same_to_a_seat_send_it_the_same_bytes() -> None:
    hidden: Counter[str] = Counter()
    for seed in range(GAMES):
        play_twins(seed % 2, Random(seed), hidden)
    assert hidden["pairs that differ"] > 0.9 * GAMES
    common = ("moves", "placements", "castling_rights", "en_passant", "counters", "san_lengths")
    kinds = (*common, "promotions", "captures")
    assert all(hidden[kind] > 0.05 * GAMES for kind in kinds), hidden


@pytest.mark.rule("F-secret")
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(min_value=10**6, max_value=10**9), st.sampled_from((0, 1)))
def test_no_seed_makes_two_alike_games_tell_themselves_apart(seed: int, side: int) -> None:
    play_twins(side, Random(seed), Counter())


@pytest.mark.rule("F-spectators")
def test_any_two_games_of_equal_length_send_a_spectator_the_same_bytes() -> None:
    spectator = Viewer(None)
    for seed in range(20):
        dice = Random(seed)
        first, second = Referee(FogGame.start()), Referee(FogGame.start())
        for _ in range(30):
            moves = [dice.choice(referee.positions[0].legal_moves()) for referee in (first, second)]
            if any(rules_play(*pair).game.outcome for pair in zip((first, second), moves, strict=True)):
                break
            items = first.play(moves[0]), second.play(moves[1])
            assert frame(items[0], spectator) == frame(items[1], spectator)
        assert full(first, spectator) == full(second, spectator)
