"""Scripts by their digest: loaded when the store does not know them, together or one by one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from libs.runtime.metrics import Metrics
from libs.runtime.refusals import Refusal
from libs.store.cluster import Cluster
from libs.store.connect import StoreClient, open_client
from libs.store.scripts import Script, ScriptMetrics, ScriptRunner
from services.allinone.store import unused_port
from tests.kit.cluster import StoreCluster, running_cluster

WITHIN_S = 5.0
ADD = Script("add", "return redis.call('INCRBY', KEYS[1], ARGV[1])")
TIMES = range(16)


class House:
    """A runner and what it shows."""

    def __init__(self, client: StoreClient) -> None:
        self._metrics = Metrics("test")
        self.runner = ScriptRunner(client, WITHIN_S, ScriptMetrics(self._metrics))

    def shown(self, name: str, **labels: str) -> float:
        return self._metrics.registry.get_sample_value(f"tandemfog_test_{name}", labels) or 0.0

    async def forget(self) -> None:
        """The store knows no script any more, as after a restart."""
        client = self.runner.client
        for node in await client.masters() if isinstance(client, Cluster) else [client]:
            await node.script_flush()

    async def sent_whole(self) -> int:
        """How many scripts the store was sent as text."""
        client = self.runner.client
        nodes = await client.masters() if isinstance(client, Cluster) else [client]
        stats = [await node.info("commandstats") for node in nodes]
        return sum(each.get("cmdstat_eval", {"calls": 0})["calls"] for each in stats)


@asynccontextmanager
async def house_at(url: str) -> AsyncIterator[House]:
    client = open_client(url, 8, WITHIN_S)
    try:
        yield House(client)
    finally:
        await client.aclose()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreCluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(params=["one server", "a cluster"])
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    kind = "valkey_url" if request.param == "one server" else "cluster"
    store = request.getfixturevalue(kind)
    async with house_at(store if isinstance(store, str) else store.url) as house:
        yield house


async def test_what_the_store_has_forgotten_is_sent_once_and_run_by_digest_again(house: House) -> None:
    await house.forget()
    before = await house.sent_whole()
    assert [await house.runner.run(ADD, ["{one}:n"], [2]) for _ in range(3)] == [2, 4, 6]
    assert await house.sent_whole() - before == 1
    assert house.shown("script_loads_total") == 1
    assert house.shown("script_seconds_count", script="add") == 3


async def test_many_asked_at_once_are_answered_in_their_order_also_when_all_were_forgotten(
    house: House,
) -> None:
    asks = [((f"{{many-{number}}}:n",), (number,)) for number in TIMES]
    await house.forget()
    assert await house.runner.run_each(ADD, asks) == list(TIMES)
    before = await house.sent_whole()
    assert await house.runner.run_each(ADD, asks) == [2 * number for number in TIMES]
    assert await house.sent_whole() == before
    assert house.shown("script_seconds_count", script="add") == 2 * len(TIMES)


async def test_a_store_that_is_not_there_is_unavailable() -> None:
    async with house_at(f"redis://127.0.0.1:{unused_port()}/0") as house:
        for asked in (house.runner.run(ADD, ["n"], [1]), house.runner.run_each(ADD, [(["n"], [1])])):
            with pytest.raises(Refusal) as caught:
                await asked
            assert caught.value.reason == "unavailable"
