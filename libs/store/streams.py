"""Streams hold what was said and who played: they keep it no longer than readers need it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal
from libs.store.answers import answered
from libs.store.connect import StoreClient

LONGEST_SLEEP_S = 60.0
ANSWER_WITHIN_S = 3.0
log = get_logger()


async def keep_short(client: StoreClient, streams: Sequence[str], keep_ms: int) -> None:
    """Every minute, or as often as they get old, forget the streams' entries that are older; until cancelled.

    What adds to a stream bounds its length; where little happens, only this bounds its time.
    """
    while True:
        try:
            await forget_entries(client, streams, keep_ms)
        except Refusal as refusal:
            log.warning("streams_not_shortened", reason=refusal.reason)
        await asyncio.sleep(min(LONGEST_SLEEP_S, keep_ms / 1000))


async def forget_entries(
    client: StoreClient,
    streams: Sequence[str],
    keep_ms: int,
    clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
) -> None:
    """Forget the streams' entries that are older, exactly. Raises Refusal("unavailable")."""
    pipeline: Any = client.pipeline(transaction=False)
    for stream in streams:
        pipeline.xtrim(stream, minid=max(0, clock_ms() - keep_ms), approximate=False)
    await answered(pipeline.execute(), ANSWER_WITHIN_S)
