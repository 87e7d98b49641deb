"""Bots play whole matches through game, visibility and matchmaking."""

from __future__ import annotations

import pytest

from gen.tandemfog.types.v1 import types_pb2
from tests.integration.bots.harness import FOG, TANDEM, Stack

ENDINGS = {
    TANDEM: {"mate", "time", "nobody_can_move", "move_limit"},
    FOG: {"king_captured", "no_moves", "threefold", "fifty_moves"},
}


@pytest.mark.rule("B-fill")
@pytest.mark.parametrize("variant", [TANDEM, FOG])
async def test_a_table_of_bots_plays_to_a_result(stack: Stack, variant: types_pb2.Variant.ValueType) -> None:
    async with stack.bots():
        match_id = await stack.bots_table(variant)
        await stack.started(match_id)
        outcome = await stack.finished(match_id)
    assert outcome.reason in ENDINGS[variant]
