"""The numbers of tables and players: exact through a table's life, shown by one replica at a time."""

from __future__ import annotations

import asyncio

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
