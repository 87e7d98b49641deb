"""What a fog bot believes, and that nothing but its view goes into it."""

from __future__ import annotations

from random import Random

import pytest

from gen.tandemfog.types.v1 import types_pb2
from libs.rules.fog import FogGame
from libs.rules.position import Position
from services.bots import fog_search
from services.bots.belief import Belief, Sighting, read_pieces
from services.bots.levels import LEVELS, Level
from services.bots.match_view import MatchView
from services.bots.search.sight import looks_like
from services.bots.situation import Situation
from tests.unit.bots.positions import FogSeat, shown
from tests.unit.bots.test_match_view import full

QUICK = Level("quick", 0, 0, 0.0, belief=200, samples=6, fog_depth=2)


def never() -> bool:
    return False


def chosen(situation: Situation, level: Level = QUICK, seed: int = 1) -> str:
    return fog_search.think(fog_search.plan(situation, level, Random(seed)), {}, never).uci


def played(*moves: str) -> tuple[Position, tuple[FogSeat, FogSeat]]:
    """A game so far, and what both seats saw of it."""
    game, seats = FogGame.start(), (FogSeat.at_start(0), FogSeat.at_start(1))
    for uci in moves:
        game = game.play(uci).game
        for seat in seats:
            seat.see(game.position, uci)
    return game.position, seats


def random_game(seed: int, plies: int) -> tuple[list[Position], tuple[FogSeat, FogSeat]]:
    """A game of random moves: the position after every ply, and what both seats saw."""
    dice, game, seats = Random(seed), FogGame.start(), (FogSeat.at_start(0), FogSeat.at_start(1))
    positions = [game.position]
    while len(positions) <= plies and game.outcome is None:
        uci = dice.choice(game.position.legal_moves())
        game = game.play(uci).game
        positions.append(game.position)
        for seat in seats:
            seat.see(game.position, uci)
    return positions, seats


@pytest.mark.rule("F-see")
@pytest.mark.parametrize("seed", range(4))
def test_everything_believed_looks_as_the_seat_saw_it_whatever_the_size(seed: int) -> None:
    positions, seats = random_game(seed, 40)
    for side, size in ((0, 50), (1, 7)):
        history = seats[side].history
        belief = Belief(side, 0, history[0], 0, size)
        for ply in range(1, len(positions) - 1):
            assert belief.follow(0, tuple(history[: ply + 1]), Random(ply), never)
            assert 0 < len(belief.positions) <= max(size, 300)
            view = read_pieces(history[ply].pieces)
            for position in belief.positions:
                assert looks_like(position.board(), side, view)
                assert position.turn == positions[ply].turn


def test_with_room_for_all_of_them_the_truth_is_among_them() -> None:
    position, seats = played("g1f3", "b8c6", "b1c3", "g8f6", "e2e4", "f6e4", "c3e4", "d7d5", "f1c4", "d5c4")
    for seat in seats:
        belief = Belief(seat.side, 0, seat.history[0], 0, 50_000)
        assert belief.follow(0, tuple(seat.history), Random(1), never)
        assert position.placement in {believed.placement for believed in belief.positions}
        assert belief.rebuilt == 0


def test_from_the_middle_on_positions_are_made_up_with_the_pieces_that_are_left() -> None:
    position = Position.from_fen("r1b2rk1/ppp2p1p/3p4/8/8/2N2N2/PPP2PPP/R2QR1K1 w - - 0 15", "fog")
    sighting = Sighting("", shown(position, 0))
    belief = Belief(0, 28, sighting, 7, 100)
    assert belief.follow(28, (sighting,), Random(1), never)
    assert belief.rebuilt == 1
    assert len(belief.positions) == 100
    view = read_pieces(sighting.pieces)
    for believed in belief.positions:
        assert looks_like(believed.board(), 0, view)
        assert sum(letter.islower() for letter in believed.pieces().values()) <= 16 - 7
        assert "k" in believed.pieces().values()
        assert believed.turn == 0
    assert len({believed.placement for believed in belief.positions}) > 50


def test_a_history_that_does_not_go_on_from_what_it_knows_is_refused() -> None:
    _, (seat, _) = played("e2e4", "e7e5", "g1f3")
    _, (other, _) = played("d2d4", "e7e5", "g1f3")
    belief = Belief(0, 0, seat.history[0], 0, 20)
    assert belief.follow(0, tuple(seat.history), Random(1), never)
    assert not belief.follow(0, tuple(other.history), Random(1), never)
    assert not belief.follow(2, tuple(seat.history), Random(1), never)


@pytest.mark.scenario("F20")
@pytest.mark.rule("F-secret")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("e2e4", "g7g6", "d2d4", "f8g7"), ("e2e4", "b7b6", "d2d4", "c8b7")),
        (("g1f3", "b8c6", "a2a3", "g8f6"), ("g1f3", "d7d6", "a2a3", "c8e6")),
        (("a2a3", "g7g6", "a3a4", "f8g7"), ("a2a3", "b7b6", "a3a4", "c8b7")),
    ],
)
def test_two_games_that_look_alike_to_a_seat_get_the_same_moves(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    (first, (seat, _)), (second, (alike, _)) = played(*one), played(*other)
    assert first != second
    assert seat.history == alike.history
    for level in LEVELS[:3]:
        for seed in range(3):
            assert chosen(seat.situation(first), level, seed) == chosen(alike.situation(second), level, seed)


@pytest.mark.rule("F-win")
@pytest.mark.parametrize("level", LEVELS, ids=[level.name for level in LEVELS])
def test_a_king_in_view_is_taken_at_every_level(level: Level) -> None:
    position, (seat, _) = played("e2e4", "f7f6", "d1h5", "a7a6")
    assert chosen(seat.situation(position), level) == "h5e8"


def test_the_king_does_not_stay_where_an_enemy_that_was_seen_takes_it() -> None:
    position, (_, seat) = played("e2e4", "f7f6", "d1h5", "g7g6", "h5g6")
    for seed in range(3):
        assert chosen(seat.situation(position), QUICK, seed) == "h7g6"


def test_when_time_runs_out_there_is_a_move_all_the_same() -> None:
    positions, seats = random_game(3, 30)
    ply = 30 if positions[-1].turn == 0 else 29
    situation = Situation(
        *("fog", "online", 0, "", seats[0].history[ply].pieces, positions[ply].legal_moves()),
        key="m/0",
        history=tuple(seats[0].history[: ply + 1]),
    )
    plan = fog_search.plan(situation, LEVELS[4], Random(1))
    assert fog_search.think(plan, {}, lambda: True).uci in situation.moves


def test_a_seat_remembers_what_it_saw_and_begins_anew_with_a_full_view() -> None:
    first = full()
    first.setup.variant = types_pb2.VARIANT_FOG
    view = MatchView(0)
    assert view.take(first, 0.0)
    situation = view.situation({})
    assert (situation.key, situation.first_ply, len(situation.history)) == ("m/0", 4, 1)
