"""Adds bot workers to a running `make play`: `python scripts/more_bots.py 4`. Ctrl-C takes them away again.

Each is a process of its own with one search process, on free ports; their logs lie beside the others. When
the whole stops, they stop too. On a cluster the same program is scaled by its replicas.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CALLED = ("matchmaking", "game", "visibility")
HOST = "127.0.0.1"
LOOK_EVERY_S = 0.5
STOP_WITHIN_S = 10.0


def running(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def read_note(var: Path) -> dict[str, Any]:
    """Who runs here, as the launcher has noted it; ends the program when nobody does."""
    try:
        note: dict[str, Any] = json.loads((var / "ports.json").read_text())
    except (OSError, ValueError):
        note = {}
    if not note or not running(note["launcher"]):
        sys.exit(f"Nothing runs on {var}: start it with `make play`, and then add bots to it.")
    return note


def environment(note: dict[str, Any]) -> dict[str, str]:
    """What a worker is told."""
    told = {name: value for name, value in os.environ.items() if name != "TANDEMFOG_PARENT_FD"}
    for name in CALLED:
        told[f"TANDEMFOG_PEERS_{name.upper()}"] = f"{HOST}:{note['services'][name]['port']}"
    told |= {"TANDEMFOG_BOTS_HOST": HOST, "TANDEMFOG_BOTS_PORT": "0", "TANDEMFOG_BOTS_METRICS_PORT": "0"}
    told.setdefault("TANDEMFOG_BOTS_SEARCH_PROCESSES", "1")
    return told


def start(number: int, var: Path, note: dict[str, Any]) -> subprocess.Popen[bytes]:
    """One worker; it ends with its search process when it is asked to."""
    log = var / "log" / f"more-bots-{os.getpid()}-{number}.log"
    log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "services.bots"],
            cwd=ROOT,
            env=environment(note),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C reaches this program alone; it stops them in order
        )


def stop(workers: list[subprocess.Popen[bytes]]) -> None:
    """Asks all workers to give their seats to others and to end."""
    for worker in workers:
        worker.terminate()
    until = time.monotonic() + STOP_WITHIN_S
    for worker in workers:
        try:
            worker.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()


def main() -> None:
    """Workers until Ctrl-C, or until the whole is gone."""
    count = sys.argv[1] if len(sys.argv) == 2 else ""
    if not count.isascii() or not count.isdigit() or not 1 <= int(count) <= 64:
        sys.exit("How many? For example: make bots N=4")
    var = Path(os.environ.get("TANDEMFOG_VAR", ROOT / "var"))
    note = read_note(var)
    for asking in (signal.SIGINT, signal.SIGTERM):  # in a shell's background SIGINT is ignored
        signal.signal(asking, signal.default_int_handler)
    workers: list[subprocess.Popen[bytes]] = []
    try:
        for number in range(1, int(count) + 1):
            workers.append(start(number, var, note))
        print(f"{count} more bot workers play. Ctrl-C takes them away again.", flush=True)
        while running(note["launcher"]) and any(worker.poll() is None for worker in workers):
            time.sleep(LOOK_EVERY_S)
    except KeyboardInterrupt:
        pass
    failed = [worker.pid for worker in workers if worker.poll()]
    stop(workers)
    if failed:
        sys.exit(f"{len(failed)} of them had failed: see {var / 'log'}.")


if __name__ == "__main__":
    main()
