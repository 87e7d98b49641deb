"""Scripts, run by their digest and timed; loaded again when the store has forgotten them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

from redis.exceptions import NoScriptError

from libs.runtime.metrics import Metrics
from libs.store.answers import answered, told
from libs.store.cluster import Cluster
from libs.store.connect import StoreClient
from libs.store.together import Together

Argument = str | bytes | int
Ask = tuple[Sequence[str], Iterable[Argument]]
"""The keys and the arguments of one run."""
Execute = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Script:
    """A step of the store at one stroke, under its name for the operator and its digest for the store."""

    name: str
    text: str
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", sha1(self.text.encode(), usedforsecurity=False).hexdigest())


class ScriptMetrics:
    """What the operator sees of a service's scripts."""

    def __init__(self, metrics: Metrics) -> None:
        self.seconds = metrics.histogram(
            "script_seconds", "Time that the store took for one atomic step, by script.", ("script",)
        )
        self.loads = metrics.counter("script_loads", "Scripts that the store had forgotten.")


class ScriptRunner:
    """Runs scripts. Each may be run again without harm, but that is the caller's decision.

    Those of the same moment travel together; in a cluster, those that were given together (`run_each`), to
    each node its own. ``client`` is for commands that are no scripts.
    """

    def __init__(self, client: StoreClient, answer_within_s: float, metrics: ScriptMetrics) -> None:
        self.client = client
        self._answer_within_s = answer_within_s
        self._metrics = metrics
        self._together = None if isinstance(client, Cluster) else Together(client, answer_within_s)
        self._execute: Execute = self._together.execute if self._together else client.execute_command

    async def run(
        self,
        script: Script,
        keys: Sequence[str],
        arguments: Iterable[Argument] = (),
        execute: Execute | None = None,
    ) -> Any:
        """The script's answer; ``execute`` gives the command when it is not to go as all others do.

        Raises Refusal("unavailable") when the store does not answer or may not be written to now.
        """
        started = time.perf_counter()
        words = (len(keys), *keys, *arguments)
        answer = self._by_digest(execute or self._execute, script, words)
        try:
            if execute is None and self._together is not None:
                return await told(answer)
            return await answered(answer, self._answer_within_s)
        finally:
            self._metrics.seconds.labels(script.name).observe(time.perf_counter() - started)

    async def run_each(self, script: Script, asks: Iterable[Ask]) -> list[Any]:
        """The script's answers to several at once; raises as `run`, for the first failure."""
        words = [(len(keys), *keys, *arguments) for keys, arguments in asks]
        if not words:
            return []
        started = time.perf_counter()
        try:
            return await answered(self._each_by_digest(script, words), self._answer_within_s)
        finally:
            took_s = time.perf_counter() - started
            seconds = self._metrics.seconds.labels(script.name)
            for _ in words:
                seconds.observe(took_s)

    async def _by_digest(self, execute: Execute, script: Script, words: Sequence[Argument]) -> Any:
        try:
            return await execute("EVALSHA", script.digest, *words)
        except NoScriptError:  # a store that was started anew
            self._metrics.loads.inc()
            return await execute("EVAL", script.text, *words)

    async def _each_by_digest(self, script: Script, asks: Sequence[Sequence[Argument]]) -> list[Any]:
        answers = await self._send([("EVALSHA", script.digest, *words) for words in asks])
        forgotten = [place for place, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if forgotten:
            self._metrics.loads.inc()
            again = await self._send([("EVAL", script.text, *asks[place]) for place in forgotten])
            for place, answer in zip(forgotten, again, strict=True):
                answers[place] = answer
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return answers

    async def _send(self, commands: Iterable[Sequence[Argument]]) -> list[Any]:
        """Each command's answer, or its failure in its place."""
        if self._together is not None:
            waiting = [self._together.ask(*words) for words in commands]
            return await asyncio.gather(*waiting, return_exceptions=True)
        pipeline: Any = self.client.pipeline(transaction=False)
        for words in commands:
            pipeline.execute_command(*words)
        found: list[Any] = await pipeline.execute(raise_on_error=False)
        return found
