"""The scripts (lua/): put together, run by their digest, loaded again when the store has forgotten them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Any, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import NoScriptError, ResponseError
from redis.exceptions import TimeoutError as StoreTimeoutError

from libs.rules.clock import LagTracker
from libs.runtime.refusals import Refusal
from services.game.metrics import GameMetrics
from services.game.settings import GameSettings

ANSWER_WITHIN_S = 3.0
CONNECTIONS = 64
NAMES = ("commit", "create", "read", "pulse", "presence", "gateway", "talk")
# What a store says that is full, without its replicas, or not the master any more.
NOT_NOW = ("OOM", "NOREPLICAS", "READONLY", "MISCONF", "MASTERDOWN", "CLUSTERDOWN")
Argument = str | bytes | int
_FOLDER = Path(__file__).with_name("lua")


@dataclass(frozen=True, slots=True)
class Script:
    """A script and the name under which the store keeps it."""

    text: str
    digest: str


def load_scripts(test_clock: bool) -> dict[str, Script]:
    """Put each script together with the time, the rules' numbers and the functions that all share."""
    now = "now_test" if test_clock else "now"
    lag = LagTracker()
    limits = (
        "local LAG_QUOTA, LAG_CEILING, LAG_PER_MOVE, LAG_REFILL = "
        f"{lag.quota_us}, {lag.ceiling_us}, {lag.per_move_us}, {lag.refill_us}\n"
    )
    head = limits + "".join((_FOLDER / f"{name}.lua").read_text("utf-8") for name in (now, "match"))
    scripts = {}
    for name in NAMES:
        text = head + (_FOLDER / f"{name}.lua").read_text("utf-8")
        scripts[name] = Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())
    return scripts


class Scripts:
    """Runs scripts. Each may be run again without harm, but that is the caller's decision."""

    def __init__(self, client: Redis, settings: GameSettings, metrics: GameMetrics) -> None:
        self._execute: Any = client.execute_command
        self._metrics = metrics
        self._scripts = load_scripts(settings.test_clock)
        self._outage_after_us = settings.outage_after_ms * 1000

    async def run(self, name: str, keys: Sequence[str], arguments: Iterable[Argument]) -> list[Any]:
        """Run a script; its first argument, after how long without a beat time stands still, is added.

        Raises Refusal("unavailable") when the store does not answer or may not be written to now.
        """
        script = self._scripts[name]
        words = (len(keys), *keys, self._outage_after_us, *arguments)
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                try:
                    return cast(list[Any], await self._execute("EVALSHA", script.digest, *words))
                except NoScriptError:  # a store that was started anew
                    self._metrics.script_loads.inc()
                    return cast(list[Any], await self._execute("EVAL", script.text, *words))
        except (StoreConnectionError, StoreTimeoutError, OSError) as error:  # TimeoutError is an OSError
            raise Refusal("unavailable") from error
        except ResponseError as error:
            if str(error).startswith(NOT_NOW):
                raise Refusal("unavailable") from error
            raise


def open_client(settings: GameSettings) -> Redis:
    """A client of the store. Who finds all connections busy waits for one, as long as for an answer.

    The caller bounds the time of each command. The client's own bound on a socket must not be used: before
    Python 3.12 it can swallow a cancellation, and then a task that was told to stop goes on.
    """
    pool = BlockingConnectionPool.from_url(
        settings.store_url,
        socket_timeout=None,
        socket_connect_timeout=ANSWER_WITHIN_S,
        max_connections=CONNECTIONS,
        timeout=ANSWER_WITHIN_S,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )
    return Redis.from_pool(pool)
