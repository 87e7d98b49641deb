"""A seat's view, frame by frame."""

from __future__ import annotations

from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.view.v1 import view_pb2
from services.bots.match_view import MatchView


def full(version: int = 3, epoch: int = 0) -> view_pb2.View:
    pieces = "r" + "." * 7 + "P" + "." * 51 + "K..."
    legal = view_pb2.Legal(ply=4, piece_drops=["a1", "h4"], pawn_drops=["h4"])
    legal.origins.append(view_pb2.Origin(**{"from": "a7"}, to=["b8"]))
    legal.origins.append(view_pb2.Origin(**{"from": "e1"}, to=["e2", "d1"]))
    return view_pb2.View(
        match_id="m",
        version=version,
        epoch=epoch,
        full=True,
        setup=view_pb2.Setup(variant=types_pb2.VARIANT_TANDEM, seated=True, seat=0),
        boards=[
            view_pb2.BoardView(board=0, pieces=pieces, hands=["NP", "q"], ply=4, white_to_move=True),
            view_pb2.BoardView(board=1, pieces="." * 64, hands=["", ""], white_to_move=True),
        ],
        clocks=view_pb2.Clocks(remaining_ms=[9_000] * 4, running=[True, False, True, False], age_ms=100),
        standing=view_pb2.Standing(draw_agreed=[1]),
        legal=legal,
    )


def seen() -> MatchView:
    view = MatchView(0)
    assert view.take(full(), 1_000.0)
    return view


def test_moves_are_destinations_promotions_and_drops_of_what_is_in_hand() -> None:
    view = seen()
    assert view.on_turn
    assert set(view.moves()) == {
        *("a7b8q", "a7b8r", "a7b8b", "a7b8n", "e1e2", "e1d1"),
        *("N@a1", "N@h4", "P@h4"),
    }


def test_a_change_replaces_what_it_carries_and_leaves_the_rest() -> None:
    view = seen()
    board = view_pb2.BoardView(board=0, pieces="." * 64, hands=["", ""], ply=5)
    assert view.take(view_pb2.View(version=4, boards=[board], legal=view_pb2.Legal(ply=5)), 1_500.0)
    assert view.ply == 5
    assert not view.on_turn
    assert view.moves() == ()
    assert view.standing.draw_agreed == [1]


def test_a_gap_or_another_epoch_asks_for_a_full_view_and_a_repeat_does_not() -> None:
    view = seen()
    assert view.take(view_pb2.View(version=3), 0.0)
    assert not view.take(view_pb2.View(version=5), 0.0)
    assert not view.take(view_pb2.View(version=4, epoch=1), 0.0)
    assert view.take(full(version=2, epoch=1), 0.0)
    assert view.version == 2
    assert not MatchView(0).take(view_pb2.View(version=1), 0.0)


def test_the_own_clock_runs_on_between_frames() -> None:
    view = seen()
    assert view.remaining_ms(1_000.0) == 8_900
    assert view.remaining_ms(3_000.0) == 6_900
    assert view.remaining_ms(90_000.0) == 0


def test_another_ones_draw_offer_asks_for_an_answer() -> None:
    view = seen()
    assert view.asked_for_draw()
    standing = view_pb2.Standing(draw_agreed=[0, 1])
    assert view.take(view_pb2.View(version=4, standing=standing), 0.0)
    assert not view.asked_for_draw()


def test_nobody_is_on_turn_once_the_match_is_over() -> None:
    view = seen()
    assert view.take(view_pb2.View(version=4, outcome=types_pb2.Outcome(winner=1, reason="mate")), 0.0)
    assert not view.on_turn
    assert not view.asked_for_draw()
