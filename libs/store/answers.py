"""The store's answer within a bound, or a refusal that names why there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from redis.exceptions import RedisError

from libs.runtime.refusals import Refusal
from libs.store.passing import is_passing

AnswerT = TypeVar("AnswerT")


async def answered(answer: Awaitable[AnswerT], within_s: float) -> AnswerT:
    """Await the store's answer for so long; raises Refusal("unavailable") when there is none, or none yet."""
    try:
        async with asyncio.timeout(within_s):
            return await told(answer)
    except TimeoutError as error:
        raise Refusal("unavailable") from error


async def told(answer: Awaitable[AnswerT]) -> AnswerT:
    """As `answered`, for an answer that comes or fails in time by itself."""
    try:
        return await answer
    except (RedisError, OSError) as error:
        if is_passing(error):
            raise Refusal("unavailable") from error
        raise
