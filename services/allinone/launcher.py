"""The launcher: one machine, one command, everything on it supervised; one URL on stdout and nothing else."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import secrets
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import redis.asyncio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime.logs import get_logger
from libs.runtime.tls import Tls, load_tls, open_channel
from services.allinone.child import Child, Program
from services.allinone.plan import ARCHIVE_SETTING, HOST, START_ORDER, Ports, Whole, environment
from services.allinone.settings import ROOT, LauncherSettings
from services.allinone.store import find_program, store_arguments, unused_port, write_note

log = get_logger()


class LaunchError(Exception):
    """The launcher cannot start; the message says why and what to do."""


@contextmanager
def locked(var: Path) -> Iterator[None]:
    """Holds `var` for this launcher alone; raises LaunchError when another one has it."""
    with (var / "lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise LaunchError(
                f"Another launcher (process {holder}) runs on {var}. Stop it, or give this one a folder of "
                "its own: TANDEMFOG_VAR=..."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def check_http_port(port: int) -> int:
    """The port of the page, any free one for 0; raises LaunchError when it is taken."""
    if port == 0:
        return unused_port()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise LaunchError(
                f"Port {port} cannot be used ({error.strerror}). Choose another: TANDEMFOG_PORT={port + 1}"
            ) from None
    return port


def secret_file(path: Path) -> Path:
    """A secret that is made once and kept, readable by its owner alone."""
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32) + "\n")
    return path


def new_log(folder: Path, name: str) -> Path:
    """The log file of one process for this run; the last run's is kept beside it."""
    path = folder / f"{name}.log"
    if path.exists():
        path.replace(folder / f"{name}.last.log")
    path.touch()
    return path


async def serving(port: int, name: str, tls: Tls | None) -> bool:
    """Whether the gRPC service `name` on `port` says that it is well."""
    async with open_channel(f"{HOST}:{port}", name, tls) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await health.Check(health_pb2.HealthCheckRequest(service=""), timeout=1.0)
        except grpc.aio.AioRpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def answering(url: str) -> bool:
    """Whether the store answers, which it does once it has read its file."""
    try:
        async with redis.asyncio.from_url(url, socket_timeout=1.0) as client:
            return bool(await client.ping())
    except redis.exceptions.RedisError:
        return False


class Launcher:
    """Starts everything in order, keeps it running, and stops it in reverse order."""

    def __init__(self, settings: LauncherSettings) -> None:
        self._settings = settings
        self._var = settings.var.resolve()
        self._tls = load_tls(settings.tls_cert, settings.tls_key, settings.tls_ca, settings.tls_mutual)
        self._store: tuple[Child, int, str] | None = None
        self._services: dict[str, Child] = {}
        self._whole: Whole | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        """Everything, up and well; gives the URL to open."""
        (self._var / "store").mkdir(exist_ok=True, mode=0o700)
        async with AsyncExitStack() as stack:
            stack.enter_context(locked(self._var))
            http_port = check_http_port(self._settings.http_port)
            stack.callback((self._var / "ports.json").unlink, missing_ok=True)
            store_url = self._settings.store_url or await self._start_store(stack)
            self._whole = Whole(
                ports={name: Ports(unused_port(), unused_port()) for name in START_ORDER},
                http_port=http_port,
                store_url=store_url,
                token_secret_file=secret_file(self._var / "secret"),
                session_secret_file=secret_file(self._var / "session-secret"),
                page=ROOT / "web" / "dist",
                archive_url=f"sqlite:///{self._var / 'archive.db'}",
            )
            # All are started before the first is waited for: their start is mostly importing.
            for name in START_ORDER:
                self._services[name] = await self._start_service(stack, self._whole, name)
            for child in self._services.values():
                await child.wait_ready(self._settings.start_timeout_ms)
                child.supervise()
            self._note_processes()
            yield self._whole.url

    async def _start_store(self, stack: AsyncExitStack) -> str:
        folder = self._var / "store"
        program = find_program(folder)
        write_note(program, folder)
        port, password = unused_port(), secrets.token_hex(16)
        url = f"redis://:{password}@{HOST}:{port}/0"
        child = Child(
            Program(
                name="store",
                arguments=store_arguments(program, folder, port, password),
                environment={
                    name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ
                },
                log_file=new_log(self._var / "log", "store"),
                ready=partial(answering, url),
                tethered=True,
            ),
            self._note_processes,
        )
        stack.push_async_callback(child.stop)
        self._store = (child, port, url)
        await child.spawn()
        await child.wait_ready(self._settings.start_timeout_ms)
        child.supervise()
        return url

    async def _start_service(self, stack: AsyncExitStack, whole: Whole, name: str) -> Child:
        child = Child(
            Program(
                name=name,
                arguments=[sys.executable, "-m", f"services.{name}"],
                environment=environment(whole, name, os.environ),
                log_file=new_log(self._var / "log", name),
                ready=partial(serving, whole.ports[name].grpc, name, self._tls),
            ),
            self._note_processes,
        )
        stack.push_async_callback(child.stop)
        await child.spawn()
        return child

    def _note_processes(self) -> None:
        """Writes var/ports.json: who runs here, for tests and for who attaches to the running whole."""
        if self._whole is None:
            return
        note: dict[str, Any] = {
            "url": self._whole.url,
            "launcher": os.getpid(),
            "own_archive": ARCHIVE_SETTING not in os.environ,
            "store": None,
            "services": {},
        }
        if self._store is not None:
            child, port, url = self._store
            note["store"] = {"pid": child.pid, "port": port, "url": url}
        for name, child in self._services.items():
            ports = self._whole.ports[name]
            note["services"][name] = {"pid": child.pid, "port": ports.grpc, "metrics_port": ports.metrics}
        draft = self._var / "ports.json.new"
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(note, file, indent=2)
        draft.replace(self._var / "ports.json")


async def run(settings: LauncherSettings) -> None:
    """Starts everything, prints the URL, and keeps it running until cancelled."""
    async with Launcher(settings).running() as url:
        log.info("up", url=url)
        print(url, flush=True)
        await asyncio.Event().wait()


async def launch(settings: LauncherSettings) -> None:
    """Runs everything until SIGINT or SIGTERM, also while it is still starting."""
    work = asyncio.create_task(run(settings))
    asked: list[str] = []

    def ask(name: str) -> None:
        log.info("stop_asked", by=name, again=bool(asked))
        if not asked:  # a second cancel would break off the stopping of the first
            work.cancel()
        asked.append(name)

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ask, signal.Signals(number).name)
    try:
        await work
    except asyncio.CancelledError:
        if not asked:
            raise
    log.info("down")
