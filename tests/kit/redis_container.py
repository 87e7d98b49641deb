"""Redis in a container, as the tests' store instead of the embedded one (see tests/kit/valkey.py)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from testcontainers.core.config import testcontainers_config
from testcontainers.core.container import DockerContainer

IMAGE = "redis:7"
PORT = 6379
READY_WITHIN_S = 20.0
# As durable as the one that compose starts; the container's folder ends with it.
COMMAND = ["redis-server", "--save", "", "--appendonly", "yes", "--appendfsync", "always"]
COMMAND += ["--maxmemory-policy", "noeviction", "--protected-mode", "no"]


@contextmanager
def running_redis_container() -> Iterator[str]:
    """A container of one's own on a free port of the loopback; gives its URL. Removed by its id at the end.

    Nothing but it is started: the helper that would tidy up after a killed test run is an image of its own,
    which is not to be had everywhere.
    """
    testcontainers_config.ryuk_disabled = True
    container = DockerContainer(IMAGE).with_command(COMMAND).with_exposed_ports(PORT)
    # The library publishes a port on all addresses; a store without a password belongs on the loopback.
    container.ports = {str(PORT): ("127.0.0.1",)}  # type: ignore[dict-item]
    with container:
        url = f"redis://127.0.0.1:{container.get_exposed_port(PORT)}/0"
        deadline = time.monotonic() + READY_WITHIN_S
        while not _answers(url):
            if time.monotonic() > deadline:
                raise RuntimeError(f"Redis did not start: {container.get_logs()}")
            time.sleep(0.05)
        yield url


def _answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url, socket_timeout=1.0) as client:
            return bool(client.ping())
    except redis.exceptions.RedisError:  # not listening yet
        return False
