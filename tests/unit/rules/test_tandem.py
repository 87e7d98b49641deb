"""Two boards together: pieces passing on, seats and teams, and the ends of a match."""

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError, replace

import pytest

from libs.rules.errors import BadText, IllegalMove, MatchOver
from libs.rules.outcome import (
    ABORTED,
    AGREEMENT,
    CLOSED,
    IDLE,
    MATE,
    MOVE_LIMIT,
    NOBODY_CAN_MOVE,
    NOBODY_PLAYED,
    TIME,
    Outcome,
    is_aborted,
    is_draw,
)
from libs.rules.position import Position
from libs.rules.squares import BLACK, WHITE
from libs.rules.tandem import (
    BOARD_A,
    BOARD_B,
    LIMIT_PLIES,
    TandemMatch,
    board_of,
    partner_of,
    seat_of,
    side_of,
    team_of,
    units,
)
from tests.unit.rules.data import tandem

QUIET = Position.start("tandem")
STUCK = tandem("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")


def played(match: TandemMatch, *moves: tuple[int, str]) -> TandemMatch:
    for board, uci in moves:
        match = match.play(board, uci).match
    return match


@pytest.mark.rule("T-seats")
def test_seats_boards_sides_and_teams_fit_together() -> None:
    assert [(board_of(seat), side_of(seat), team_of(seat), partner_of(seat)) for seat in range(4)] == [
        (BOARD_A, WHITE, 1, 3),
        (BOARD_A, BLACK, 2, 2),
        (BOARD_B, WHITE, 2, 1),
        (BOARD_B, BLACK, 1, 0),
    ]
    assert all(seat_of(board_of(seat), side_of(seat)) == seat for seat in range(4))
    assert all(team_of(seat) == team_of(partner_of(seat)) for seat in range(4))


@pytest.mark.rule("T-turns")
def test_no_board_waits_for_the_other() -> None:
    match = played(TandemMatch.start("online"), (0, "e2e4"), (0, "e7e5"), (0, "g1f3"), (1, "d2d4"))
    assert match.plies == (3, 1)
    assert [position.turn for position in match.positions] == [BLACK, BLACK]


@pytest.mark.rule("T-capture")
@pytest.mark.parametrize(("board", "other"), [(BOARD_A, BOARD_B), (BOARD_B, BOARD_A)])
def test_a_captured_piece_is_in_the_partners_hand_in_the_same_step(board: int, other: int) -> None:
    match = played(TandemMatch.start("online"), (board, "e2e4"), (board, "d7d5"))
    step = match.play(board, "e4d5")
    assert (step.captured, step.san, step.side, step.board) == ("p", "exd5", WHITE, board)
    # The partner of this board's White plays the other board's Black.
    assert step.match.positions[other].hand(BLACK)["P"] == 1
    assert step.match.positions[board].hand(BLACK) == step.match.positions[board].hand(WHITE)
    answer = step.match.play(board, "d8d5")
    assert answer.captured == "P"
    assert answer.match.positions[other].hand(WHITE)["P"] == 1


@pytest.mark.rule("T-capture")
@pytest.mark.scenario("T01")
def test_a_captured_promoted_piece_arrives_as_exactly_one_pawn() -> None:
    match = TandemMatch.at((tandem("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1"), QUIET), "online")
    promoted = match.play(BOARD_A, "a7a8q")
    assert promoted.match.positions[BOARD_A].fen().startswith("Qr2k3".replace("Q", "Q~"))
    step = promoted.match.play(BOARD_A, "b8a8")
    assert step.captured == "P"
    assert step.match.positions[BOARD_B].hand(WHITE) == {"P": 1, "N": 0, "B": 0, "R": 0, "Q": 0}
    assert step.match.positions[BOARD_B].fen().startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[P] w")


@pytest.mark.rule("T-capture")
def test_en_passant_sends_a_pawn_across() -> None:
    match = TandemMatch.at((tandem("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), QUIET), "online")
    assert match.play(BOARD_A, "e5d6").match.positions[BOARD_B].hand(BLACK)["P"] == 1


@pytest.mark.rule("T-end")
@pytest.mark.scenario("T11")
@pytest.mark.parametrize(
    ("board", "fen", "mate", "winner"),
    [
        (BOARD_A, "6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "g5f7", 1),
        (BOARD_A, "k7/8/8/8/6n1/8/6PP/6RK b - - 0 1", "g4f2", 2),
        (BOARD_B, "6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "g5f7", 2),
        (BOARD_B, "k7/8/8/8/6n1/8/6PP/6RK b - - 0 1", "g4f2", 1),
    ],
)
def test_mate_on_one_board_wins_the_match_for_the_mating_team(
    board: int, fen: str, mate: str, winner: int
) -> None:
    boards = (tandem(fen), QUIET) if board == BOARD_A else (QUIET, tandem(fen))
    step = TandemMatch.at(boards, "online").play(board, mate)
    assert step.match.outcome == Outcome(winner, MATE)
    assert step.san.endswith("#")
    assert step.verdicts[board] == "mate"


@pytest.mark.rule("T-end")
@pytest.mark.scenario("T15")
def test_after_the_end_every_move_on_both_boards_is_refused() -> None:
    match = TandemMatch.at((tandem("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1"), QUIET), "online")
    over = match.play(BOARD_A, "g5f7").match
    for board, uci in ((BOARD_B, "e2e4"), (BOARD_A, "h8g8"), (BOARD_B, "nonsense")):
        with pytest.raises(MatchOver) as refused:
            over.play(board, uci)
        assert refused.value.reason == "over"
    assert over.legal_moves(BOARD_B) == ()
    assert over.positions[BOARD_B] == QUIET


@pytest.mark.rule("T-club-mate")
def test_a_blockable_check_mates_in_the_club_and_waits_online() -> None:
    before = (tandem("6k1/5ppp/8/8/8/8/8/K6R w - - 0 1".replace("K6R", "KR6")), QUIET)
    online = TandemMatch.at(before, "online").play(BOARD_A, "b1b8")
    assert (online.match.outcome, online.verdicts[0], online.san) == (None, "waiting", "Rb8+")
    club = TandemMatch.at(before, "club").play(BOARD_A, "b1b8")
    assert (club.match.outcome, club.verdicts[0], club.san) == (Outcome(1, MATE), "mate", "Rb8#")


@pytest.mark.rule("T-club-mate")
def test_in_the_club_a_piece_in_hand_that_blocks_is_no_mate_and_a_stuck_king_waits() -> None:
    fed = tandem("R5k1/5ppp/8/8/8/8/8/K7[n] b - - 0 1")
    assert fed.verdict("club") == "check"
    assert STUCK.verdict("club") == "waiting"


@pytest.mark.rule("T-wait")
@pytest.mark.scenario("T04")
def test_a_waiting_player_goes_on_when_the_partner_captures() -> None:
    helper = tandem("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    waiting = TandemMatch.at((tandem("7k/8/6Q1/8/8/8/8/4K3 b - - 0 1"), helper), "online")
    assert waiting.outcome is None
    assert waiting.verdict(BOARD_A) == "waiting"
    with pytest.raises(IllegalMove):
        waiting.play(BOARD_A, "h8h7")
    # Black on A has White on B as partner, who takes a black pawn: it is Black's to drop.
    step = waiting.play(BOARD_B, "e4d5")
    assert step.verdicts[BOARD_A] == "normal"
    assert "P@a7" in step.match.legal_moves(BOARD_A)
    assert "P@a8" not in step.match.legal_moves(BOARD_A)


@pytest.mark.rule("T-draw")
def test_when_nobody_on_move_has_a_move_the_match_is_drawn() -> None:
    before = tandem("7k/8/8/8/8/8/5Q2/K7[QRBNP] w - - 0 1")
    step = TandemMatch.at((before, STUCK), "online").play(BOARD_A, "f2f7")
    assert step.match.outcome == Outcome(None, NOBODY_CAN_MOVE)
    assert step.verdicts == ("waiting", "waiting")


@pytest.mark.rule("T-draw")
@pytest.mark.scenario("T08")
@pytest.mark.parametrize("hand", ["", "QRBNPqrbnp"])
def test_bare_kings_never_draw(hand: str) -> None:
    bare = tandem(f"4k3/8/8/8/8/8/8/4K3[{hand}] w - - 0 1")
    match = played(TandemMatch.at((bare, bare), "online"), (0, "e1e2"), (1, "e1e2"), (1, "e8e7"), (0, "e8e7"))
    assert match.outcome is None


@pytest.mark.rule("T-draw")
@pytest.mark.scenario("T09")
def test_knights_out_and_back_never_draw_until_the_800th_move_of_both_boards() -> None:
    dance = ("g1f3", "g8f6", "f3g1", "f6g8")
    match = TandemMatch.start("online")
    for number in range(LIMIT_PLIES - 1):
        # Board B gets every fifth move: the count is of both boards together.
        board = BOARD_B if number % 5 == 4 else BOARD_A
        match = match.play(board, dance[match.plies[board] % 4]).match
        assert match.outcome is None
    assert sum(match.plies) == LIMIT_PLIES - 1
    drawn = match.play(BOARD_B, dance[match.plies[BOARD_B] % 4]).match
    assert drawn.outcome == Outcome(None, MOVE_LIMIT)
    with pytest.raises(MatchOver):
        drawn.play(BOARD_A, "g1f3")


@pytest.mark.rule("T-draw")
def test_the_800th_move_may_mate_or_leave_nobody_a_move_first() -> None:
    mating = tandem("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1")
    last = TandemMatch.at((mating, QUIET), "online", (400, LIMIT_PLIES - 401))
    assert last.play(BOARD_A, "g5f7").match.outcome == Outcome(1, MATE)
    stalemating = tandem("7k/8/8/8/8/8/5Q2/K7 w - - 0 1")
    last = TandemMatch.at((stalemating, STUCK), "online", (400, LIMIT_PLIES - 401))
    assert last.play(BOARD_A, "f2f7").match.outcome == Outcome(None, NOBODY_CAN_MOVE)


@pytest.mark.rule("B-refuse")
def test_a_refused_move_leaves_the_match_equal() -> None:
    match = played(TandemMatch.start("online"), (0, "e2e4"))
    copy = played(TandemMatch.start("online"), (0, "e2e4"))
    for board, uci, error in (
        (0, "e2e4", IllegalMove),
        (0, "Q@e5", IllegalMove),
        (1, "e7e5", IllegalMove),
        (1, "", BadText),
        (2, "e2e4", BadText),
        (-1, "e2e4", BadText),
    ):
        with pytest.raises(error):
            match.play(board, uci)
    assert match == copy
    assert hash(match) == hash(copy)


def test_a_match_is_a_value() -> None:
    match = played(TandemMatch.start("online"), (0, "e2e4"))
    step = match.play(1, "d2d4")
    assert pickle.loads(pickle.dumps(match)) == deepcopy(match) == match  # noqa: S301 - our own
    assert pickle.loads(pickle.dumps(step)) == step == match.play(1, "d2d4")  # noqa: S301 - our own
    assert hash(step) == hash(match.play(1, "d2d4"))
    assert replace(match, outcome=Outcome(1, MATE)).outcome == Outcome(1, MATE)
    for value, name in ((match, "outcome"), (match, "positions"), (step, "san")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, getattr(value, name))
    assert not hasattr(match, "__dict__")


def test_a_match_starts_with_64_units_and_4_kings() -> None:
    count = units(TandemMatch.start("online"))
    assert count.total() == 64
    assert {letter: count[letter] for letter in "KkQqPp"} == {
        "K": 2,
        "k": 2,
        "Q": 2,
        "q": 2,
        "P": 16,
        "p": 16,
    }


def test_units_count_promoted_pieces_as_pawns() -> None:
    match = TandemMatch.at((tandem("1Q~2k3/8/8/8/8/8/q~7/4K3[n] b - - 0 1"), QUIET), "online")
    count = units(match)
    assert (count["P"], count["p"], count["Q"], count["n"]) == (9, 9, 1, 3)


def test_outcomes_are_wins_draws_or_no_result() -> None:
    assert not is_draw(Outcome(1, TIME))
    assert is_draw(Outcome(None, AGREEMENT))
    for reason in (ABORTED, NOBODY_PLAYED, IDLE, CLOSED):
        assert is_aborted(Outcome(None, reason))
        assert not is_draw(Outcome(None, reason))
