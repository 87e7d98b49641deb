"""gRPC's readers of what is asked on the streams of this process."""

from __future__ import annotations

import asyncio


def request_readers() -> int:
    """How many wait for a stream's next request. One whose stream has ended should be none of them."""
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return sum(name.endswith("_consume_request_iterator") for name in names)
