"""The whole of tandemfog as `make play` starts it, on a folder and ports of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from tests.kit.hang import hung
from tests.kit.service import ROOT

UP_WITHIN_S = 60.0
DOWN_WITHIN_S = 60.0


class WholeFailed(Exception):
    """The launcher ended before it was up; the message is what it said."""


class Whole:
    """`async with Whole(tmp_path) as whole:` is everything, up and well; `whole.url` is the page.

    `var` holds data, secrets and logs: a second Whole on the same folder goes on where the first stopped.
    """

    def __init__(self, var: Path, environment: Mapping[str, str] | None = None) -> None:
        self.var = var
        self.url = ""
        self._environment = {"TANDEMFOG_PORT": "0", **(environment or {}), "TANDEMFOG_VAR": str(var)}
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TANDEMFOG_")}
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "services.allinone"),
            cwd=ROOT,
            env={**inherited, **self._environment},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(UP_WITHIN_S):
                self.url = (await self._process.stdout.readline()).decode().strip()
        except TimeoutError:
            await self.stop()
            raise
        if not self.url:
            said = await self.said()
            await self.process.wait()
            raise WholeFailed(said)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "it has not been started"
        return self._process

    @property
    def processes(self) -> dict[str, Any]:
        """var/ports.json: pids and ports of the store and of every service, as they are now."""
        found: dict[str, Any] = json.loads((self.var / "ports.json").read_text())
        return found

    def pid(self, name: str) -> int | None:
        """The pid of "store" or of a service; None while it is being started anew."""
        note = self.processes
        entry = note["store"] if name == "store" else note["services"][name]
        return None if entry["pid"] is None else int(entry["pid"])

    def address(self, service: str) -> str:
        """Where a service's gRPC listens."""
        return f"127.0.0.1:{self.processes['services'][service]['port']}"

    def kill(self, name: str) -> None:
        """Ends the store or a service at once, as a crash would."""
        pid = self.pid(name)
        assert pid is not None, f"{name} does not run"
        os.kill(pid, signal.SIGKILL)

    @contextmanager
    def hung(self, name: str) -> Iterator[None]:
        """The store or a service stands still, alive, for as long as the block lasts."""
        pid = self.pid(name)
        assert pid is not None, f"{name} does not run"
        with hung(pid):
            yield

    async def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Stops everything, as Ctrl-C does; the launcher's exit code. Stopping twice does nothing."""
        if self.process.returncode is None:
            self.process.send_signal(number)
        async with asyncio.timeout(DOWN_WITHIN_S):
            return await self.process.wait()

    async def said(self) -> str:
        """What the launcher has said to a person (stderr), once it has ended."""
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()
