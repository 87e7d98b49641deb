"""F-secret over whole frames: games that look the same to a viewer send that viewer the same bytes."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import pytest

from tests.kit.twins import KINDS
from tests.secrecy.play import Tally, play_share

pytestmark = pytest.mark.alone

PAIRS = int(os.environ.get("TANDEMFOG_SECRECY_PAIRS", "300"))
PROCESSES = min(4, os.cpu_count() or 1)
SHARE = min(500, -(-PAIRS // PROCESSES))
MORE_KINDS = ("refused attempts", "offers", "presence")


@pytest.mark.rule("F-secret")
@pytest.mark.slow
@pytest.mark.timeout(4 * 3600 if PAIRS > 1000 else 600)
def test_games_that_look_the_same_to_a_viewer_send_it_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seats, their second tabs and devices, spectators, reconnects, HTTP, lists, refusals, a bot's worker."""
    started_s = time.monotonic()
    tally = Tally()
    shares = [range(first, min(first + SHARE, PAIRS)) for first in range(0, PAIRS, SHARE)]
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        running = [pool.submit(play_share, tmp_path / str(seeds.start), seeds) for seeds in shares]
        for share in as_completed(running):
            tally.add(share.result())
            with capsys.disabled():
                say(tally, time.monotonic() - started_s)
            if tally.told:
                pool.shutdown(cancel_futures=True)
                break
    assert not tally.told, "\n".join([f"{len(tally.told)} pairs told apart", *tally.told[:10]])
    assert tally.pairs == PAIRS
    assert len(tally.disturbed) <= PAIRS // 20, "\n".join(tally.disturbed[:10])
    for kind in (*KINDS, *MORE_KINDS):
        assert tally.hidden[kind] >= 0.05 * PAIRS, f"too few pairs hide {kind}"


def say(tally: Tally, seconds: float) -> None:
    """One line of counts."""
    counts = {
        "pairs": tally.pairs,
        "told_apart": len(tally.told),
        "disturbed": len(tally.disturbed),
        "viewers": dict(sorted(tally.viewers.items())),
        "hidden": {kind: tally.hidden[kind] for kind in (*KINDS, *MORE_KINDS)},
        "seconds": round(seconds),
    }
    sys.stdout.write(f"\nsecrecy {json.dumps(counts)}\n")
