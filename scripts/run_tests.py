"""Runs pytest twice: first what may share the machine, on two workers, then what needs it for itself.

`python scripts/run_tests.py [pytest's arguments]`. Ends with an error when either run does, or when
both are empty.
"""

from __future__ import annotations

import subprocess
import sys

WORKERS = 2
NOTHING_FOUND = 5
RUNS = (("-n", str(WORKERS), "--dist", "loadfile", "-m", "not alone"), ("-m", "alone"))


def main() -> None:
    """Both runs, whatever the first one's end, so that one failure does not hide another."""
    codes = [
        subprocess.run((sys.executable, "-m", "pytest", *how, *sys.argv[1:]), check=False).returncode
        for how in RUNS
    ]
    failed = [code for code in codes if code not in (0, NOTHING_FOUND)]
    if failed:
        sys.exit(failed[0])
    if set(codes) == {NOTHING_FOUND}:
        sys.exit(NOTHING_FOUND)


if __name__ == "__main__":
    main()
