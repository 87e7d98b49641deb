"""F-secret over whole frames: games that look the same to a viewer send that viewer the same bytes."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from tests.kit.twins import KINDS
from tests.secrecy.plan import make_plan
from tests.secrecy.play import play
from tests.secrecy.stage import open_stage

PAIRS = int(os.environ.get("TANDEMFOG_SECRECY_PAIRS", "300"))
AT_A_TIME = 500
MORE_KINDS = ("refused attempts", "offers", "presence")


@pytest.mark.rule("F-secret")
@pytest.mark.slow
@pytest.mark.timeout(4 * 3600 if PAIRS > 1000 else 600)
def test_games_that_look_the_same_to_a_viewer_send_it_the_same_bytes(
    valkey_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seats, their second tabs and devices, spectators, reconnects, HTTP, lists, refusals, a bot's worker."""

    def say(counts: dict[str, Any]) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\nsecrecy {json.dumps(counts)}\n")

    counts, told = uvloop.run(play_all(valkey_url, tmp_path, say))
    assert not told, "\n".join([f"{len(told)} differences", *told[:10]])
    for kind in (*KINDS, *MORE_KINDS):
        assert counts["hidden"][kind] >= 0.05 * PAIRS, f"too few pairs hide {kind}"


async def play_all(
    store_url: str, folder: Path, say: Callable[[dict[str, Any]], None]
) -> tuple[dict[str, Any], list[str]]:
    """Plays the pairs, some at a time, and says what is counted; stops when any can be told apart."""
    started_s = time.monotonic()
    counts: dict[str, Any] = {}
    hidden: Counter[str] = Counter()
    viewers: Counter[str] = Counter()
    told: list[str] = []
    async with open_stage(store_url, folder) as stage:
        for first in range(0, PAIRS, AT_A_TIME):
            plans = [make_plan(seed) for seed in range(first, min(first + AT_A_TIME, PAIRS))]
            for plan in plans:
                hidden.update(plan.hidden)
                viewers["spectator" if plan.twins.viewer is None else "WB"[plan.twins.viewer]] += 1
            for plan, differences in await play(stage, plans):
                told += [f"pair {plan.twins.seed}: {difference}" for difference in differences]
            counts = {
                "pairs": sum(viewers.values()),
                "differences": len(told),
                "viewers": dict(sorted(viewers.items())),
                "hidden": {kind: hidden[kind] for kind in (*KINDS, *MORE_KINDS)},
                "seconds": round(time.monotonic() - started_s),
            }
            say(counts)
            if told:
                break
    return counts, told
