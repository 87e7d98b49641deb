"""Laws that hold in all play."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.rules.board import BLACK_BIT, ROOK, WHITE_BIT
from libs.rules.errors import BadText, IllegalMove, RulesError
from libs.rules.fog import FogGame
from libs.rules.observe import observed, visible
from libs.rules.position import Position, Profile, Variant
from libs.rules.squares import SQUARE_NAMES, square_name
from libs.rules.tandem import TandemMatch, units
from tests.unit.rules.data import CHOICES, IN_PLAY, board_play, fog_play, match_play

SOME_MOVE = st.one_of(
    st.builds(
        lambda start, to, kind: start + to + kind,
        *[st.sampled_from(SQUARE_NAMES)] * 2,
        st.sampled_from(["", "q", "n"]),
    ),
    st.builds(lambda kind, to: f"{kind}@{to}", st.sampled_from("PNBRQ"), st.sampled_from(SQUARE_NAMES)),
    st.text(max_size=6),
)


@IN_PLAY
@given(st.sampled_from(["tandem", "fog"]), CHOICES, st.lists(SOME_MOVE, min_size=20, max_size=20))
def test_a_move_is_legal_exactly_when_it_is_listed(
    variant: Variant, choices: list[int], tries: list[str]
) -> None:
    line = board_play(variant, choices)
    position = line[-1][0] if line else Position.start(variant)
    listed = position.legal_moves()
    assert list(listed) == sorted(set(listed))
    for uci in listed:
        assert position.is_legal(uci)
        assert position.play(uci).move == uci
    for uci in tries:
        assert position.is_legal(uci) == (uci in listed)
        if uci not in listed:
            with pytest.raises((IllegalMove, BadText)):
                position.play(uci)


@IN_PLAY
@given(CHOICES, st.sampled_from(["online", "club"]))
def test_two_boards_and_four_hands_always_hold_64_units_and_4_kings(
    choices: list[int], profile: Profile
) -> None:
    """T-capture"""
    for match, board, uci in match_play(choices, profile):
        count = units(match.play(board, uci).match)
        assert count.total() == 64
        assert sum(number for letter, number in count.items() if letter.isupper()) == 32
        assert (count["K"], count["k"]) == (2, 2)
        assert sum("Kk".count(letter) for p in match.positions for letter in p.pieces().values()) == 4


@IN_PLAY
@given(CHOICES, st.sampled_from(["online", "club"]))
def test_replaying_the_moves_gives_the_same_match(choices: list[int], profile: Profile) -> None:
    line = match_play(choices, profile)
    match = TandemMatch.start(profile)
    for reached, board, uci in line:
        assert match == reached
        match = match.play(board, uci).match
    # A kept match is two FENs, the king flags and the counts.
    first, second = (Position.from_fen(p.fen(), "tandem", p.kings_unmoved) for p in match.positions)
    assert TandemMatch.at((first, second), profile, match.plies) == match


@IN_PLAY
@given(CHOICES, st.lists(SOME_MOVE, min_size=5, max_size=5))
def test_a_refused_move_leaves_an_equal_match(choices: list[int], tries: list[str]) -> None:
    """B-refuse"""
    line = match_play(choices)
    match = line[-1][0] if line else TandemMatch.start("online")
    fens = [position.fen() for position in match.positions]
    for uci in tries:
        for board in (0, 1):
            if uci not in match.legal_moves(board):
                with pytest.raises(RulesError):
                    match.play(board, uci)
    assert [position.fen() for position in match.positions] == fens


@IN_PLAY
@given(CHOICES)
def test_a_mated_or_stuck_player_has_no_move_and_others_have(choices: list[int]) -> None:
    """T-mate, T-wait: the drop squares say whether some piece could still help."""
    for match, _, _ in match_play(choices)[-12:]:
        for position in match.positions:
            for profile in ("online", "club"):
                verdict = position.verdict("club" if profile == "club" else "online")
                assert (verdict in ("mate", "waiting")) == (not position.legal_moves())
            if not position.legal_moves() and position.in_check():
                blockable = bool(position.drop_squares()[0])
                assert position.verdict("online") == ("waiting" if blockable else "mate")


@IN_PLAY
@given(CHOICES)
def test_drop_squares_are_where_a_piece_of_each_kind_could_be_dropped(choices: list[int]) -> None:
    line = board_play("tandem", choices)
    position = line[-1][0] if line else Position.start("tandem")
    letters = "PN" if position.turn == 0 else "pn"
    pieces, pawns = position.drop_squares()
    for letter, squares in zip(letters, (pawns, pieces), strict=True):
        moves = position.with_in_hand(letter).legal_moves()
        assert {m for m in moves if m[0] == letter.upper() and "@" in m} == {
            f"{letter.upper()}@{square_name(square)}" for square in squares
        }


@IN_PLAY
@given(CHOICES)
def test_a_fog_game_kept_and_taken_up_again_is_the_same(choices: list[int]) -> None:
    line = fog_play(choices)
    game = line[-1][0] if line else FogGame.start()
    kept = Position.from_fen(game.position.fen(), "fog")
    assert FogGame.at(kept, game.plies, game.repetition()) == game


@IN_PLAY
@given(CHOICES)
def test_what_a_side_sees_does_not_depend_on_what_it_does_not_see(choices: list[int]) -> None:
    """F-secret: enemy pieces that are not visible may be of any kind, the view stays the same."""
    line = fog_play(choices)
    position = (line[-1][0] if line else FogGame.start()).position
    for side in (0, 1):
        view = observed(position, side)
        rook = ROOK + (BLACK_BIT if side == 0 else WHITE_BIT)
        placement = bytes(
            rook if piece and square not in view.squares else piece
            for square, piece in enumerate(position.placement)
        )
        assert observed(replace(position, placement=placement, castling=0), side) == view


@IN_PLAY
@given(CHOICES)
def test_a_side_sees_its_own_pieces_and_every_square_it_can_move_to(choices: list[int]) -> None:
    """F-see"""
    for game, _ in fog_play(choices)[-8:]:
        position = game.position
        for side in (0, 1):
            squares = visible(position, side)
            own = {s for s, letter in position.pieces().items() if letter.isupper() == (side == 0)}
            assert own <= squares
        targets = {target for targets in position.destinations().values() for target in targets}
        assert targets <= visible(position, position.turn)


@IN_PLAY
@given(CHOICES)
def test_a_mark_is_where_my_piece_fell_and_i_do_not_see(choices: list[int]) -> None:
    """F-moves"""
    for game, uci in fog_play(choices)[-30:]:
        step = game.play(uci)
        other = 1 - step.side
        if step.mark is None:
            assert step.captured is None or step.capture_square in visible(step.game.position, other)
        else:
            assert step.mark == step.capture_square
            assert step.mark not in visible(step.game.position, other)
            letter = game.position.piece_at(step.mark)
            assert letter is not None
            assert letter.isupper() == (other == 0)
