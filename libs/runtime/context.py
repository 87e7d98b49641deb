"""What a service's `build` is given: the settings, the metrics, and where to hang what it makes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.descriptor import ServiceDescriptor

from libs.runtime.build import this_build
from libs.runtime.metrics import Metrics
from libs.runtime.settings import ServiceSettings
from libs.runtime.tls import load_tls

SettingsT = TypeVar("SettingsT", bound=ServiceSettings)
T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, None]]
AddToServer = Callable[[Any, grpc.aio.Server], None]


class Context(Generic[SettingsT]):
    """One service of one process. `draining` is set when it has been asked to stop; `tls` is what it shows
    to other services and asks of them, None without TLS; `build` says which build runs.

    `servicers`, `tasks`, `drains`, `stack` and `announcement` are what the methods below have gathered.
    """

    def __init__(self, settings: SettingsT) -> None:
        self.settings = settings
        self.service = settings.service
        self.build = this_build(settings.commit)
        self.metrics = Metrics(settings.service)
        self.metrics.tell_build(self.build)
        self.draining = asyncio.Event()
        self.tls = load_tls(settings.tls_cert, settings.tls_key, settings.tls_ca, settings.tls_mutual)
        self.stack = AsyncExitStack()
        self.servicers: list[tuple[AddToServer, object, str]] = []
        self.tasks: list[tuple[str, Work]] = []
        self.drains: list[Work] = []
        self.announcement: dict[str, str | int] = {}

    async def enter(self, resource: AbstractAsyncContextManager[T]) -> T:
        """Opens what must be closed again; closing is in reverse order, after the server has stopped."""
        return await self.stack.enter_async_context(resource)

    def add_servicer(self, add: AddToServer, servicer: object, service: ServiceDescriptor) -> None:
        """Serves `servicer`; `add` is the generated add_..._to_server, `service` its descriptor."""
        self.servicers.append((add, servicer, service.full_name))

    def add_task(self, name: str, work: Work) -> None:
        """Runs `work` in the background from the moment the server listens.

        It must not end by itself: when it raises or returns before draining, the process leaves with exit
        code 1 and its supervisor starts it anew.
        """
        self.tasks.append((name, work))

    def on_drain(self, work: Work) -> None:
        """Calls `work` when the service is asked to stop, before the server stops."""
        self.drains.append(work)

    def announce(self, **fields: str | int) -> None:
        """Adds fields to the line that says that the service is ready."""
        self.announcement.update(fields)


Build = Callable[[Context[SettingsT]], Awaitable[None]]
