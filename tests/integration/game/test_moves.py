"""Moves over the wire, in a real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from libs.rules.tandem import TandemMatch, units
from libs.wire.raw import game_of
from tests.integration.game.kit import Caller, StoreClock, start_match

MATE_ON_A = "A:e2e4 A:e7e5 B:e2e4 A:f1c4 B:d7d5 A:b8c6 B:e4d5 A:d1h5 B:d8d5 A:g8f6 B:b1c3 A:h5f7"


@pytest.mark.rule("T-end")
async def test_a_match_of_scripted_moves_ends_by_its_mate(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    expected = TandemMatch.start("online")
    plies = [0, 0]
    for word in MATE_ON_A.split():
        board = "AB".index(word[0])
        expected = expected.play(board, word[2:]).match
        clock.advance(1_500_000)
        version = await arena.move(2 * board + plies[board] % 2, plies[board], word[2:])
        plies[board] += 1
        assert version == sum(plies) + 1
        found = game_of(await arena.state())
        assert found == expected
        assert isinstance(found, TandemMatch)
        assert sum(units(found).values()) == 64
    assert await arena.outcome() == (1, "mate")
    whole = await arena.whole()
    assert [event.version for event in whole.log] == list(range(1, 14))
    assert whole.log[-1].moved.san == "Qxf7#"
