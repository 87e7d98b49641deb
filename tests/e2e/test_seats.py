"""Who holds a seat: whoever gave it back keeps nothing of it."""

from __future__ import annotations

import asyncio

import pytest

from tests.kit.browser import Browser, Refused
from tests.kit.table import START_WITHIN_S
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.rule("F-secret")
@pytest.mark.rule("B-link")
async def test_a_seat_given_back_can_neither_be_played_nor_seen_nor_left_with_its_old_token(
    whole: Whole,
) -> None:
    async with Browser(whole.url) as first, Browser(whole.url) as second, Browser(whole.url) as rival:
        made = await first.command("create_table", variant="fog", public=False)
        seat = await first.command("take_seat", table=made["table"], seat=0)
        await first.command("leave")
        await second.command("take_seat", table=made["table"], seat=0)
        for _ in range(2):  # before the start and after it
            joined = await first.join(made["table"], seat["token"])
            assert "seat" not in joined
            with pytest.raises(Refused):
                await first.command("set_bot", seat=0, level=0)
            if second.match is None:
                await rival.command("take_seat", table=made["table"], seat=1)
                await second.wait_for(lambda b: b.match, START_WITHIN_S)
                await first.wait_for(lambda b: b.match, START_WITHIN_S)
        assert first.match is not None
        assert first.match["you"] is None
        assert first.match["boards"]["A"]["pieces"] == "?" * 64
        with pytest.raises(Refused):
            await first.command("move", board="A", ply=0, uci="e2e4")
        await second.command("move", board="A", ply=0, uci="e2e4")
        await asyncio.wait_for(rival.wait_for(lambda b: b.match and b.match["boards"]["A"]["ply"] == 1), 10)
