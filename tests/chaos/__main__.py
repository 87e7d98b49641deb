"""`python -m tests.chaos`: the whole scenario and one JSON line; exit code 1 unless all is well."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from tests.chaos.scenario import Plan, run

parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
parser.add_argument("--tables", type=int, default=100)
parser.add_argument("--flag-tables", type=int, default=4)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--pause-s", type=float, default=20.0)
parser.add_argument("--pace-s", type=float, default=8.0)
parser.add_argument("--calm-s", type=float, default=6.0)
chosen = parser.parse_args()
verdict = asyncio.run(run(Plan(**vars(chosen))))
print(json.dumps(verdict), flush=True)  # noqa: T201 - the line that was asked for
sys.exit(0 if verdict["ok"] else 1)
