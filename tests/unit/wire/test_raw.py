"""Rules values through the raw state and back."""

from __future__ import annotations

import random

import pytest

from gen.tandemfog.feed.v1.feed_pb2 import RawState
from libs.rules.fog import FogGame
from libs.rules.tandem import TandemMatch
from libs.wire.raw import Game, game_of, write_game


def through_the_wire(game: Game) -> Game:
    state = RawState()
    write_game(state, game)
    return game_of(RawState.FromString(state.SerializeToString()))


@pytest.mark.parametrize("profile", ["online", "club"])
@pytest.mark.parametrize("seed", range(3))
def test_a_tandem_match_comes_back_equal_after_every_move(profile: str, seed: int) -> None:
    dice = random.Random(seed)
    match = TandemMatch.start("club" if profile == "club" else "online")
    for _ in range(60):
        assert through_the_wire(match) == match
        moves = [(board, uci) for board in (0, 1) for uci in match.legal_moves(board)]
        if not moves:
            break
        match = match.play(*dice.choice(moves)).match
    assert through_the_wire(match) == match


@pytest.mark.rule("F-draw")
def test_a_fog_game_comes_back_with_its_repetitions() -> None:
    game = FogGame.start()
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        assert game.outcome is None
        game = game.play(uci).game
        back = through_the_wire(game)
        assert back == game
    assert game.outcome is not None
    assert game.outcome.reason == "threefold"


@pytest.mark.rule("T-club-castle")
def test_an_unmoved_king_stays_unmoved_although_the_fen_cannot_say_it() -> None:
    match = TandemMatch.start("club")
    for uci in ["a2a4", "b7b5", "a4b5", "h7h5", "a1a7", "a8a7", "h2h4", "h8h6", "h1h3", "h6g6"]:
        match = match.play(0, uci).match
    assert match.positions[0].fen().split()[2] == "-"
    back = through_the_wire(match)
    assert isinstance(back, TandemMatch)
    assert back.positions[0].kings_unmoved == match.positions[0].kings_unmoved == (True, True)


def test_a_state_of_no_variant_is_an_error() -> None:
    with pytest.raises(ValueError, match="no variant"):
        game_of(RawState())
