"""A service's life: read the settings, build, listen, say so, serve, drain, leave.

A service has one function `build(context)`; everything around it is here and equal for all of them.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, NoReturn

import grpc
import uvloop
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from libs.runtime.calls import CallObserver
from libs.runtime.context import Build, Context, SettingsT, Work
from libs.runtime.health import HealthServicer
from libs.runtime.logs import configure_logging, get_logger
from libs.runtime.metrics import MetricsServer
from libs.runtime.secrets import SecretError
from libs.runtime.settings import SettingsError
from libs.runtime.tether import closed_pipe

log = get_logger()

SERVER_OPTIONS = (
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.max_send_message_length", 16 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # A port that another process has is an error, not something to share.
    ("grpc.so_reuseport", 0),
)
EXIT_FAILED = 1
CANCEL_AGAIN_S = 0.2
EXIT_BAD_SETTINGS = 2


class ServiceFailed(Exception):
    """A background task ended although the service was not asked to stop."""


class Running(Generic[SettingsT]):
    """A service that listens. `port` and `metrics_port` are the ones in use; `failed` ends when it breaks."""

    def __init__(self, context: Context[SettingsT]) -> None:
        self.port = 0
        self.metrics_port = 0
        self.failed: asyncio.Future[NoReturn] = asyncio.get_running_loop().create_future()
        self._context = context
        self._server: grpc.aio.Server | None = None
        self._health = HealthServicer()
        self._metrics_server = MetricsServer(context.metrics)
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    @property
    def address(self) -> str:
        """Where to call the service: host:port."""
        return f"{self._context.settings.host}:{self.port}"

    async def start(self, build: Build[SettingsT]) -> None:
        """Builds the service and listens; what it opened is closed again when something fails."""
        try:
            await self._start(build)
        except BaseException:
            await self._close()
            raise

    async def _start(self, build: Build[SettingsT]) -> None:
        context, settings = self._context, self._context.settings
        await build(context)
        self._server = grpc.aio.server(interceptors=[CallObserver(context.metrics)], options=SERVER_OPTIONS)
        names = [name for _, _, name in context.servicers]
        for add, servicer, _ in context.servicers:
            add(servicer, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        own = (health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME)
        reflection.enable_server_reflection([*names, *own], self._server)
        try:
            self.port = self._listen(self._server, f"{settings.host}:{settings.port}")
        except RuntimeError as error:
            raise OSError(f"cannot listen on {settings.host}:{settings.port}") from error
        self.metrics_port = await self._metrics_server.start(settings.host, settings.metrics_port)
        await self._server.start()
        for name, work in [*context.tasks, ("event_loop_lag", context.metrics.watch_event_loop)]:
            self._spawn(name, work)
        self._health.serve(names)
        self._metrics_server.healthy = True
        log.info("ready", port=self.port, metrics_port=self.metrics_port, **context.announcement)

    def _listen(self, server: grpc.aio.Server, address: str) -> int:
        if self._context.tls is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, self._context.tls.server_credentials())

    def _spawn(self, name: str, work: Work) -> None:
        async def watched() -> None:
            try:
                await work()
            except asyncio.CancelledError:
                if not self._closing:  # by somebody else: to end without a word would be the worst
                    log.exception("task_cancelled", task=name)
                    self._fail(name, None)
                raise
            except Exception as error:
                log.exception("task_failed", task=name)
                self._fail(name, error)
            else:
                if not self._context.draining.is_set():
                    log.error("task_ended", task=name)
                    self._fail(name, None)

        self._tasks.append(asyncio.create_task(watched(), name=name))

    def _fail(self, name: str, cause: Exception | None) -> None:
        if not self.failed.done():
            failure = ServiceFailed(f"The task {name} of {self._context.service} has ended.")
            failure.__cause__ = cause
            self.failed.set_exception(failure)

    async def drain(self) -> None:
        """Takes no more work, finishes what is in progress within the grace, closes everything."""
        context = self._context
        loop = asyncio.get_running_loop()
        deadline = loop.time() + context.settings.drain_grace_ms / 1000
        log.info("draining", grace_ms=context.settings.drain_grace_ms)
        self._health.drain()
        self._metrics_server.healthy = False
        context.draining.set()
        try:
            async with asyncio.timeout_at(deadline):
                for work in context.drains:
                    await work()
        except TimeoutError:
            log.warning("drain_timed_out")
        except Exception:
            log.exception("drain_failed")
        if self._server is not None:
            await self._server.stop(max(0.0, deadline - loop.time()))
        await self._close()
        log.info("stopped")

    async def _close(self) -> None:
        self._closing = True
        pending = set(self._tasks)
        while pending:  # wait_for of Python 3.11 may lose a cancellation: say it until it is heard
            for task in pending:
                task.cancel()
            _, pending = await asyncio.wait(pending, timeout=CANCEL_AGAIN_S)
        if self._server is not None:
            await self._server.stop(None)
        await self._context.stack.aclose()
        await self._metrics_server.stop()
        if self.failed.done():
            self.failed.exception()  # it was reported; asyncio need not say so again
        else:
            self.failed.cancel()


@asynccontextmanager
async def running_service(settings: SettingsT, build: Build[SettingsT]) -> AsyncIterator[Running[SettingsT]]:
    """The service inside this process, drained at the end: for tests that need no process of its own."""
    running = Running(Context(settings))
    await running.start(build)
    try:
        yield running
    finally:
        await running.drain()


def keep_what_is_there() -> None:
    """What has been made by now stays: the collector of cycles need not look at it again and again.

    A collection holds up everything else that the process does: the slowest answers waited for several.
    """
    gc.collect()
    gc.freeze()


async def _serve(settings: SettingsT, build: Build[SettingsT]) -> int:
    """Runs until a signal, the parent's end or a failure; the process' exit code."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()

    def asked(name: str) -> None:
        if stop.is_set():  # asked twice: at once
            os._exit(EXIT_FAILED)
        log.info("stop_asked", by=name)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked, signal.Signals(number).name)
    running = Running(Context(settings))
    parent = loop.create_task(closed_pipe(settings.parent_fd))
    parent.add_done_callback(lambda _: None if stop.is_set() else asked("parent"))
    await running.start(build)
    keep_what_is_there()
    running.failed.add_done_callback(lambda _: stop.set())
    await stop.wait()
    code = EXIT_FAILED if running.failed.done() else 0
    parent.cancel()
    await running.drain()
    return code


def run_service(settings_class: type[SettingsT], build: Build[SettingsT]) -> NoReturn:
    """Runs a service as this process, from its environment to its exit code.

    0: drained after SIGTERM, SIGINT or the parent's end; 1: it failed; 2: the settings are wrong.
    """
    configure_logging(settings_class.service, "info")
    try:
        settings = settings_class.from_environment()
    except SettingsError as error:
        log.critical("bad_settings", problems=str(error).splitlines())
        sys.exit(EXIT_BAD_SETTINGS)
    configure_logging(settings.service, settings.log_level)
    try:
        code = uvloop.run(_serve(settings, build))
    except SecretError as error:
        log.critical("bad_settings", problems=[str(error)])
        code = EXIT_BAD_SETTINGS
    except Exception:
        log.critical("start_failed", exc_info=True)
        code = EXIT_FAILED
    sys.exit(code)
