"""Two of each service: one move that comes three times, by two sockets, through two gateways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from libs.rules.tandem import TandemMatch, units
from tests.kit.browser import Browser, Refused
from tests.kit.replicas import Replicas
from tests.kit.table import full_table, positions

pytestmark = pytest.mark.alone

OPENING = (("A", 0, "e2e4"), ("A", 1, "d7d5"), ("B", 0, "e2e4"), ("B", 1, "e7e5"))


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.scenario("T14")
async def test_a_move_sent_three_times_through_two_gateways_is_made_once_and_its_piece_comes_once(
    tmp_path: Path, valkey_url: str
) -> None:
    async with (
        Replicas(tmp_path, valkey_url) as stack,
        full_table(stack.urls[0], variant="tandem") as browsers,
    ):
        for board, ply, uci in OPENING:
            await browsers[2 * "AB".index(board) + ply % 2].command("move", board=board, ply=ply, uci=uci)
        capture: dict[str, Any] = {"request_id": "same", "board": "A", "ply": 2, "uci": "e4d5"}
        first = await browsers[0].command("move", **capture)
        assert "duplicate" not in first
        place = browsers[0].place
        assert place is not None
        async with Browser(stack.urls[1], browsers[0].cookies) as again:
            await again.join(place[0], place[2])
            for _ in range(2):
                answer = await again.command("move", **capture)
                assert (answer["version"], answer["duplicate"]) == (first["version"], True)
            with pytest.raises(Refused, match="stale"):  # another move for the same position
                await again.command("move", board="A", ply=2, uci="d2d4")
            for browser in (*browsers[1:], again):
                await browser.wait_for(lambda page: page.match and len(page.match["moves"]) == 5)
                first_board, second_board = positions(browser)
                assert second_board.hand(1)["P"] == 1
                assert sum(units(TandemMatch.at((first_board, second_board), "online")).values()) == 64
