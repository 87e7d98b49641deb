"""Gateways follow tables, on whichever replica."""

from __future__ import annotations

import asyncio

from tests.integration.matchmaking.harness import COUNTDOWN, FOG, OPEN, STARTED, Matchmaking, Run, following


async def test_a_follower_sees_every_state_of_its_table_made_through_another_replica(run: Run) -> None:
    first, second = await run(), await run()
    table_id = (await first.create(settings=FOG)).table_id
    other_id = (await first.create(request="other", settings=FOG)).table_id
    async with following(second) as follower:
        follower.ask(follow=[table_id, "07" + "a" * 24])
        await follower.until(table_id, OPEN)
        assert follower.unknown == ["07" + "a" * 24]
        await first.take(other_id, 0, "unseen")
        await first.bot(table_id, 0)
        await first.take(table_id, 1, "kari")
        countdown = await follower.until(table_id, COUNTDOWN)
        assert 0 < countdown.starts_in_ms <= 100
        await follower.until(table_id, STARTED)
        versions = [table.version for table in follower.tables]
        assert versions == sorted(set(versions))
        assert {table.table_id for table in follower.tables} == {table_id}


async def test_who_follows_no_more_is_told_no_more(matchmaking: Matchmaking) -> None:
    table_id = (await matchmaking.create(settings=FOG)).table_id
    other_id = (await matchmaking.create(request="other", settings=FOG)).table_id
    async with following(matchmaking) as follower:
        follower.ask(follow=[table_id, other_id])
        await follower.until(other_id, OPEN)
        follower.ask(unfollow=[table_id])
        follower.ask(follow=[other_id])
        told = len(follower.tables)
        async with asyncio.timeout(5), follower.news:
            await follower.news.wait_for(lambda: len(follower.tables) > told)
        await matchmaking.bot(table_id, 0)
        await matchmaking.bot(other_id, 0)
        await matchmaking.bot(other_id, 1)
        await follower.until(other_id, COUNTDOWN)
        assert max(table.version for table in follower.tables if table.table_id == table_id) == 1
