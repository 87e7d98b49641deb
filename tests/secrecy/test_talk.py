"""1.3: what partners say shows in nothing that anybody else is sent, numbers and sizes included."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.gateway import translate, views
from tests.secrecy.records import Difference, Record, compare
from tests.secrecy.stage import Stage, open_stage
from tests.secrecy.tab import Tab

PAIRS = 6
MOVES = ((0, "e2e4"), (1, "e7e5"), (2, "d2d4"), (3, "d7d5"), (0, "g1f3"), (2, "c2c4"), (3, "c7c6"))
CALM = 5  # lines that a seat may say at one instant, at which the test's clock stands
WORDS = ("sit", "go", "need_queen", "trades_bad")


@pytest.fixture
async def stage(valkey_url: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """All services on an emptied store."""
    async with open_stage(valkey_url, tmp_path) as stage:
        yield stage


async def play(stage: Stage, seed: int, talking: bool) -> dict[str, Record]:
    """A tandem match in which team 2 talks or not; team 1 says the same in any case.

    Answers what its White, that seat's second tab and a spectator were sent.
    """
    dice = Random(seed)
    async with AsyncExitStack() as stack:

        async def tab(cookie: str = "") -> Tab:
            opened = await stage.tab(cookie)
            stack.push_async_callback(opened.close)
            opened.begin(Record(""), f"{seed:06}")
            return opened

        seats = [await tab() for _ in range(4)]
        table = (await seats[0].ask("create_table", variant="tandem", public=True))["table"]
        records = {name: Record(table) for name in ("seat", "second tab", "spectator")}
        for number, seat in enumerate(seats):
            seat.begin(records["seat"] if number == 0 else Record(table), "seat")
            await seat.ask("take_seat", table=table, seat=number, name=f"Player {number}")
        for seat in seats:
            await seat.until(lambda seat: seat.fulls > 0)
        second, spectator = await tab(seats[0].cookie), await tab()
        for onlooker, name in ((second, "second tab"), (spectator, "spectator")):
            onlooker.begin(records[name], "look")
            await onlooker.ask("join", table=table)
            await onlooker.until(lambda onlooker: onlooker.fulls > 0)
        seats[0] = second  # the later tab acts
        plies = [0, 0]
        for turn, (seat_number, uci) in enumerate(MOVES):
            if turn < CALM:
                if talking:
                    await seats[dice.choice((1, 2))].ask("say", quick=dice.choice(WORDS))
                await seats[3].ask("say", text=f"before turn {turn}")
            board = seat_number // 2
            answer = await seats[seat_number].ask("move", board="AB"[board], ply=plies[board], uci=uci)
            assert answer["t"] == "ok", answer
            plies[board] += 1
            for onlooker in (second, spectator):
                await onlooker.until(lambda onlooker, version=answer["version"]: onlooker.version >= version)  # type: ignore[misc]
        for onlooker, path in ((second, ""), (spectator, "/export")):
            status, headers, body = await stage.get(f"/api/tables/{table}{path}", onlooker.cookie)
            onlooker.record.add("http", json.dumps([status, headers]).encode() + body)
        await second.ask("join", table=table)  # once more a full view, with the own team's words in order
        await second.until(lambda second: second.fulls > 1)
        await seats[1].ask("resign")
        for onlooker in (second, spectator):
            await onlooker.until(lambda onlooker: onlooker.record.over)
    return records


async def told_apart(stage: Stage, seed: int) -> list[Difference]:
    silent, talking = await asyncio.gather(play(stage, seed, talking=False), play(stage, seed, talking=True))
    return [difference for name in silent for difference in compare(name, silent[name], talking[name])]


@pytest.mark.scenario("C01")
@pytest.mark.rule("1.3")
async def test_the_others_talk_changes_no_byte_of_what_anybody_else_is_sent(stage: Stage) -> None:
    found = await asyncio.gather(*(told_apart(stage, seed) for seed in range(PAIRS)))
    assert not any(found), [str(difference) for differences in found for difference in differences][:5]


@pytest.mark.rule("1.3")
async def test_lines_numbered_over_both_teams_would_be_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test of the test: the leak is planted."""
    lines: dict[str, int] = {}
    true = translate.talk_frame

    def numbered_together(match_id: str, line: Any) -> Any:
        lines[match_id] = lines.get(match_id, 0) + 1
        frame = true(match_id, line)
        return type(frame)(frame.table, lines[match_id], frame.seat, frame.quick, frame.text, frame.at_ms)

    monkeypatch.setattr(views, "talk_frame", numbered_together)
    found = await told_apart(stage, 0)
    assert {(difference.viewer, difference.channel) for difference in found} >= {("seat", "match")}
