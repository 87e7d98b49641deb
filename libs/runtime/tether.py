"""A child that does not outlive its parent, on any Unix: it watches a pipe whose other end the parent holds.

When the parent ends, however it ends, the system closes its end of the pipe and the child reads the end of
file. Our services watch the pipe themselves (`closed_pipe`). For a program that is not ours, a watcher beside
it, `python -m libs.runtime.tether DESCRIPTOR PID`, asks it to stop (SIGTERM) when the parent is gone.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys


async def closed_pipe(descriptor: int | None) -> None:
    """Returns when the pipe's other end is closed; without a descriptor, never."""
    closed = asyncio.Event()
    if descriptor is None:
        await closed.wait()
        return
    loop = asyncio.get_running_loop()

    def readable() -> None:
        if not os.read(descriptor, 4096):
            closed.set()

    os.set_blocking(descriptor, False)
    loop.add_reader(descriptor, readable)
    try:
        await closed.wait()
    finally:
        loop.remove_reader(descriptor)


def main() -> None:
    descriptor, pid = int(sys.argv[1]), int(sys.argv[2])
    while os.read(descriptor, 4096):
        pass
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    main()
