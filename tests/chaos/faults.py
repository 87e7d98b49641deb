"""The faults: one process after another killed -9, and everything of a kind stopped for a while."""

from __future__ import annotations

import asyncio
import signal
import time

from services.allinone.plan import START_ORDER
from tests.chaos.verdict import KILL, Fault
from tests.kit.hang import hung
from tests.kit.replicas import START_WITHIN_S, Replicas
from tests.kit.service import ServiceProcess
from tests.kit.valkey import ValkeyServer

SUPERVISOR_S = 0.25
"""What a supervisor waits before it starts anew what has ended."""
STOPS: dict[str, tuple[str, ...]] = {
    "whole system": (*START_ORDER, "store"),
    "store": ("store",),
    "all gateways": ("gateway",),
    "all game": ("game",),
}


class Faults:
    """Does them, one at a time, and keeps their times."""

    def __init__(self, store: ValkeyServer, stack: Replicas) -> None:
        self._store = store
        self._stack = stack
        self.done: list[Fault] = []
        self.crashed: list[str] = []  # who had ended by itself when its turn came, and its exit code

    async def kill_one(self, kind: str, number: int) -> None:
        """Ends one process at once; it is started again as a supervisor would."""
        began = time.monotonic()
        if kind == "store":
            await asyncio.to_thread(self._store.stop, signal.SIGKILL)
            await asyncio.sleep(SUPERVISOR_S)
            await asyncio.to_thread(self._store.start)
        else:
            replicas = self._stack.of(kind)
            process = replicas[number % len(replicas)]
            await self._kill(process)
            await asyncio.sleep(SUPERVISOR_S)
            await process.start(START_WITHIN_S)
        self.done.append(Fault(f"{KILL}{kind}", began, began))

    async def _kill(self, process: ServiceProcess) -> None:
        if process.is_running:
            await process.kill()
        else:
            self.crashed.append(f"{process.module} {process.process.returncode}")

    async def stop(self, what: str, pause_s: float) -> None:
        """Ends all processes of the kinds at once, and starts them again after the pause."""
        kinds = STOPS[what]
        processes = [process for kind in kinds if kind != "store" for process in self._stack.of(kind)]
        began = time.monotonic()
        await asyncio.gather(*(self._kill(process) for process in processes))
        if "store" in kinds:
            await asyncio.to_thread(self._store.stop, signal.SIGKILL)
        await asyncio.sleep(pause_s)
        if "store" in kinds:
            await asyncio.to_thread(self._store.start)
        first = await asyncio.gather(*(self._start(kind) for kind in kinds if kind != "store"))
        ended = time.monotonic()
        self.done.append(Fault(f"stop {what}", began, ended, pause_s, max(first, default=ended)))

    async def hang(self, what: str, pause_s: float) -> None:
        """All processes of the kinds stand still for a while, alive, so that no connection breaks."""
        processes = [process for kind in STOPS[what] if kind != "store" for process in self._stack.of(kind)]
        pids = [process.process.pid for process in processes]
        began = time.monotonic()
        with hung(*pids):
            await asyncio.sleep(pause_s)
        ended = time.monotonic()
        self.done.append(Fault(f"hang {what}", began, ended, pause_s, ended))

    async def _start(self, kind: str) -> float:
        """Starts all of a kind; when the first of them took calls."""
        up: list[float] = []

        async def start(process: ServiceProcess) -> None:
            await process.start(START_WITHIN_S)
            up.append(time.monotonic())

        await asyncio.gather(*(start(process) for process in self._stack.of(kind)))
        return up[0]
