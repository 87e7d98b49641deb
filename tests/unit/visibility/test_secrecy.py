"""F-secret as a law over frames: two games that look the same to a viewer give that viewer the same bytes."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gen.tandemfog.feed.v1.feed_pb2 import EventWithState
from libs.rules.fog import FogGame, FogStep
from services.visibility.view import Viewer, full_view, view_of_event
from tests.kit.twins import KINDS, find_twins
from tests.unit.visibility.referee import Referee

PLIES = 12
GAMES = 150


def rules_play(referee: Referee, uci: str) -> FogStep:
    assert isinstance(referee.rules, FogGame)
    return referee.rules.play(uci)


def frame(item: EventWithState, viewer: Viewer) -> bytes:
    view = view_of_event(item.event, item.state, viewer)
    return b"" if view is None else view.SerializeToString(deterministic=True)


def full(referee: Referee, viewer: Viewer) -> bytes:
    return full_view(referee.match(), viewer).SerializeToString(deterministic=True)


def play_twins(seed: int, side: int, hidden: Counter[str]) -> None:
    """Plays two games that look the same to `side` and compares what it and a spectator are sent."""
    twins = find_twins(seed, side, PLIES)
    first, second = Referee.fog_at(twins.fen), Referee.fog_at(twins.fen)
    viewers = (Viewer(side), Viewer(None))
    for pair in twins.moves:
        items = first.play(pair[0]), second.play(pair[1])
        for viewer in viewers:
            assert frame(items[0], viewer) == frame(items[1], viewer)
    for viewer in viewers:
        assert full(first, viewer) == full(second, viewer)
    hidden.update(twins.hidden)


@pytest.mark.rule("F-secret")
def test_games_that_look_the_same_to_a_seat_send_it_the_same_bytes() -> None:
    hidden: Counter[str] = Counter()
    for seed in range(GAMES):
        play_twins(seed, seed % 2, hidden)
    assert hidden["moves"] > 0.9 * GAMES
    assert all(hidden[kind] > 0.05 * GAMES for kind in KINDS), hidden


@pytest.mark.rule("F-secret")
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(min_value=10**6, max_value=10**9), st.sampled_from((0, 1)))
def test_no_seed_makes_two_alike_games_tell_themselves_apart(seed: int, side: int) -> None:
    play_twins(seed, side, Counter())


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
