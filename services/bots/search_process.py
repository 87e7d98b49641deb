"""One search process: a plan a line on stdin, a thought a line on stdout. Started by ``pool``, one per core.

Its arguments, if any, are the path of the operator's engine and how many nodes that may look at.

Any further line, or the end of stdin, breaks a running search off; it still answers, with the best so far.
The process has no network and no metrics of its own: its figures come with its answers.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict

from services.bots import fog_search, tandem_brain
from services.bots.belief import Belief
from services.bots.uci_engine import EngineFailed, UciEngine

NICENESS = 5
"""Those who move pieces and watch clocks come first."""


MOST_BELIEFS = 200
"""The seats in fog whose beliefs are kept, those that moved last."""
_beliefs: dict[str, Belief] = {}
_memories = tandem_brain.Memories()


def lines(source: int) -> Iterator[bytes]:
    """The lines of a file descriptor, without reading ahead of what is there."""
    rest = b""
    while True:
        more = os.read(source, 65_536)
        if not more:
            return
        *whole, rest = (rest + more).split(b"\n")
        yield from whole


def strongest(
    plan: tandem_brain.Plan, stop: Callable[[], bool], engine: UciEngine | None
) -> tandem_brain.Thought:
    """What the operator's engine says, where there is one and it is wanted; else our own search."""
    if plan.strong and engine is not None:
        try:
            thought = engine.think(plan, stop)
        except EngineFailed as error:
            os.write(2, f"engine_failed: {error}\n".encode())
        else:
            if thought is not None:
                return thought
    return tandem_brain.think(plan, stop, _memories)


def answer(line: bytes, source: int, engine: UciEngine | None = None) -> bytes:
    """Think about one request: the plan's values and ``ceiling_ms``, the most that it may take."""
    request = json.loads(line)
    game = request.pop("game")
    started = time.monotonic()
    ends = started + request.pop("ceiling_ms") / 1000

    def stop() -> bool:
        return time.monotonic() >= ends or bool(select.select([source], [], [], 0)[0])

    if game == "fog":
        thought = fog_search.think(fog_search.FogPlan(**request), _beliefs, stop)
        while len(_beliefs) > MOST_BELIEFS:
            del _beliefs[next(iter(_beliefs))]
    else:
        thought = strongest(tandem_brain.Plan(**request), stop, engine)
    figures = {**asdict(thought), "spent_ms": (time.monotonic() - started) * 1000}
    return json.dumps(figures).encode() + b"\n"


def main() -> None:
    """Say that it is ready, and answer until stdin ends."""
    os.nice(NICENESS)
    engine = UciEngine(sys.argv[1], int(sys.argv[2])) if len(sys.argv) == 3 else None
    os.write(1, b"ready\n")
    for line in lines(0):
        if line:
            os.write(1, answer(line, 0, engine))


if __name__ == "__main__":
    main()
