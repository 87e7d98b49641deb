"""Where browsers come from, and how much may come from one address."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from aiohttp import web

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from services.gateway.metrics import GatewayMetrics
from services.gateway.rate import TokenBucket, TokenBuckets
from services.gateway.settings import GatewaySettings

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
UNKNOWN = "unknown"
"""Where the address cannot be read. It is nobody's: everybody of whom nothing is known would share it."""
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
MAPPED_BITS = 96
"""So many bits stand before an IPv4 address that is written as an IPv6 one."""
PORT = r"(?::[0-9]{1,5})?"
WRITTEN = re.compile(rf"(?P<v4>[0-9.]+){PORT}|\[(?P<bracketed>[^\]]+)\]{PORT}|(?P<v6>[^\[\]]+)")
"""An address with or without a port: that of an IPv6 one stands in brackets then."""
FORM_LENGTH = 64
log = get_logger()


def networks_of(text: str) -> tuple[Network, ...]:
    """The networks or single addresses in `text`, by commas. Raises ValueError for anything else."""
    return tuple(_unmapped(ip_network(part.strip())) for part in text.split(",") if part.strip())


def who_asks(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """The last in the chain that is no proxy of ours, as it is written there.

    `peer` is who is connected, `forwarded` the values of the proxies' header in their order. The header is
    believed from a proxy of ours only: anybody may send one.
    """
    chain = [part.strip() for value in forwarded for part in value.split(",")]
    address = peer
    while _is_proxy(address, proxies) and chain:
        address = chain.pop()
    return address


def counted(text: str) -> str:
    """The address in `text`, which may have a port or be such a /64, as it counts; UNKNOWN for none."""
    head, slash, bits = text.partition("/")
    found = _read(head)
    if found is None or (slash and (found.version, bits) != (6, str(IPV6_PREFIX))):
        return UNKNOWN
    if found.version == 6:
        return str(IPv6Network((int(found), IPV6_PREFIX), strict=False))
    return str(found)


def _is_proxy(text: str, proxies: Sequence[Network]) -> bool:
    found = _read(text)
    return found is not None and any(found in network for network in proxies)


def _read(text: str) -> Address | None:
    """The address in `text`, an IPv4 one that is written as IPv6 as what it is; None for anything else."""
    written = WRITTEN.fullmatch(text)
    if written is None:
        return None
    try:
        found = ip_address(written["v4"] or written["bracketed"] or written["v6"])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _unmapped(network: Network) -> Network:
    if isinstance(network, IPv6Network) and network.prefixlen >= MAPPED_BITS:
        mapped = network.network_address.ipv4_mapped
        if mapped is not None:
            return IPv4Network((mapped, network.prefixlen - MAPPED_BITS))
    return network


def _form(text: str) -> str:
    """What `text` looks like, and nothing of what it says: "999.99.9.9:9999"."""
    form = re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text[:FORM_LENGTH]))
    return form.encode("ascii", "replace").decode()


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
        self._unread_told = TokenBucket(1, 1 / TELL_EVERY_S, time.monotonic())

    def of(self, request: web.Request) -> str:
        """The address that a request counts for."""
        peername = request.transport.get_extra_info("peername") if request.transport else None
        peer = str(peername[0]) if peername else UNKNOWN
        written = who_asks(peer, request.headers.getall(self._header, []), self._proxies)
        address = counted(written)
        if address == UNKNOWN and written is not peer and self._unread_told.take(time.monotonic()):
            # Everybody behind that proxy counts as one until somebody reads this. It tells the form alone:
            # what is written there is somebody's address, or whatever a stranger has sent.
            log.warning("forwarded_address_unread", header=self._header, proxy=peer, form=_form(written))
        return address

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
        address, own = counted(address), TokenBucket(BYTES_BURST, BYTES_PER_S, time.monotonic())

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
