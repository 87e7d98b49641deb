"""Two people on one device: who is shown what before, at and after each lift of the curtain (F-curtain)."""

from __future__ import annotations

import pytest

from gen.tandemfog.view.v1.view_pb2 import Frame
from services.visibility.outlet import Outlet
from services.visibility.view import Viewer, full_view, is_curtained, view_of_event
from tests.unit.visibility.referee import Referee
from tests.unit.visibility.test_hub import House, frames, nothing_more

pytestmark = pytest.mark.rule("F-curtain")

WHITE, BLACK, SPECTATOR = Viewer(0), Viewer(1), Viewer(None)


def who_sees(referee: Referee) -> list[Viewer]:
    return [viewer for viewer in (WHITE, BLACK) if not is_curtained(referee.state, viewer)]


def said(found: list[Frame]) -> list[tuple[list[int], str]]:
    """For whom each frame is, and what it says: a view's kind, or the refusal."""
    return [
        (sorted(frame.viewers), frame.refused or ("full" if frame.view.full else "delta")) for frame in found
    ]


def test_only_the_side_to_move_sees_and_only_after_its_lift() -> None:
    referee = Referee.on_one_device()
    assert who_sees(referee) == []
    referee.lift()
    assert who_sees(referee) == [WHITE]
    referee.play("e2e4")
    assert who_sees(referee) == []
    referee.lift()
    assert who_sees(referee) == [BLACK]
    referee.play("e7e5")
    assert who_sees(referee) == []


def test_the_curtain_never_hangs_before_spectators_nor_after_the_end_nor_in_other_games() -> None:
    referee = Referee.on_one_device()
    assert not is_curtained(referee.state, SPECTATOR)
    referee.end(2, "resignation")
    assert who_sees(referee) == [WHITE, BLACK]
    assert who_sees(Referee.fog_at("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) == [WHITE, BLACK]


def test_who_moves_is_shown_what_came_of_it_and_the_other_side_is_not() -> None:
    referee = Referee.on_one_device()
    referee.lift()
    item = referee.play("e2e4")
    view = view_of_event(item.event, item.state, WHITE)
    assert view is not None
    assert [move.uci for move in view.moves] == ["e2e4"]
    assert view_of_event(item.event, item.state, BLACK) is None
    lifted = referee.lift()
    assert view_of_event(lifted.event, lifted.state, WHITE) is None


def test_spectators_are_told_of_each_lift_by_the_clocks_alone() -> None:
    referee = Referee.on_one_device()
    item = referee.lift()
    view = view_of_event(item.event, item.state, SPECTATOR)
    assert view is not None
    assert list(view.clocks.running) == [True, False]
    assert not view.boards
    assert not view.moves
    assert full_view(referee.match(), SPECTATOR).boards[0].pieces == "?" * 64


async def joined(house: House, outlet: Outlet, number: int, seat: int | None) -> list[tuple[list[int], str]]:
    """What is said to somebody who joins."""
    house.watch(outlet, number, seat)
    return said(await frames(outlet, 1))


async def test_behind_the_curtain_neither_side_is_let_in() -> None:
    house = House(Referee.on_one_device())
    outlet = house.outlet()
    for lifted in (False, True):
        assert await joined(house, outlet, 2, 1) == [([2], "curtain_down")]
        if not lifted:
            assert await joined(house, outlet, 1, 0) == [([1], "curtain_down")]
            assert await joined(house, outlet, 3, None) == [([3], "full")]
            house.tell(house.referee.lift())
            assert said(await frames(outlet, 1)) == [([3], "delta")]
    assert await joined(house, outlet, 1, 0) == [([1], "full")]


async def test_the_curtain_falls_with_the_move_and_nothing_follows_to_who_made_it() -> None:
    house = House(Referee.on_one_device())
    outlet = house.outlet()
    house.referee.lift()
    assert await joined(house, outlet, 1, 0) == [([1], "full")]
    assert await joined(house, outlet, 9, 0) == [([9], "full")]
    house.tell(house.referee.play("e2e4"))
    first, *others = said(await frames(outlet, 3))
    assert first == ([1, 9], "delta")
    assert sorted(others) == [([1], "curtain_down"), ([9], "curtain_down")]
    assert await joined(house, outlet, 1, 0) == [([1], "curtain_down")]
    house.tell(house.referee.lift())
    house.tell(house.referee.play("e7e5"))
    await nothing_more(outlet)


async def test_a_full_view_that_is_owed_is_not_given_any_more_once_the_curtain_is_down() -> None:
    house = House(Referee.on_one_device())
    outlet = house.outlet()
    house.tell(house.referee.lift())
    house.gate.clear()
    house.watch(outlet, 1, 0)
    house.tell(house.referee.play("e2e4"))
    house.gate.set()
    assert said(await frames(outlet, 1)) == [([1], "curtain_down")]


async def test_at_the_end_the_fog_lifts_for_the_side_that_sees_and_for_spectators() -> None:
    house = House(Referee.on_one_device())
    outlet = house.outlet()
    house.referee.lift()
    assert await joined(house, outlet, 1, 0) == [([1], "full")]
    assert await joined(house, outlet, 3, None) == [([3], "full")]
    house.tell(house.referee.end(2, "resignation"))
    assert sorted(said(await frames(outlet, 2))) == [([1], "full"), ([3], "full")]
    assert await joined(house, outlet, 2, 1) == [([2], "full")]
