"""A Redis Cluster of three masters, each with a replica, on free ports of this machine."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from libs.store.slots import slot_of
from services.allinone.store import StoreProgram, find_program, store_arguments, unused_port

MASTERS = 3
SLOTS = 16_384
NODE_TIMEOUT_MS = 1_000
UP_WITHIN_S = 30.0


@dataclass
class Node:
    """One server of the cluster; `name` is its id in it."""

    program: StoreProgram
    folder: Path
    port: int
    bus_port: int
    name: str = ""
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the server on its folder; it knows its cluster again from there."""
        self.folder.mkdir(exist_ok=True)
        arguments = store_arguments(self.program, self.folder, self.port, password=None)
        with (self.folder / "store.conf").open("a") as file:
            file.write(
                "cluster-enabled yes\n"
                f"cluster-port {self.bus_port}\n"
                f"cluster-node-timeout {NODE_TIMEOUT_MS}\n"
                "cluster-require-full-coverage no\n"
                "cluster-allow-replica-migration no\n"
                "repl-diskless-sync-delay 0\n"
                "min-replicas-to-write 1\n"
            )
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )

    def client(self) -> redis.Redis:
        return redis.Redis(port=self.port, socket_timeout=2.0, decode_responses=True)

    def kill(self) -> None:
        """Ends the server at once, as a machine that loses power would."""
        self.signal(signal.SIGKILL)
        assert self.process is not None
        self.process.wait(timeout=10)
        self.process = None

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)


class StoreCluster:
    """Six running servers. `url` is what a service takes as TANDEMFOG_STORE_URL."""

    def __init__(self, folder: Path) -> None:
        program = find_program()
        self.nodes = [
            Node(program, folder / f"node{number}", unused_port(), unused_port())
            for number in range(2 * MASTERS)
        ]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def form(self) -> None:
        """Makes a cluster of the servers: the slots in equal parts, and to each master its replica."""
        first = self.nodes[0]
        for number, node in enumerate(self.nodes):
            wait_until(lambda node=node: _answers(node), f"node {number} answers")
            with node.client() as client:
                node.name = str(client.execute_command("CLUSTER MYID"))
                if number < MASTERS:
                    low, high = SLOTS * number // MASTERS, SLOTS * (number + 1) // MASTERS - 1
                    client.execute_command("CLUSTER ADDSLOTSRANGE", low, high)
                if node is not first:
                    client.execute_command("CLUSTER MEET", "127.0.0.1", first.port, first.bus_port)
        wait_until(lambda: all(len(self.known_to(node)) == len(self.nodes) for node in self.nodes), "all met")
        for number, node in enumerate(self.nodes[MASTERS:]):
            with node.client() as client:
                client.execute_command("CLUSTER REPLICATE", self.nodes[number].name)
        wait_until(self.is_whole, "every master has its replica")

    def known_to(self, node: Node) -> list[str]:
        with node.client() as client:
            return [name for name in _nodes(client) if name]

    def is_whole(self) -> bool:
        """Whether every slot is served and every master has a replica that is up to date."""
        masters = 0
        for node in self.nodes:
            if node.process is None:
                return False
            with node.client() as client:
                if client.execute_command("CLUSTER INFO")["cluster_state"] != "ok":
                    return False
                role = client.info("replication")
                if role["role"] == "master":
                    masters += 1
                    if role["connected_slaves"] != 1 or role["slave0"]["state"] != "online":
                        return False
                elif role["master_link_status"] != "up":
                    return False
        return masters == MASTERS

    def master_of(self, key: str) -> Node:
        """Who has the key's slot now."""
        slot = slot_of(("GET", key))
        assert slot is not None
        for node in self.nodes:
            if node.process is not None:
                with node.client() as client:
                    for low, high, master, *_ in client.execute_command("CLUSTER SLOTS"):
                        if low <= slot <= high:
                            return next(node for node in self.nodes if node.port == master[1])
        raise AssertionError(f"nobody has slot {slot}")

    def replica_of(self, master: Node) -> Node:
        for node in self.nodes:
            with node.client() as client:
                if client.info("replication").get("master_port") == master.port:
                    return node
        raise AssertionError(f"{master.port} has no replica")

    @contextmanager
    def paused(self, node: Node) -> Iterator[None]:
        """The server stands still, and its peers do not know it yet."""
        node.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            node.signal(signal.SIGCONT)


def _answers(node: Node) -> bool:
    try:
        with node.client() as client:
            return bool(client.ping())
    except redis.exceptions.RedisError:
        return False


def _nodes(client: redis.Redis) -> list[str]:
    found: dict[str, dict[str, str]] = client.cluster("NODES")
    return [f"{address}" for address, entry in found.items() if "handshake" not in entry["flags"]]


def wait_until(condition: object, what: str, within_s: float = UP_WITHIN_S) -> None:
    """Waits for what other processes bring about; RuntimeError with `what` when it does not come."""
    assert callable(condition)
    deadline = time.monotonic() + within_s
    while True:
        try:
            if condition():
                return
        except redis.exceptions.RedisError:
            pass
        if time.monotonic() > deadline:
            raise RuntimeError(f"In vain waited for: {what}.")
        time.sleep(0.02)


@contextmanager
def running_cluster(folder: Path) -> Iterator[StoreCluster]:
    """A cluster of one's own."""
    folder.mkdir(parents=True, exist_ok=True)
    cluster = StoreCluster(folder)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        for node in cluster.nodes:
            node.start()
            stack.callback(_end, node)
        cluster.form()
        yield cluster


def _end(node: Node) -> None:
    if node.process is not None:
        node.kill()
