"""`python -m tests.load`: one JSON line of what so many tables cost; exit code 1 when anything went wrong."""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys

from tests.load.run import Plan, run

parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
parser.add_argument("--tables", type=int, default=500)
parser.add_argument("--seconds", type=float, default=300.0)
parser.add_argument("--pace-s", type=float, default=3.0)
parser.add_argument("--reconnect-share", type=float, default=0.002)
parser.add_argument("--plain", action="store_true", help="tandem alone: no fog, no spectators")
chosen = parser.parse_args()
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # the services inherit it
counted = asyncio.run(run(Plan(**vars(chosen))))
print(json.dumps(counted), flush=True)  # noqa: T201 - the line that was asked for
sys.exit(0 if counted["ok"] else 1)
