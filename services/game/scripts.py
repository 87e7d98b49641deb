"""The scripts (lua/): put together, given the time's limits, and in a cluster confirmed by a replica."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from libs.rules.clock import LagTracker
from libs.runtime.refusals import Refusal
from libs.store.cluster import Cluster
from libs.store.connect import StoreClient, open_client
from libs.store.scripts import Argument, Script, ScriptRunner
from services.game.metrics import GameMetrics
from services.game.settings import GameSettings

ANSWER_WITHIN_S = 3.0
CONNECTIONS = 64
NAMES = (
    "commit",
    "create",
    "read",
    "pulse",
    "presence",
    "gateway",
    "talk",
    "mute",
    "report",
    "operate",
    "forget",
    "archived",
)
# In a cluster, what these have written is on so many replicas before anybody is told of it; or `unconfirmed`.
CONFIRMING = ("commit", "create", "talk")
CONFIRMED_ANSWERS = (b"done", b"known", b"exists")
REPLICAS, CONFIRM_WITHIN_MS = 1, 1_000
_FOLDER = Path(__file__).with_name("lua")


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
        scripts[name] = Script(name, text)
    return scripts


class Scripts:
    """Runs scripts. Each may be run again without harm, but that is the caller's decision."""

    def __init__(self, client: StoreClient, settings: GameSettings, metrics: GameMetrics) -> None:
        self._client: Any = client
        self._has_replicas = isinstance(client, Cluster)
        self._runner = ScriptRunner(client, ANSWER_WITHIN_S, metrics.scripts)
        self._scripts = load_scripts(settings.test_clock)
        # A beat may come late under load. Before this replica has beaten itself, though, one that is missing
        # means that nobody was there to give it: even a short absence is an outage then.
        self._outage_after_us = min(settings.outage_after_ms * 1000, settings.beat_ms * 1500)
        self._patient_after_us = settings.outage_after_ms * 1000

    async def run(self, name: str, keys: Sequence[str], arguments: Iterable[Argument]) -> list[Any]:
        """Run a script; its first argument, after how long without a beat time stands still, is added.

        Raises Refusal("unavailable") when the store does not answer or may not be written to now, and
        "unconfirmed" when it was done and no replica has it yet.
        """
        execute = self._confirmed if self._has_replicas and name in CONFIRMING else None
        words = (self._outage_after_us, *arguments)
        return cast(list[Any], await self._runner.run(self._scripts[name], keys, words, execute))

    def be_patient(self) -> None:
        """This replica has beaten in every shard: from now on a beat may come late."""
        self._outage_after_us = self._patient_after_us

    async def _confirmed(self, *words: Argument) -> list[Any]:
        """A script's answer once a replica has what it wrote."""
        pipeline = self._client.pipeline(transaction=False)
        pipeline.execute_command(*words)
        pipeline.execute_command("WAIT", REPLICAS, CONFIRM_WITHIN_MS)
        answer, replicas = await pipeline.execute(raise_on_error=False)
        if isinstance(answer, Exception):
            raise answer
        is_safe = isinstance(replicas, int) and replicas >= REPLICAS
        if answer[0] in CONFIRMED_ANSWERS and not is_safe:
            raise Refusal("unconfirmed")
        return cast(list[Any], answer)


def open_store_client(settings: GameSettings) -> StoreClient:
    """A client of the store; each command is bounded by who gives it (see libs.store.connect)."""
    return open_client(settings.store_url, CONNECTIONS, ANSWER_WITHIN_S)
