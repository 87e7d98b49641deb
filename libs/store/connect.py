"""From a URL to a client: redis://host:port/0, rediss:// over TLS, or redis+cluster://host:port,host:port."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Connection, Redis, SSLConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.connection import HiredisRespSerializer

from libs.runtime.urls import check_hosts
from libs.store.cluster import Cluster
from libs.store.slots import Address

CLUSTER_SCHEMES = {"redis+cluster": "redis", "rediss+cluster": "rediss"}
StoreClient = Redis | Cluster
PartT = TypeVar("PartT")
_packer: Any = HiredisRespSerializer()


class Packing:
    """Commands packed by hiredis: the asyncio connections do it in Python, which takes six times as long."""

    def pack_command(self, *words: Any) -> list[bytes]:
        packed: list[bytes] = _packer.pack(*words)
        return packed

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        return [b"".join(_packer.pack(*words)[0] for words in commands)]


class PackedConnection(Packing, Connection):
    """A connection in the clear."""


class PackedTlsConnection(Packing, SSLConnection):
    """A connection over TLS."""


PACKED: dict[type, type[Connection]] = {Connection: PackedConnection, SSLConnection: PackedTlsConnection}


def is_cluster(url: str) -> bool:
    """Whether the URL names a cluster."""
    return urlsplit(url).scheme in CLUSTER_SCHEMES


def seeds_of(url: str) -> list[Address]:
    """The nodes that a URL names, of a cluster or of a single server.

    Raises ValueError for a part that is no host:port, and for a cluster's URL with a database.
    """
    parts = urlsplit(url)
    if not is_cluster(url):
        return [(parts.hostname or "", parts.port or 6379)]
    if parts.path not in ("", "/", "/0"):
        raise ValueError("a cluster has no databases but 0")
    seeds: list[Address] = []
    for entry in parts.netloc.rpartition("@")[2].split(","):
        host, colon, port = entry.strip().rpartition(":")
        if not (host and colon and port.isdecimal()):
            raise ValueError("a cluster's seeds are host:port, by commas")
        seeds.append((host.strip("[]"), int(port)))
    return seeds


def check_url(url: str) -> str:
    """The URL, if it names a store; raises ValueError, which quotes nothing of it, for any other."""
    schemes = {*CLUSTER_SCHEMES, *CLUSTER_SCHEMES.values()}
    check_hosts(url)
    try:
        is_store = urlsplit(url).scheme in schemes and bool(seeds_of(url)[0][0])
    except ValueError:  # it may quote the URL
        is_store = False
    if not is_store:
        raise ValueError("a store is redis://host:port/0 or redis+cluster://host:port,host:port")
    return url


def open_client(url: str, connections: int, wait_s: float) -> StoreClient:
    """A client with at most so many connections to each node; who finds all busy waits for one.

    Nothing is tried again by itself: whether a step may be repeated is the caller's decision, as is how long
    an answer is waited for (libs.store.answers).
    """

    def of(node_url: str) -> Redis:
        pool = BlockingConnectionPool.from_url(
            node_url,
            # With one, asyncio.wait_for is gone through, which before Python 3.12 can lose a cancellation.
            socket_timeout=None,
            socket_connect_timeout=wait_s,
            max_connections=connections,
            timeout=wait_s,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        pool.connection_class = PACKED.get(pool.connection_class, pool.connection_class)
        return Redis.from_pool(pool)

    if not is_cluster(url):
        return of(url)
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")

    def of_node(address: Address) -> Redis:
        host = f"[{address[0]}]" if ":" in address[0] else address[0]
        return of(f"{CLUSTER_SCHEMES[parts.scheme]}://{user}{at}{host}:{address[1]}/0?{parts.query}")

    seeds: list[Any] = seeds_of(url)
    return Cluster(seeds, of_node)


async def infos(client: StoreClient) -> list[dict[str, Any]]:
    """What each node says of itself (INFO), the one of the lowest slot first; raises as the client does."""
    nodes = await client.masters() if isinstance(client, Cluster) else [client]
    return [await node.info() for node in nodes]


def asked_together(client: StoreClient, parts: Sequence[PartT]) -> list[Sequence[PartT]]:
    """The shards (or pools) whose keys one command may name: all, but in a cluster each its own slot's."""
    if isinstance(client, Cluster):
        return [parts[at : at + 1] for at in range(len(parts))]
    return [parts]
