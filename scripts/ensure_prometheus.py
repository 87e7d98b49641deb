"""Finds Prometheus for the tests of rules and dashboards, or fetches it; prints the folder of its programs.

In this order: TANDEMFOG_PROMETHEUS; PATH; what was fetched before; on Debian its package, unpacked into build
so that no daemon starts and no root is needed. Where there is none nothing is printed on stdout,
stderr says why, and the tests that need it are skipped with that reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FETCHED = ROOT / "build" / "prometheus"
PROGRAMS = ("prometheus", "promtool")


def whole(folder: Path) -> bool:
    """Whether both programs are there and start."""
    try:
        answers = [
            subprocess.run([folder / name, "--version"], capture_output=True, timeout=60, check=False)
            for name in PROGRAMS
        ]
    except (OSError, subprocess.TimeoutExpired):
        return False
    return all(answer.returncode == 0 for answer in answers)


def find() -> Path | None:
    """The folder of the programs; None when there is none."""
    on_path = shutil.which("promtool")
    for folder in ([Path(on_path).parent] if on_path else []) + [FETCHED / "usr" / "bin"]:
        if whole(folder):
            return folder
    return None


def run(*command: str | Path) -> bool:
    """Runs a command in the folder of what is fetched, its words on stderr."""
    done = subprocess.run(
        command, cwd=FETCHED, stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=sys.stderr, check=False
    )
    return done.returncode == 0


def fetch() -> None:
    """Unpacks Debian's package into build/prometheus."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return
    FETCHED.mkdir(parents=True, exist_ok=True)
    download = ("apt-get", "download", "-q", "prometheus")
    if run(*download) or (os.geteuid() == 0 and run("apt-get", "update", "-q") and run(*download)):
        for package in FETCHED.glob("prometheus_*.deb"):
            run("dpkg-deb", "-x", package, FETCHED)
            package.unlink()


def main() -> None:
    told = os.environ.get("TANDEMFOG_PROMETHEUS")
    if told:
        if not whole(Path(told)):
            sys.exit(f"TANDEMFOG_PROMETHEUS names {told}, where prometheus and promtool do not start.")
        print(told)
        return
    folder = find()
    if folder is None:
        print("No Prometheus found: fetching Debian's package ...", file=sys.stderr)
        fetch()
        folder = find()
    if folder is None:
        print("No Prometheus: tests of rules and dashboards are skipped. Put it on PATH.", file=sys.stderr)
        return
    print(folder)


if __name__ == "__main__":
    main()
