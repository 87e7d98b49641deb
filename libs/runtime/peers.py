"""Peers: the members of another service, who of them is well, and a channel kept to each."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack
from typing import Any, Generic, Literal, Self, TypeVar

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime.logs import get_logger
from libs.runtime.refusals import is_gone
from libs.runtime.rendezvous import prefer, ranked
from libs.runtime.tls import Tls, open_channel

log = get_logger()
StubT = TypeVar("StubT")
T = TypeVar("T")

RESOLVE_EVERY_S = 2.0
RETRY_FIRST_S = 0.05
RETRY_LAST_S = 0.25
DNS_SCHEME = "dns://"
PROBE_EVERY_S, PROBE_WITHIN_S = 0.5, 1.5
"""A member that hangs keeps its connections: it is asked so often, and is to answer within so long."""
CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.max_send_message_length", 16 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # A member that has been started anew is found again at once: what it takes longer, somebody's clock runs.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 250),
    # One connection for each member and caller, whatever else has a channel to the same address.
    ("grpc.use_local_subchannel_pool", 1),
)


class NoPeer(Exception):
    """No member of the service is there to be asked."""


def raise_if_cancelled() -> None:
    """Within `except asyncio.CancelledError`: raises it again when it is this task that was cancelled.

    Else it was the call: the channel was closed under it, since its member is one no more. A task that takes
    that for its own end is gone without a word, and what it did is done no more.
    """
    task = asyncio.current_task()
    if task is None or task.cancelling():
        raise  # noqa: PLE0704 - called while it is being handled


async def resolve(spec: str) -> frozenset[str]:
    """The addresses that `spec` means now: "host:port" entries and "dns://name:port" names, by commas.

    Each address of a dns:// name is a member; a name that is not known (yet) has none. Raises ValueError
    for an entry of another form.
    """
    members: set[str] = set()
    for entry in filter(None, (part.strip() for part in spec.split(","))):
        host, colon, port = entry.removeprefix(DNS_SCHEME).rpartition(":")
        if not (host and colon and port.isdecimal() and "/" not in host):
            raise ValueError(f"{entry!r} is neither host:port nor dns://name:port.")
        if not entry.startswith(DNS_SCHEME):
            members.add(entry)
            continue
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
        except OSError as error:
            log.info("name_not_resolved", name=host, error=str(error))
            continue
        for family, _, _, _, address in found:
            members.add(f"[{address[0]}]:{port}" if family == socket.AF_INET6 else f"{address[0]}:{port}")
    return frozenset(members)


class Member(Generic[StubT]):
    """One member: its channel, its stub, and the tasks that watch its health.

    `healthy` is what it says of itself; `silent`, that it has not answered when it was asked last.
    """

    def __init__(
        self, address: str, stub_class: Callable[[grpc.aio.Channel], StubT], name: str, tls: Tls | None
    ) -> None:
        self.channel = open_channel(address, name, tls, CHANNEL_OPTIONS)
        self.stub = stub_class(self.channel)
        self.healthy = False
        self.silent = False
        self.watchers: tuple[asyncio.Task[None], ...] = ()

    async def close(self) -> None:
        for watcher in self.watchers:
            watcher.cancel()
        await asyncio.gather(*self.watchers, return_exceptions=True)
        await self.channel.close()


class Peers(Generic[StubT]):
    """The members of the service `name`, as an async context manager; with `tls` each must prove that name.

    A member is listed while it answers its health check with SERVING: one that dies or drains leaves the
    list at once, without a call having to fail first, and one that hangs after two seconds, unless all do.
    Who calls now and then only, and is content with each call's own time, has them not ``probed``.
    """

    def __init__(
        self,
        spec: str,
        stub_class: Callable[[grpc.aio.Channel], StubT],
        name: str,
        tls: Tls | None = None,
        probed: bool = True,
    ) -> None:
        self._spec = spec
        self._probed = probed
        self._stub_class = stub_class
        self._name = name
        self._tls = tls
        self._members: dict[str, Member[StubT]] = {}
        self._healthy: tuple[str, ...] = ()
        self._change = asyncio.Event()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._adopt(await resolve(self._spec))
        if DNS_SCHEME in self._spec:
            task = asyncio.create_task(self._resolve_again())
            self._stack.callback(task.cancel)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()
        await self._adopt(frozenset())

    def members(self) -> tuple[str, ...]:
        """The addresses of the members that are well, sorted."""
        return self._healthy

    def stub(self, address: str) -> StubT:
        """The stub of one member; raises NoPeer when there is no such member any more."""
        member = self._members.get(address)
        if member is None:
            raise NoPeer(f"{address} is no member of {self._name}.")
        return member.stub

    def prefer(self, key: str) -> str:
        """The address to ask about `key` (rendezvous hashing); raises NoPeer when nobody is well."""
        address = prefer(self._healthy, key)
        if address is None:
            raise NoPeer(f"No member of {self._name} is there.")
        return address

    def ranked(self, key: str) -> tuple[str, ...]:
        """The addresses of those who are well, in the order in which to ask them about `key`."""
        return ranked(self._healthy, key)

    async def gone(self, address: str) -> None:
        """Returns when the member is listed no more."""
        while address in self._healthy:
            await self.changed()

    def changed(self) -> Coroutine[Any, Any, Literal[True]]:
        """To be awaited: returns when the list of members has changed since this call, at once when it has
        before it was awaited. So a task made of it misses nothing that happens before the task begins."""
        return self._change.wait()

    async def _changed_within(self, timeout_s: float) -> None:
        """Returns when the list changes, else after `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                await self.changed()
        except TimeoutError:
            pass

    async def wait_ready(self, timeout_ms: int) -> bool:
        """Waits until some member is well; whether one is in time."""
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                while not self._healthy:
                    await self.changed()
        except TimeoutError:
            return False
        return True

    async def call(self, key: str, ask: Callable[[StubT], Awaitable[T]], patience_ms: int = 0) -> T:
        """Asks the preferred member, and the next one when it is gone (see ``is_gone``) or silent.

        `ask` may be called several times, so what it asks must be safe to repeat. When nobody is left it
        waits up to `patience_ms` for a member to come (back); then NoPeer. Other errors are the caller's.
        """
        deadline = time.monotonic() + patience_ms / 1000
        pause_s = RETRY_FIRST_S
        while True:
            for address in self.ranked(key):
                try:
                    return await ask(self.stub(address))
                except NoPeer:
                    continue
                except asyncio.CancelledError:
                    raise_if_cancelled()
                    log.info("peer_left", peer=self._name, address=address)
                except grpc.aio.AioRpcError as error:
                    others = set(self._healthy) - {address}
                    hangs = error.code() is grpc.StatusCode.DEADLINE_EXCEEDED and others
                    if not (hangs or is_gone(error)):
                        raise
                    log.info("peer_unavailable", peer=self._name, address=address)
            if time.monotonic() >= deadline:
                raise NoPeer(f"No member of {self._name} answers.")
            await self._changed_within(min(pause_s, max(0.0, deadline - time.monotonic())))
            pause_s = min(2 * pause_s, RETRY_LAST_S)

    async def _resolve_again(self) -> None:
        while True:
            await asyncio.sleep(RESOLVE_EVERY_S)
            members = await resolve(self._spec)
            # A name server that has lost its answers must not cost us members that are well.
            if members:
                await self._adopt(members)

    async def _adopt(self, addresses: Iterable[str]) -> None:
        wanted = set(addresses)
        for address in sorted(wanted - self._members.keys()):
            member = Member(address, self._stub_class, self._name, self._tls)
            self._members[address] = member
            watchers = (self._watch, self._probe) if self._probed else (self._watch,)
            member.watchers = tuple(asyncio.create_task(watch(member, address)) for watch in watchers)
        gone = [self._members.pop(address) for address in self._members.keys() - wanted]
        self._publish()
        for member in gone:
            await member.close()

    async def _watch(self, member: Member[StubT], address: str) -> None:
        """Keeps `member.healthy` true to what the member says of itself, until cancelled."""
        health: Any = health_pb2_grpc.HealthStub(member.channel)
        pause_s = RETRY_FIRST_S
        while True:
            try:
                async for answer in health.Watch(health_pb2.HealthCheckRequest(service="")):
                    self._note(member, address, answer.status == health_pb2.HealthCheckResponse.SERVING)
                    pause_s = RETRY_FIRST_S
            except grpc.aio.AioRpcError as error:
                log.debug("health_watch_ended", peer=self._name, address=address, code=error.code().name)
            self._note(member, address, healthy=False)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, RETRY_LAST_S)

    async def _probe(self, member: Member[StubT], address: str) -> None:
        """Keeps `member.silent` true to whether it answers at all, until cancelled."""
        health: Any = health_pb2_grpc.HealthStub(member.channel)
        while True:
            await asyncio.sleep(PROBE_EVERY_S)
            if not member.healthy:
                continue
            silent = False
            try:
                await health.Check(health_pb2.HealthCheckRequest(service=""), timeout=PROBE_WITHIN_S)
            except grpc.aio.AioRpcError as error:
                silent = error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            if silent != member.silent:
                member.silent = silent
                log.warning("peer_silent", peer=self._name, address=address, silent=silent)
                self._publish()

    def _note(self, member: Member[StubT], address: str, healthy: bool) -> None:
        if member.healthy != healthy:
            member.healthy = healthy
            log.info("peer_changed", peer=self._name, address=address, healthy=healthy)
            self._publish()

    def _publish(self) -> None:
        serving = {address: member for address, member in self._members.items() if member.healthy}
        answering = [address for address, member in serving.items() if not member.silent]
        # Where nobody answers all are only late: one that is asked may answer, one not listed cannot.
        healthy = tuple(sorted(answering or serving))
        if healthy != self._healthy:
            self._healthy = healthy
            change, self._change = self._change, asyncio.Event()
            change.set()
