"""The numbers of tables and players: exact through a table's life, shown by one replica at a time."""

from __future__ import annotations

import asyncio
import math

from redis.asyncio import Redis

from tests.integration.matchmaking.harness import FOG, STARTED, Matchmaking, Run


async def until_shown(replicas: list[Matchmaking], wanted: dict[tuple[str, ...], float]) -> None:
    """Waits until the replicas' numbers add up to these: (metric, value of each label...)."""
    names = {"tables_now": ("variant", "state"), "seats_now": ("variant", "kind"), "bot_seats_waiting": ()}

    def shown() -> dict[tuple[str, ...], float]:
        return {
            key: sum(
                replica.metric(key[0], **dict(zip(names[key[0]], key[1:], strict=True)))
                for replica in replicas
            )
            for key in wanted
        }

    async with asyncio.timeout(10):
        while (found := shown()) != wanted:
            await asyncio.sleep(0.05)
            assert found.keys() == wanted.keys()


async def test_tables_and_seats_are_counted_through_their_life_and_by_one_replica(run: Run) -> None:
    replicas = [await run(status_ms=100), await run(status_ms=100)]
    asked = replicas[0]
    table_id = (await asked.play_now()).table.table_id
    fog = (await asked.play_now(request="p2", settings=FOG)).table.table_id
    await asked.create("somebody", settings=FOG)
    await asked.until(table_id, STARTED)
    await asked.until(fog, STARTED)
    playing: dict[tuple[str, ...], float] = {
        ("tables_now", "tandem", "started"): 1,
        ("tables_now", "tandem", "countdown"): 0,
        ("tables_now", "fog", "started"): 1,
        ("tables_now", "fog", "open"): 1,
        ("seats_now", "tandem", "human"): 1,
        ("seats_now", "tandem", "bot"): 3,
        ("seats_now", "fog", "human"): 1,
        ("bot_seats_waiting",): 4,
    }
    await until_shown(replicas, playing)
    shows = [replica for replica in replicas if replica.metric("bot_seats_waiting")]
    assert len(shows) == 1

    await asked.lease("worker", 3)
    await until_shown(replicas, {("bot_seats_waiting",): 1})
    asked.game.over.update((table_id, fog))
    await until_shown(
        replicas,
        {
            ("tables_now", "tandem", "started"): 0,
            ("tables_now", "fog", "started"): 0,
            ("tables_now", "fog", "open"): 1,
            ("seats_now", "tandem", "human"): 0,
            ("seats_now", "tandem", "bot"): 0,
            ("seats_now", "fog", "human"): 0,
        },
    )


async def test_who_is_cut_off_from_the_store_says_so_and_shows_no_numbers_instead_of_none(
    run: Run, valkey_url: str
) -> None:
    matchmaking = await run()
    await matchmaking.play_now()

    async def until_store_is(up: float) -> None:
        async with asyncio.timeout(10):
            while matchmaking.metric("store_up") != up:
                await asyncio.sleep(0.05)

    await until_store_is(1)
    async with Redis.from_url(valkey_url) as store:
        await store.client_pause(60_000, all=False)  # no script is run
        try:
            await until_store_is(0)
            assert math.isnan(matchmaking.metric("tables_now", variant="tandem", state="started"))
            assert math.isnan(matchmaking.metric("seats_now", variant="tandem", kind="human"))
            assert math.isnan(matchmaking.metric("bot_seats_waiting"))
            async with asyncio.timeout(5):
                while not math.isnan(matchmaking.metric("queue_waiting", pool="fog")):
                    await asyncio.sleep(0.05)
        finally:
            await store.client_unpause()
    await until_store_is(1)
    await until_shown([matchmaking], {("bot_seats_waiting",): 3})
    assert matchmaking.metric("queue_waiting", pool="fog") == 0
