"""A real server that speaks Redis' protocol, for the tests: as durable as ours, on a free port."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from services.allinone.store import StoreProgram, find_program, store_arguments, unused_port

READY_WITHIN_S = 20.0


@dataclass
class ValkeyServer:
    """One running server. `url` is what a service takes as TANDEMFOG_STORE_URL."""

    program: StoreProgram
    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        """Starts the server on its folder, with what an earlier run left there."""
        arguments = store_arguments(self.program, self.folder, self.port, password=None)
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + READY_WITHIN_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"The server did not start: {(self.folder / 'server.log').read_text()}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with redis.Redis(port=self.port, socket_timeout=1.0) as client:
                return bool(client.ping())
        except redis.exceptions.RedisError:  # not listening yet, or still reading its file
            return False

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ends the server by its pid (SIGKILL: as a machine that loses power would)."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(timeout=READY_WITHIN_S)
            self.process = None


@contextmanager
def running_valkey(folder: Path) -> Iterator[ValkeyServer]:
    """A server of one's own, for a test that stops and starts it."""
    folder.mkdir(parents=True, exist_ok=True)
    server = ValkeyServer(find_program(), folder, unused_port())
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def container_is_wanted() -> bool:
    """Whether TANDEMFOG_TEST_REDIS=container is set; another word is a mistake and raises ValueError."""
    asked = os.environ.get("TANDEMFOG_TEST_REDIS", "")
    if asked not in ("", "container"):
        raise ValueError(f"TANDEMFOG_TEST_REDIS={asked!r}: it may say 'container' or be left away")
    return bool(asked)


@pytest.fixture(scope="session")
def session_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of one server for the whole session, embedded or in a container.

    A test that stops its server starts its own with `running_valkey`.
    """
    if container_is_wanted():
        from tests.kit.redis_container import running_redis_container  # only who wants it pays for it

        with running_redis_container() as url:
            yield url
    else:
        with running_valkey(tmp_path_factory.mktemp("valkey")) as server:
            yield server.url


@pytest.fixture
def valkey_url(session_store: str) -> str:
    """The session's server, emptied."""
    with redis.Redis.from_url(session_store) as client:
        client.flushall()
    return session_store
