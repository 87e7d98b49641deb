"""Tandem as seen through frames: the same for everybody, but for legal moves and what partners say."""

from __future__ import annotations

from random import Random

import pytest

from gen.tandemfog.feed.v1.feed_pb2 import EventWithState
from gen.tandemfog.types.v1.types_pb2 import SEAT_KIND_BOT
from gen.tandemfog.view.v1.view_pb2 import View
from libs.rules.fog import FogGame
from libs.rules.squares import square_name
from libs.rules.tandem import TandemMatch
from services.visibility.view import Viewer, full_view, tandem_views_of_event, view_of_event
from tests.unit.visibility.referee import Referee

SEATS = [Viewer(seat) for seat in range(4)]
SPECTATOR = Viewer(None)
EVERYBODY = (*SEATS, SPECTATOR)
QUIET = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"


def start() -> Referee:
    return Referee(TandemMatch.start("online"))


def played(referee: Referee, uci: str, board: int = 0) -> dict[Viewer, View]:
    """The frame of a move for everybody."""
    item = referee.play(uci, board)
    views = {}
    for viewer in EVERYBODY:
        view = view_of_event(item.event, item.state, viewer)
        assert view is not None
        views[viewer] = view
    assert shared(item) == views
    return views


def shared(item: EventWithState) -> dict[Viewer, View]:
    """The frame of an event for everybody, as it is made for all at once."""
    views = tandem_views_of_event(item.event, item.state, EVERYBODY)
    assert [viewer for _, same in views for viewer in same] != []
    return {viewer: view for view, same in views for viewer in same}


def without_own_parts(view: View) -> bytes:
    """A view's bytes without what only its viewer may know or do."""
    public = View.FromString(view.SerializeToString())
    for part in ("legal", "standing", "talk", "setup"):
        public.ClearField(part)
    return public.SerializeToString(deterministic=True)


def origins(view: View) -> dict[str, set[str]]:
    return {getattr(origin, "from"): set(origin.to) for origin in view.legal.origins}


@pytest.mark.scenario("T01")
@pytest.mark.rule("T-capture")
def test_a_captured_promoted_piece_is_a_pawn_in_the_partners_hand_in_the_same_frame() -> None:
    referee = Referee.tandem_at("1r2k3/P7/8/8/8/8/8/4K3[] w - - 0 1", QUIET)
    promotion = played(referee, "a7a8q")
    for view in promotion.values():
        assert list(view.boards[0].promoted) == ["a8"]
        assert view.boards[0].pieces[0] == "Q"
        assert len(view.boards) == 1
    capture = played(referee, "b8a8")
    for view in capture.values():
        own, other = view.boards
        assert (own.board, other.board) == (0, 1)
        assert list(other.hands) == ["P", ""]
        assert list(own.promoted) == []
        assert "[P]" in other.fen
    for viewer in EVERYBODY:
        assert list(full_view(referee.match(), viewer).boards[1].hands) == ["P", ""]


@pytest.mark.rule("T-capture")
def test_everybody_sees_the_same_boards_hands_clocks_and_moves() -> None:
    dice = Random(7)
    referee = start()
    for _ in range(60):
        board = dice.randrange(2)
        moves = referee.positions[board].legal_moves()
        if referee.rules.outcome or not moves:
            break
        views = played(referee, dice.choice(moves), board)
        assert len({without_own_parts(view) for view in views.values()}) == 1
        assert len({without_own_parts(full_view(referee.match(), viewer)) for viewer in EVERYBODY}) == 1
        for shown in full_view(referee.match(), SPECTATOR).boards:
            position = referee.positions[shown.board]
            assert shown.fen == position.fen()
            for place, sign in enumerate(shown.pieces):
                square = (7 - place // 8) * 8 + place % 8
                assert sign == (position.piece_at(square) or ".")[0]
                assert (square_name(square) in shown.promoted) == ("~" in (position.piece_at(square) or ""))


def test_deltas_applied_to_a_full_view_give_the_full_view_after_them() -> None:
    for viewer in EVERYBODY:
        dice = Random(11)
        referee = start()
        held = full_view(referee.match(), viewer)
        for _ in range(40):
            board = dice.randrange(2)
            moves = referee.positions[board].legal_moves()
            if referee.rules.outcome or not moves:
                break
            item = referee.play(dice.choice(moves), board)
            delta = view_of_event(item.event, item.state, viewer)
            assert delta is not None
            apply(held, delta)
            assert held == full_view(referee.match(), viewer)


@pytest.mark.parametrize("bot", [None, 2])
def test_what_is_made_for_several_viewers_at_once_is_what_each_alone_would_be_shown(bot: int | None) -> None:
    dice = Random(5)
    referee = start()
    if bot is not None:
        referee.state.seats[bot].kind = SEAT_KIND_BOT
    alone_made = together_made = 0
    for number in range(60):
        board = dice.randrange(2)
        moves = referee.positions[board].legal_moves()
        if referee.rules.outcome or not moves:
            break
        if number == 20:
            items = [
                referee.offer_draw(1),
                referee.presence(1, online=False),
                referee.presence(1, online=True),
            ]
            del referee.state.draw_agreed[:]
        else:
            items = [referee.play(dice.choice(moves), board)]
        for item in items:
            together = tandem_views_of_event(item.event, item.state, EVERYBODY)
            alone = {viewer: view_of_event(item.event, item.state, viewer) for viewer in EVERYBODY}
            assert {viewer: view for view, same in together for viewer in same} == alone
            alone_made, together_made = alone_made + len(alone), together_made + len(together)
    assert together_made < alone_made
    over = referee.end(1, "resignation")
    assert shared(over) == {viewer: view_of_event(over.event, over.state, viewer) for viewer in EVERYBODY}


def apply(held: View, delta: View) -> None:
    """What docs/protocol.md says of a delta."""
    assert delta.version == held.version + 1
    held.version = delta.version
    for board in delta.boards:
        held.boards[board.board].CopyFrom(board)
    held.moves.extend(delta.moves)
    for part in ("seats", "clocks", "standing", "legal", "outcome"):
        if delta.HasField(part):
            getattr(held, part).CopyFrom(getattr(delta, part))
    if delta.outages_ms:
        held.outages_ms[:] = delta.outages_ms


def test_legal_moves_go_to_the_seats_of_the_board_and_to_whose_hand_has_changed() -> None:
    referee = start()
    views = played(referee, "e2e4")
    assert {viewer for viewer, view in views.items() if view.HasField("legal")} == {SEATS[0], SEATS[1]}
    assert origins(views[SEATS[0]]) == {}
    assert origins(views[SEATS[1]])["e7"] == {"e6", "e5"}
    assert views[SEATS[1]].legal.ply == 1
    played(referee, "d7d5")
    views = played(referee, "e4d5")
    assert {viewer for viewer, view in views.items() if view.HasField("legal")} == {*SEATS[:2], SEATS[3]}
    assert list(views[SEATS[0]].boards[1].hands) == ["", "p"]


@pytest.mark.rule("T-drop")
def test_squares_for_drops_are_told_whatever_is_in_hand() -> None:
    legal = full_view(start().match(), SEATS[0]).legal
    assert "e4" in legal.piece_drops
    assert set(legal.piece_drops) == {f"{file}{rank}" for file in "abcdefgh" for rank in range(3, 7)}
    assert set(legal.pawn_drops) == set(legal.piece_drops)
    legal = full_view(Referee.tandem_at(QUIET, QUIET).match(), SEATS[0]).legal
    assert "a1" in legal.piece_drops
    assert "a8" in legal.piece_drops
    assert not {"a1", "a8"} & set(legal.pawn_drops)


@pytest.mark.scenario("T04")
@pytest.mark.rule("T-wait")
def test_a_waiting_seat_is_told_so_and_learns_of_the_piece_that_frees_it_at_once() -> None:
    referee = Referee.tandem_at("7k/8/6Q1/8/8/8/8/4K3[] b - - 0 1", "4k3/8/8/3p4/4P3/8/8/4K3[] w - - 0 1")
    waiting = full_view(referee.match(), SEATS[1])
    assert waiting.boards[0].state == "waiting"
    assert origins(waiting) == {}
    view = played(referee, "e4d5", board=1)[SEATS[1]]
    by_board = {board.board: board for board in view.boards}
    assert list(by_board[0].hands) == ["", "p"]
    assert by_board[0].state == "normal"
    assert "a2" in view.legal.pawn_drops


@pytest.mark.scenario("T03")
def test_a_mate_ends_the_match_in_the_frame_of_its_move() -> None:
    referee = Referee.tandem_at("6k1/8/6K1/8/8/8/8/Q7[] w - - 0 1", QUIET)
    views = played(referee, "a1g7")
    for viewer, view in views.items():
        assert (view.outcome.winner, view.outcome.reason) == (1, "mate")
        assert view.boards[0].state == "mate"
        assert viewer.seat is None or origins(view) == {}
        assert not view.standing.may_offer_draw


@pytest.mark.rule("T-abort")
def test_an_abort_is_offered_to_people_until_a_board_has_its_second_move() -> None:
    referee = start()
    referee.state.seats[3].kind = SEAT_KIND_BOT
    assert full_view(referee.match(), SEATS[2]).standing.may_abort
    assert not full_view(referee.match(), SEATS[3]).standing.may_abort
    assert not full_view(referee.match(), SPECTATOR).standing.may_abort
    assert played(referee, "e2e4")[SEATS[2]].standing.may_abort
    assert not played(referee, "e7e5")[SEATS[2]].standing.may_abort


@pytest.mark.rule("T-draw")
def test_offers_are_known_to_everybody_and_not_repeated_too_soon() -> None:
    referee = start()
    assert full_view(referee.match(), SEATS[0]).standing.may_offer_draw
    item = referee.offer_draw(0)
    for viewer in EVERYBODY:
        view = view_of_event(item.event, item.state, viewer)
        assert view is not None
        assert list(view.standing.draw_agreed) == [0]
        assert not view.standing.may_offer_draw
        assert not view.boards
    del referee.state.draw_agreed[:]
    standing = [full_view(referee.match(), viewer).standing.may_offer_draw for viewer in SEATS]
    assert standing == [False, True, True, True]


@pytest.mark.rule("T-draw")
def test_an_offer_that_ends_with_its_maker_going_offline_is_gone_for_everybody() -> None:
    referee = start()
    referee.offer_draw(0)
    del referee.state.draw_agreed[:]
    item = referee.presence(0, online=False)
    for viewer in EVERYBODY:
        view = view_of_event(item.event, item.state, viewer)
        assert view is not None
        assert [seat.online for seat in view.seats.seats] == [False, True, True, True]
        assert view.HasField("standing")
        assert not view.standing.draw_agreed


@pytest.mark.scenario("C01")
@pytest.mark.scenario("C02")
def test_talk_is_in_the_full_views_of_the_own_team_only() -> None:
    referee = start()
    referee.say(0, 1, "knight please")
    referee.say(3, 1, "coming")
    referee.say(1, 2, "sit")
    told = {viewer: [line.text for line in full_view(referee.match(), viewer).talk] for viewer in EVERYBODY}
    one, two = ["knight please", "coming"], ["sit"]
    assert told == {SEATS[0]: one, SEATS[1]: two, SEATS[2]: two, SEATS[3]: one, SPECTATOR: []}


@pytest.mark.rule("F-secret")
@pytest.mark.parametrize("fog", [False, True], ids=["tandem", "fog"])
def test_frames_are_numbered_without_a_gap_for_each_viewer_whatever_is_hidden_from_it(fog: bool) -> None:
    referee = Referee(FogGame.start()) if fog else start()
    viewers = (SEATS[0], SEATS[1], SPECTATOR)
    held = {viewer: full_view(referee.match(), viewer).version for viewer in viewers}
    items = [
        referee.presence(1, online=False),
        referee.play("e2e4"),
        referee.offer_draw(0),
        referee.presence(1, online=True),
        referee.play("e7e5"),
        referee.play("d2d4"),
    ]
    for item in items:
        for viewer in viewers:
            view = view_of_event(item.event, item.state, viewer)
            if view is not None:
                assert view.version == held[viewer] + 1
                held[viewer] = view.version
    assert held == {viewer: full_view(referee.match(), viewer).version for viewer in viewers}
    assert held[SPECTATOR] == (4 if fog else 7)
