"""One supervised process: started, started anew when it ends by itself, stopped when asked."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from libs.runtime.logs import get_logger

log = get_logger()

BACKOFF_FIRST_S = 0.25
BACKOFF_LAST_S = 8.0
# A process that has lived this long starts with the first backoff again.
SETTLED_AFTER_S = 30.0
STOP_WITHIN_S = 8.0
TETHER = "libs.runtime.tether"


class StartError(Exception):
    """A process did not come up; the message says which, and what it said last."""


@dataclass(frozen=True)
class Program:
    """What to run. `tethered`: it does not watch the launcher itself, so a watcher is put beside it."""

    name: str
    arguments: list[str]
    environment: Mapping[str, str]
    log_file: Path
    ready: Callable[[], Awaitable[bool]]
    tethered: bool = False


class Child:
    """The running form of a Program. `on_change` is called whenever its pid has changed."""

    def __init__(self, program: Program, on_change: Callable[[], None]) -> None:
        self.program = program
        self._on_change = on_change
        self._process: asyncio.subprocess.Process | None = None
        self._watcher: asyncio.subprocess.Process | None = None
        self._tether: int | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """The process' id; None while there is none."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def spawn(self) -> None:
        """Starts the process, with the end of a pipe that tells it when the launcher is gone."""
        program = self.program
        reading, writing = os.pipe()
        try:
            with program.log_file.open("ab") as output:
                self._process = await asyncio.create_subprocess_exec(
                    *program.arguments,
                    env={**program.environment, "TANDEMFOG_PARENT_FD": str(reading)},
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=() if program.tethered else (reading,),
                    # Ctrl-C reaches the launcher alone; it stops the others in their order.
                    start_new_session=True,
                )
            if program.tethered:
                self._watcher = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", TETHER, str(reading), str(self._process.pid)),
                    stdin=asyncio.subprocess.DEVNULL,
                    pass_fds=(reading,),
                    start_new_session=True,
                )
        finally:
            os.close(reading)
        self._tether = writing
        log.info("started", program=program.name, pid=self._process.pid)
        self._on_change()

    async def wait_ready(self, timeout_ms: int) -> None:
        """Waits until the program answers; raises StartError when it ends first or takes too long."""
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                while not await self.program.ready():
                    if self.pid is None:
                        raise StartError(f"{self.program.name} ended at its start.{self._last_words()}")
                    await asyncio.sleep(0.03)
        except TimeoutError:
            reason = f"{self.program.name} did not answer within {timeout_ms} ms."
            raise StartError(reason + self._last_words()) from None

    def supervise(self) -> None:
        """From now on the process is started anew when it ends by itself."""
        self._supervisor = asyncio.create_task(self._supervise(), name=self.program.name)

    async def _supervise(self) -> None:
        loop = asyncio.get_running_loop()
        backoff_s = BACKOFF_FIRST_S
        while True:
            started = loop.time()
            if self._process is not None:
                code = await self._process.wait()
                if self._stopping:
                    return
                log.error(
                    "ended", program=self.program.name, exit_code=code, again_in_ms=int(backoff_s * 1000)
                )
            self._on_change()
            await self._drop_tether()
            if loop.time() - started > SETTLED_AFTER_S:
                backoff_s = BACKOFF_FIRST_S
            await asyncio.sleep(backoff_s)
            backoff_s = min(2 * backoff_s, BACKOFF_LAST_S)
            try:
                await self.spawn()
            except OSError:
                log.exception("spawn_failed", program=self.program.name)

    async def stop(self) -> None:
        """Asks the process to stop, waits for it, and ends it when it does not."""
        self._stopping = True
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.gather(self._supervisor, return_exceptions=True)
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(STOP_WITHIN_S):
                    await self._process.wait()
            except TimeoutError:
                log.error("killed", program=self.program.name)
                self._process.kill()
                await self._process.wait()
            log.info("stopped", program=self.program.name, exit_code=self._process.returncode)
        await self._drop_tether()

    async def _drop_tether(self) -> None:
        if self._watcher is not None and self._watcher.returncode is None:
            self._watcher.kill()
            await self._watcher.wait()
        self._watcher = None
        if self._tether is not None:
            os.close(self._tether)
            self._tether = None

    def _last_words(self) -> str:
        """The end of the log, for a message to a person."""
        lines = self.program.log_file.read_text(errors="replace").splitlines()[-5:]
        return "".join(f"\n  {line}" for line in lines) + f"\nThe whole log: {self.program.log_file}"
