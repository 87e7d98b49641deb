"""The search processes of a worker: plans wait in a short queue, one process per core thinks about them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from libs.runtime.logs import get_logger
from services.bots.metrics import BotsMetrics
from services.bots.tandem_brain import Plan, Thought

log = get_logger()
CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
ROOT = Path(__file__).resolve().parents[2]
WAITING_PER_PROCESS = 32
"""More plans than that do not wait: the queue would be longer than any bot's patience."""
START_S = 30.0
LATE_S = 2.0
"""A process that answers so much later than its ceiling is started anew."""
BACKOFF_S = 0.5
_INHERITED = ("PATH", "HOME", "LANG", "PYTHONPATH", "TANDEMFOG_PURE")


class Overloaded(Exception):
    """There is no process to think, or too many plans wait already."""


@dataclass(eq=False)
class _Job:
    plan: Plan
    ceiling_ms: int
    asked_at: float
    answered: asyncio.Future[Thought] = field(repr=False)


def core_count() -> int:
    """The cores that this process may use, a container's limit included."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = CPU_LIMIT.read_text().split()
        return max(1, min(cores, int(quota) // int(period)))
    except (OSError, ValueError):  # no such file, or no limit ("max")
        return cores


class SearchPool:
    """``processes`` search processes, spawned as programs of their own and started anew when they end."""

    def __init__(self, processes: int, metrics: BotsMetrics) -> None:
        self._processes = processes
        self._metrics = metrics
        self._ready = 0
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue(max(1, processes) * WAITING_PER_PROCESS)

    async def run(self) -> None:
        """Keep the processes until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._processes):
                    group.create_task(self._keep())
                await asyncio.Event().wait()
        finally:
            while not self._jobs.empty():
                answered = self._jobs.get_nowait().answered
                if not answered.done():
                    answered.set_exception(Overloaded())

    async def think(self, plan: Plan, ceiling_ms: int) -> Thought:
        """Think about a plan for at most so long, waiting apart; cancelled, the process is free at once.

        The longer the queue, the fewer the nodes: a quick move beats a lost flag. Raises Overloaded.
        """
        loop = asyncio.get_running_loop()
        job = _Job(plan, ceiling_ms, loop.time(), loop.create_future())
        if not self._ready or self._jobs.full():
            raise Overloaded
        self._jobs.put_nowait(job)
        self._metrics.waiting.set(self._jobs.qsize())
        return await job.answered

    @property
    def busy(self) -> bool:
        """Whether plans wait for a process."""
        return not self._jobs.empty()

    def share(self) -> float:
        """What part of its nodes a plan gets now: all of them while nobody waits."""
        return self._processes / (self._processes + self._jobs.qsize())

    async def _keep(self) -> None:
        """Keep one process."""
        while True:
            try:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "services.bots.search_process"),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    cwd=ROOT,
                    env={name: os.environ[name] for name in _INHERITED if name in os.environ},
                )
            except OSError as error:
                log.error("search_not_started", error=str(error))
                await asyncio.sleep(BACKOFF_S)
                continue
            try:
                await self._feed(process)
            except (OSError, ValueError, TimeoutError) as error:
                log.error("search_process_lost", pid=process.pid, error=f"{type(error).__name__}: {error}")
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            self._metrics.process_losses.inc()
            await asyncio.sleep(BACKOFF_S)

    async def _feed(self, process: asyncio.subprocess.Process) -> None:
        """Give one process one plan after the other; raises when it is gone or hangs."""
        reader, writer = process.stdout, process.stdin
        if reader is None or writer is None:
            raise OSError("the process has no pipes")
        async with asyncio.timeout(START_S):
            if not await reader.readline():
                raise OSError("the process has ended at its start")
        self._count(1)
        try:
            while True:
                await self._answer(reader, writer)
        finally:
            self._count(-1)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Have the process think about the next plan that somebody still waits for."""
        loop = asyncio.get_running_loop()
        job = await self._jobs.get()
        share = self.share()
        self._metrics.waiting.set(self._jobs.qsize())
        if job.answered.done():
            return
        self._metrics.queue_seconds.observe(loop.time() - job.asked_at)
        self._metrics.budget_share.observe(share)
        request = {**job.plan.values(), "ceiling_ms": job.ceiling_ms}
        request["nodes"] = max(1, int(job.plan.nodes * share))
        writer.write(json.dumps(request).encode() + b"\n")
        line = asyncio.ensure_future(reader.readline())
        either: set[asyncio.Future[Any]] = {line, job.answered}
        try:
            async with asyncio.timeout(job.ceiling_ms / 1000 + LATE_S):
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                if not line.done():
                    writer.write(b"\n")  # nobody wants it any more
                figures: dict[str, Any] = json.loads(await line)
        except BaseException:
            if not job.answered.done():
                job.answered.set_exception(Overloaded())
            raise
        finally:
            line.cancel()
        self._metrics.think_seconds.observe(figures.pop("spent_ms") / 1000)
        self._metrics.nodes.observe(figures["nodes"])
        if not job.answered.done():
            job.answered.set_result(Thought(**figures))

    def _count(self, change: int) -> None:
        self._ready += change
        self._metrics.processes.set(self._ready)
