"""One Redis Cluster for the tests of this folder; who ends a node of it brings it back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.cluster import StoreCluster, running_cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreCluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster
