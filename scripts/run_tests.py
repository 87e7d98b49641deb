"""Runs pytest twice: first what may share the machine, on two workers, then what needs it for itself.

`python scripts/run_tests.py [pytest's arguments]`. Ends with an error when either run does, or when
both are empty. A few tests that failed are run once more by themselves, since a machine that stands
still for seconds fails tests of anything; those that pass then are named at the end, as doubtful.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

WORKERS = 2
FAILED, NOTHING_FOUND = 1, 5
RUNS = (("-n", str(WORKERS), "--dist", "loadfile", "-m", "not alone"), ("-m", "alone"))
SECOND_LOOK_AT_MOST = 3
NO_SECOND_LOOK = ("tests/unit", "tests/secrecy")
"""Where chance has no part, and where what happens once in many times is what is looked for."""
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def main() -> None:
    """Both runs, whatever the first one's end, so that one failure does not hide another."""
    codes, doubtful = [], list[str]()
    for how in RUNS:
        code = _pytest("--cache-clear", *how, *sys.argv[1:])
        names = sorted(json.loads(LAST_FAILED.read_text())) if LAST_FAILED.exists() else []
        if code == FAILED and names and not any(name.startswith(NO_SECOND_LOOK) for name in names):
            doubtful += names
        elif code != NOTHING_FOUND:
            codes.append(code)
    if any(codes) or len(doubtful) > SECOND_LOOK_AT_MOST or (doubtful and _pytest(*doubtful) != 0):
        sys.exit(FAILED)
    if not codes and not doubtful:
        sys.exit(NOTHING_FOUND)
    if doubtful:
        print(f"\nFailed in the run, passed by themselves, worth a look: {' '.join(doubtful)}")


def _pytest(*arguments: str) -> int:
    return subprocess.run((sys.executable, "-m", "pytest", *arguments), check=False).returncode


if __name__ == "__main__":
    main()
