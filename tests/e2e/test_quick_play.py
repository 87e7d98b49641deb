"""Quick play in the whole: nobody else comes, so bots do, and they play."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.browser import Browser
from tests.kit.table import START_WITHIN_S
from tests.kit.whole import Whole


@pytest.mark.rule("B-fill")
async def test_partners_who_waited_alone_play_a_match_with_bots(tmp_path: Path) -> None:
    settings = {"TANDEMFOG_MATCHMAKING_BOTS_AFTER_MS": "500", "TANDEMFOG_BOTS_PACE": "0"}
    async with Whole(tmp_path, settings) as whole, Browser(whole.url) as kari, Browser(whole.url) as ola:
        party = (await kari.command("create_party", name="Kari"))["party"]
        await ola.command("join_party", party=party, name="Ola")
        await kari.command("quick_play", variant="tandem", party=party)
        for person in (kari, ola):
            await person.wait_for(lambda page: page.queue and page.queue["bots_offered"], START_WITHIN_S)
        await ola.command("quick_play_bots")
        for person in (kari, ola):
            await person.wait_for(lambda page: page.match, START_WITHIN_S)
        # The bots are at it: on some board it is White's move, and where a bot is White it comes by itself.
        await kari.wait_for(lambda page: page.match and page.match["moves"], START_WITHIN_S)
        assert kari.match is not None
        kinds = [seat["kind"] for seat in kari.match["seats"]]
        assert sorted(kinds) == ["bot", "bot", "human", "human"]
        assert kinds[0] == kinds[3]  # partners
