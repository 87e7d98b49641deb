"""A service as a process of its own, as it runs in earnest."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
READY_WITHIN_S = 30.0
STOPPED_WITHIN_S = 20.0


class ServiceProcess:
    """`async with ServiceProcess("game", {"TANDEMFOG_STORE_URL": url}) as game:` is a game service, ready.

    `name` is a service, started as `python -m services.<name>`, or with a dot a module to run as it is.
    Variables of ours that the tests' own environment has are not handed on.
    """

    def __init__(self, name: str, environment: Mapping[str, str], descriptors: tuple[int, ...] = ()) -> None:
        self.module = name if "." in name else f"services.{name}"
        self.environment = dict(environment)
        self.descriptors = descriptors  # file descriptors that the process inherits
        self.root = ROOT  # whose code it runs, from its next start on
        self.lines: list[dict[str, Any]] = []
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            await self.terminate()

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "start() comes first"
        return self._process

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def ready(self) -> dict[str, Any]:
        """The line with which the service last said that it is ready."""
        return next(line for line in reversed(self.lines) if line.get("event") == "ready")

    @property
    def port(self) -> int:
        return int(self.ready["port"])

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def launch(self) -> None:
        """Starts the process without waiting for it to be ready."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TANDEMFOG_")}
        self.lines = []
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self.module,
            cwd=self.root,
            env={**inherited, **self.environment},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=1024 * 1024,
            pass_fds=self.descriptors,
        )
        self._reader = asyncio.create_task(self._read())

    async def start(self, within_s: float = READY_WITHIN_S) -> None:
        """Starts the process and waits until it is ready; RuntimeError with its log when it ends first."""
        await self.launch()
        await self.wait_for("ready", within_s)

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for raw in self.process.stdout:
            try:
                line = json.loads(raw)
            except ValueError:
                line = {"event": "not_json", "text": raw.decode(errors="replace").rstrip()}
            async with self._news:
                self.lines.append(line)
                self._news.notify_all()
        async with self._news:
            self._news.notify_all()

    async def wait_for(self, event: str, timeout_s: float = READY_WITHIN_S) -> dict[str, Any]:
        """The first log line of this event; raises RuntimeError when the process ends without it."""
        assert self._reader is not None
        async with asyncio.timeout(timeout_s), self._news:
            while True:
                for line in self.lines:
                    if line.get("event") == event:
                        return line
                if self._reader.done() or self.process.stdout is None or self.process.stdout.at_eof():
                    raise RuntimeError(f"{self.module} ended without {event}: {self.log()}")
                await self._news.wait()

    def log(self) -> str:
        """Everything that the process has said, for a failure's message."""
        return "\n".join(json.dumps(line) for line in self.lines)

    async def terminate(self) -> int:
        """Asks the process to stop and waits; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await self.wait()

    async def kill(self) -> None:
        """Ends the process at once, as a crash would."""
        self.process.kill()
        await self.wait()

    async def wait(self) -> int:
        """Waits until the process has ended; its exit code."""
        try:
            async with asyncio.timeout(STOPPED_WITHIN_S):
                code = await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
            raise
        if self._reader is not None:
            await self._reader
        return code
