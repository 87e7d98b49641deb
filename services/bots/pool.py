"""The search processes of a worker: plans wait in a short queue, one process per core thinks about them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

from libs.runtime.logs import get_logger
from services.bots.fog_search import FogPlan
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
    plan: Plan | FogPlan
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
    """``processes`` search processes, spawned as programs of their own and started anew when they end.

    ``engine``: the arguments with which each is told of an operator's engine, path and nodes, or none.
    """

    def __init__(self, processes: int, metrics: BotsMetrics, engine: tuple[str, ...] = ()) -> None:
        self._engine = engine
        self._processes = processes
        self._metrics = metrics
        self._ready: set[int] = set()
        self._at_work: set[int] = set()
        # One queue for each process: what it remembers of a seat is asked of the same one again.
        self._jobs = [asyncio.Queue[_Job](WAITING_PER_PROCESS) for _ in range(processes)]

    async def run(self) -> None:
        """Keep the processes until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(self._processes):
                    group.create_task(self._keep(number))
                await asyncio.Event().wait()
        finally:
            for number in range(self._processes):
                self._empty(number)

    async def think(self, plan: Plan | FogPlan, ceiling_ms: int) -> Thought:
        """Think about a plan for at most so long, waiting apart; cancelled, the process is free at once.

        The longer the queue, the fewer the nodes: a quick move beats a lost flag. Raises Overloaded.
        """
        loop = asyncio.get_running_loop()
        job = _Job(plan, ceiling_ms, loop.time(), loop.create_future())
        jobs = self._queue_for(plan.key)
        if jobs.full():
            raise Overloaded
        jobs.put_nowait(job)
        self._metrics.waiting.set(self._waiting())
        return await job.answered

    @property
    def busy(self) -> bool:
        """Whether plans wait for a process."""
        return self._waiting() > 0

    def share(self) -> float:
        """What part of its effort a plan gets now: all of it while nobody waits."""
        return self._processes / (self._processes + self._waiting())

    def _waiting(self) -> int:
        return sum(jobs.qsize() for jobs in self._jobs)

    def _empty(self, number: int) -> None:
        """Let everybody do without who waits for a process that is gone."""
        while not self._jobs[number].empty():
            _give_up(self._jobs[number].get_nowait())

    def _queue_for(self, key: str) -> asyncio.Queue[_Job]:
        """The queue of the process that knows the key; without one the shortest. Raises Overloaded."""
        ready = sorted(self._ready)
        if not ready:
            raise Overloaded
        if key:
            return self._jobs[ready[crc32(key.encode()) % len(ready)]]
        return self._jobs[min(ready, key=lambda at: (self._jobs[at].qsize(), at in self._at_work))]

    async def _keep(self, number: int) -> None:
        """Keep one process."""
        while True:
            try:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "services.bots.search_process", *self._engine),
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
                await self._feed(number, process)
            except (OSError, ValueError, TimeoutError) as error:
                log.error("search_process_lost", pid=process.pid, error=f"{type(error).__name__}: {error}")
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            self._metrics.process_losses.inc()
            await asyncio.sleep(BACKOFF_S)

    async def _feed(self, number: int, process: asyncio.subprocess.Process) -> None:
        """Give one process one plan after the other; raises when it is gone or hangs."""
        reader, writer = process.stdout, process.stdin
        if reader is None or writer is None:
            raise OSError("the process has no pipes")
        async with asyncio.timeout(START_S):
            if not await reader.readline():
                raise OSError("the process has ended at its start")
        self._ready.add(number)
        self._metrics.processes.set(len(self._ready))
        try:
            while True:
                await self._answer(number, reader, writer)
        finally:
            self._ready.discard(number)
            self._at_work.discard(number)
            self._empty(number)
            self._metrics.processes.set(len(self._ready))

    async def _answer(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Have the process think about the next plan that somebody still waits for."""
        loop = asyncio.get_running_loop()
        self._at_work.discard(number)
        job = await self._jobs[number].get()
        self._at_work.add(number)
        share = self.share()
        self._metrics.waiting.set(self._waiting())
        if job.answered.done():
            return
        self._metrics.queue_seconds.observe(loop.time() - job.asked_at)
        self._metrics.budget_share.observe(share)
        request = {**job.plan.shrunk(share).values(), "ceiling_ms": job.ceiling_ms}
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
            _give_up(job)
            raise
        finally:
            line.cancel()
        self._metrics.think_seconds.observe(figures.pop("spent_ms") / 1000)
        self._metrics.nodes.observe(figures["nodes"])
        if not job.answered.done():
            job.answered.set_result(Thought(**figures))


def _give_up(job: _Job) -> None:
    """Let who waits for a job do without."""
    if not job.answered.done():
        job.answered.set_exception(Overloaded())
