"""Two people on one device, through game, store and visibility (F-curtain)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.tandemfog.types.v1.types_pb2 import VARIANT_FOG
from tests.integration.game.kit import Arena, Caller, start_match
from tests.integration.visibility.kit import Client, House, Screen

pytestmark = pytest.mark.rule("F-curtain")
SPECTATOR = 9


async def refused(client: Client, viewer: int, arena: Arena, seat: int) -> Screen:
    """A screen on which a seat is not shown, for the curtain."""
    client.join(viewer, arena.match_id, arena.token(seat))
    screen = await client.until(viewer, lambda screen: screen.refused)
    assert screen.refused == "curtain_down"
    assert screen.fulls == 0
    return screen


async def test_each_side_sees_from_its_lift_to_its_move_and_nothing_else(
    game: Caller, house: House, tmp_path: Path
) -> None:
    arena = await start_match(game, tmp_path, variant=VARIANT_FOG, curtain=True)
    client = house.client()
    client.join(SPECTATOR, arena.match_id)
    await client.version(SPECTATOR, 1)
    for ply, uci in enumerate(("e2e4", "d7d5", "e4d5", "d8d5")):
        seat, viewer = ply % 2, 10 * ply
        await refused(client, viewer + 1, arena, seat)
        await arena.lift(seat, ply)
        await refused(client, viewer + 2, arena, 1 - seat)
        client.join(viewer, arena.match_id, arena.token(seat))
        assert (await client.version(viewer, 2 * ply + 2)).legal.origins
        await arena.move(seat, ply, uci)
        screen = await client.until(viewer, lambda screen: screen.refused)
        assert screen.refused == "curtain_down"
        assert screen.shown.moves[-1].uci == uci
        assert not screen.shown.legal.origins
        shown = len(screen.sizes)
        await client.version(SPECTATOR, 2 * ply + 3)
        assert len(client.screens[viewer].sizes) == shown
    spectated = client.screens[SPECTATOR]
    assert spectated.shown.boards[0].pieces == "?" * 64
    assert [clock for clock in spectated.shown.clocks.running if clock] == []
    await arena.lift(0, 4)
    client.join(1, arena.match_id, arena.token(0))
    await client.version(1, 10)
    await arena.gesture(0, "resign")
    for viewer in (1, SPECTATOR):
        view = (
            await client.until(viewer, lambda screen: screen.view and screen.view.HasField("outcome"))
        ).shown
        assert "?" not in view.boards[0].pieces
