"""Where browsers come from, and how much may come from one address."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from aiohttp import web

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.gateway.metrics import GatewayMetrics
from services.gateway.rate import TokenBucket, TokenBuckets
from services.gateway.settings import GatewaySettings

Network = IPv4Network | IPv6Network
UNKNOWN = "unknown"
BURST_S = 3
"""An address may say at once what it may say in so many seconds."""
ADDRESSES = 20_000
BYTES_BURST, BYTES_PER_S = 600_000, 32_000
"""What one connection may send: two of the largest texts of games at once, then more than any page says."""
ADDRESS_BYTES_BURST_S = 8
TELL_EVERY_S = 60
"""An address that is held back is named in the log, once in so long."""
IPV6_PREFIX = 64
"""Whoever has one IPv6 address has all of its network, so these count as one."""
log = get_logger()


def networks_of(text: str) -> tuple[Network, ...]:
    """The networks or single addresses in `text`, by commas. Raises ValueError for anything else."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def client_address(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """The address that counts: the last one in the chain that is no proxy of ours.

    `peer` is who is connected, `forwarded` the values of the proxies' header in their order. The header is
    believed from a proxy of ours only: anybody may send one.
    """
    chain = [part.strip() for value in forwarded for part in value.split(",")]
    address = peer
    while _is_proxy(address, proxies) and chain:
        address = chain.pop()
    return _whose(address)


def _is_proxy(address: str, proxies: Sequence[Network]) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in proxies)


def _whose(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return UNKNOWN
    if found.version == 6:
        return str(ip_network((found, IPV6_PREFIX), strict=False))
    return str(found)


class Addresses:
    """The websockets open from each address, and how fast each may talk."""

    def __init__(self, settings: GatewaySettings, metrics: GatewayMetrics) -> None:
        per_second = settings.messages_per_address_s
        self._most = settings.connections_per_address
        self._header = settings.address_header
        self._proxies = networks_of(settings.trusted_proxies)
        self._metrics = metrics
        self._open: Counter[str] = Counter()
        self._rates = TokenBuckets(BURST_S * per_second, per_second, ADDRESSES)
        bytes_s = settings.bytes_per_address_s
        self._bytes = TokenBuckets(ADDRESS_BYTES_BURST_S * bytes_s, bytes_s, ADDRESSES)
        self._told = TokenBuckets(1, 1 / TELL_EVERY_S, ADDRESSES)

    def of(self, request: web.Request) -> str:
        """The address that a request counts for."""
        peer = request.transport.get_extra_info("peername") if request.transport else None
        return client_address(
            str(peer[0]) if peer else UNKNOWN, request.headers.getall(self._header, []), self._proxies
        )

    def admit(self, address: str, now_s: float) -> bool:
        """Whether the address may say or ask one more thing now."""
        if self._rates.take(address, now_s):
            return True
        self._note_limited("address_rate", address)
        return False

    def meter(self, transport: asyncio.BaseTransport) -> Callable[[int], bool]:
        """For a new connection: whether so many bytes more are within its limits and its address's.

        What comes through a proxy of ours counts for nobody here: who sends it is known only once it is read.
        """
        peer = transport.get_extra_info("peername")
        address = UNKNOWN if not peer else str(peer[0])
        through_proxy = _is_proxy(address, self._proxies)
        address, own = _whose(address), TokenBucket(BYTES_BURST, BYTES_PER_S, time.monotonic())

        def admit(size: int) -> bool:
            now_s = time.monotonic()
            if not own.take(now_s, size):
                self._metrics.limited.labels("connection_bytes").inc()
                return False
            if through_proxy or self._bytes.take(address, now_s, size):
                return True
            self._note_limited("address_bytes", address)
            return False

        return admit

    def open(self, address: str) -> None:
        """One more websocket. Raises Refusal too_many_connections."""
        if self._open[address] >= self._most:
            self._note_limited("address_connections", address)
            raise Refusal("too_many_connections")
        self._open[address] += 1

    def _note_limited(self, limit: str, address: str) -> None:
        """Counted each time; the address is told to who keeps the logs, so that it may be blocked."""
        self._metrics.limited.labels(limit).inc()
        if self._told.take(address, time.monotonic()):
            log.warning("address_limited", address=address, limit=limit)

    def close(self, address: str) -> None:
        """One websocket less."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
